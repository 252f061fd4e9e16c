//! Every stable code of an error response or a failed run, with its cause and its fix. The page of errors and the
//! OpenAPI document are built from this list; the tests fail if a code is missing.
//!
//! Codes are never renamed or reused.

use axum::http::StatusCode;

/// One code, as the page of errors lists it.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub code: &'static str,
    pub status: StatusCode,
    pub of: Of,
    pub cause: &'static str,
    pub fix: &'static str,
}

/// The requests that may get a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Every API request.
    Api,
    /// API requests with a body.
    Bodies,
    /// Some API routes only; each of them declares it.
    Some,
    /// Requests for pages.
    Pages,
}

const fn entry(
    code: &'static str,
    status: StatusCode,
    of: Of,
    cause: &'static str,
    fix: &'static str,
) -> Entry {
    Entry {
        code,
        status,
        of,
        cause,
        fix,
    }
}

/// In the order of their HTTP status.
pub const ENTRIES: &[Entry] = &[
    entry(
        "invalid_request",
        StatusCode::BAD_REQUEST,
        Of::Api,
        "A field is missing, has the wrong type or a value that is not taken, or the body is no JSON.",
        "Read errors[]: it names each field, what is wrong and what is accepted. Correct it and send it again.",
    ),
    entry(
        "invalid_context_policy",
        StatusCode::BAD_REQUEST,
        Of::Some,
        "contextPolicy is null or has a value other than organisation-safe.",
        "Send organisation-safe for a shared channel, or leave the field out for a private run.",
    ),
    entry(
        "invalid_base64",
        StatusCode::BAD_REQUEST,
        Of::Some,
        "The content of a file is not standard base64, or is a data: address.",
        "Encode the bytes with the standard alphabet, without a prefix. Whitespace and missing padding are accepted.",
    ),
    entry(
        "api_key_missing",
        StatusCode::UNAUTHORIZED,
        Of::Api,
        "No header bears a project key.",
        "Send the key in X-Api-Key, or as a Bearer credential in Authorization.",
    ),
    entry(
        "api_key_invalid",
        StatusCode::UNAUTHORIZED,
        Of::Api,
        "The key is unknown, mistyped, revoked or expired, its owner is no active member any more, or two headers bear \
         different keys.",
        "Check that you copied the whole key. Otherwise create a new one in the key workspace, or ask an administrator \
         whether your membership is active.",
    ),
    entry(
        "api_key_in_query",
        StatusCode::UNAUTHORIZED,
        Of::Api,
        "A parameter in the address is named like a key or bears one. Addresses are kept in logs and histories.",
        "Send the key in a header. Rotate the key that was in the URL: it may have been recorded on the way.",
    ),
    entry(
        "unauthenticated",
        StatusCode::UNAUTHORIZED,
        Of::Pages,
        "Nobody is signed in.",
        "Sign in and open the page again.",
    ),
    entry(
        "usage_exhausted",
        StatusCode::PAYMENT_REQUIRED,
        Of::Some,
        "The month's included usage is used up, and there is no funded credit.",
        "Add credit, or wait for the next month. Nothing was charged for this request.",
    ),
    entry(
        "forbidden",
        StatusCode::FORBIDDEN,
        Of::Some,
        "You may know that it exists, but your role does not allow this.",
        "Ask its author or an administrator of your organization.",
    ),
    entry(
        "plan_not_eligible",
        StatusCode::FORBIDDEN,
        Of::Some,
        "Your organization's plan does not include this.",
        "Ask an administrator to change the plan.",
    ),
    entry(
        "account_inactive",
        StatusCode::FORBIDDEN,
        Of::Pages,
        "Your membership in the organization is not active.",
        "Ask an administrator of the organization.",
    ),
    entry(
        "other_organization",
        StatusCode::FORBIDDEN,
        Of::Pages,
        "This belongs to another organization than the one you are signed in to.",
        "Sign in with your account of that organization.",
    ),
    entry(
        "form_expired",
        StatusCode::FORBIDDEN,
        Of::Pages,
        "The form belongs to another sign-in, or was not sent from one of our pages.",
        "Load the page again and send the form once more.",
    ),
    entry(
        "too_many_keys",
        StatusCode::FORBIDDEN,
        Of::Pages,
        "You have reached the limit of active keys for one person.",
        "Revoke a key that you no longer use.",
    ),
    entry(
        "install_state_invalid",
        StatusCode::FORBIDDEN,
        Of::Pages,
        "The platform reported an installation that was not started here within the last ten minutes.",
        "Start the installation again on the assistant's page.",
    ),
    entry(
        "not_found",
        StatusCode::NOT_FOUND,
        Of::Api,
        "It does not exist, or is not yours to see: the two are never told apart.",
        "Check the identifier, and that it was created with a key of the same owner and organization.",
    ),
    entry(
        "method_not_allowed",
        StatusCode::METHOD_NOT_ALLOWED,
        Of::Some,
        "The URL exists, but does not accept this method.",
        "Use one of the methods in the Allow header.",
    ),
    entry(
        "request_timeout",
        StatusCode::REQUEST_TIMEOUT,
        Of::Bodies,
        "The body did not arrive in time.",
        "Send it again over a faster connection, or in smaller files.",
    ),
    entry(
        "conflict",
        StatusCode::CONFLICT,
        Of::Some,
        "It exists already, or has changed meanwhile.",
        "Read the current state, then decide again.",
    ),
    entry(
        "stale_attempt",
        StatusCode::CONFLICT,
        Of::Some,
        "A newer attempt took this work over.",
        "Read the current state; nothing of the older attempt was kept.",
    ),
    entry(
        "file_too_large",
        StatusCode::PAYLOAD_TOO_LARGE,
        Of::Bodies,
        "A decoded file has more than 52,428,800 bytes.",
        "Send smaller files; split large workbooks or documents.",
    ),
    entry(
        "body_too_large",
        StatusCode::PAYLOAD_TOO_LARGE,
        Of::Bodies,
        "The whole body is larger than this service takes.",
        "Send fewer files in one request.",
    ),
    entry(
        "unsupported_media_type",
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        Of::Bodies,
        "The content type is none that this route takes.",
        "Send application/json, or multipart/form-data where the route takes files.",
    ),
    entry(
        "rate_limited",
        StatusCode::TOO_MANY_REQUESTS,
        Of::Api,
        "More requests in a minute than the limit allows.",
        "Wait for the number of seconds in Retry-After. The RateLimit header shows how many requests are left.",
    ),
    entry(
        "quota_exhausted",
        StatusCode::TOO_MANY_REQUESTS,
        Of::Api,
        "The sandbox key has used up its runs of this month.",
        "Use a development or production key, or wait for the next month; Retry-After has the number of seconds.",
    ),
    entry(
        "internal",
        StatusCode::INTERNAL_SERVER_ERROR,
        Of::Api,
        "A fault of this service. Its cause is in the service's log, under the request id.",
        "Repeat reads. After a write, first check whether it took effect. Give the request id to the operator.",
    ),
    entry(
        "upstream_failed",
        StatusCode::BAD_GATEWAY,
        Of::Api,
        "A service that this one relies on did not answer as it should.",
        "Try again in a few minutes.",
    ),
    entry(
        "unavailable",
        StatusCode::SERVICE_UNAVAILABLE,
        Of::Api,
        "Overloaded, restarting, or the database is away. Nothing was lost.",
        "Wait for the number of seconds in Retry-After. Repeat reads; after a write, check first whether it took \
         effect.",
    ),
];

/// Why a run failed: the `failure` of a message whose status is `failed`. None of them is charged.
pub const RUNS: &[(&str, &str, &str)] = &[
    (
        "run_failed",
        "Every attempt of the analysis ended with an error.",
        "Ask again, perhaps with other words or files. If it fails again, give the run id to the operator.",
    ),
    (
        "run_expired",
        "The run took longer than its time limit.",
        "Ask again, perhaps with smaller files.",
    ),
    (
        "run_poisoned",
        "The run crashed the process three times and was ended.",
        "Do not ask the same question again; give the run id to the operator.",
    ),
    (
        "run_stopped",
        "An authorized person stopped the run.",
        "Ask again when you want the answer.",
    ),
    (
        "run_withdrawn",
        "The question was deleted where it was asked.",
        "Ask again when you want the answer.",
    ),
];

/// The entry of a code.
pub fn entry_of(code: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.code == code)
}
