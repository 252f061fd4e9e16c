//! Every stable code that an answer or a failed run may bear: where it comes from and what mends it. The page
//! of errors and the document of the API are made from it; a code that is not here fails the tests.
//!
//! Codes are never renamed or used anew for something else.

use axum::http::StatusCode;

/// What is said of a code.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub code: &'static str,
    pub status: StatusCode,
    pub of: Of,
    pub cause: &'static str,
    pub mend: &'static str,
}

/// Which requests are answered so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Any of the API.
    Api,
    /// Those of the API that bear a body.
    Bodies,
    /// Some routes of the API only: they say so themselves.
    Some,
    /// The pages.
    Pages,
}

const fn entry(
    code: &'static str,
    status: StatusCode,
    of: Of,
    cause: &'static str,
    mend: &'static str,
) -> Entry {
    Entry {
        code,
        status,
        of,
        cause,
        mend,
    }
}

/// In the order of their statuses.
pub const ENTRIES: &[Entry] = &[
    entry(
        "invalid_request",
        StatusCode::BAD_REQUEST,
        Of::Api,
        "A field is missing, has the wrong type or a value that is not taken, or the body is no JSON.",
        "Read errors[]: it names each field, what is wrong with it and what would be right. Correct it and send again.",
    ),
    entry(
        "invalid_context_policy",
        StatusCode::BAD_REQUEST,
        Of::Some,
        "contextPolicy has another value than organisation-safe, or is null.",
        "Send organisation-safe for a shared channel, or leave the field out for a private run.",
    ),
    entry(
        "invalid_base64",
        StatusCode::BAD_REQUEST,
        Of::Some,
        "The content of a file is not standard base64, or is a data: address.",
        "Encode the bytes with the standard alphabet, without a prefix. Whitespace is accepted, and padding may be missing.",
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
        "Check that the whole key was copied. Otherwise make a new one in the key workspace, or ask an administrator \
         whether your membership is active.",
    ),
    entry(
        "api_key_in_query",
        StatusCode::UNAUTHORIZED,
        Of::Api,
        "A parameter in the address is named like a key or bears one. Addresses are kept in logs and histories.",
        "Send the key in a header, and rotate the one that was in the address: it may have been recorded on the way.",
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
        "You are signed in to another organization than the one that this belongs to.",
        "Sign in with your account of that organization.",
    ),
    entry(
        "form_expired",
        StatusCode::FORBIDDEN,
        Of::Pages,
        "The form is from another sign-in, or was not sent by one of our pages.",
        "Load the page again and send the form once more.",
    ),
    entry(
        "too_many_keys",
        StatusCode::FORBIDDEN,
        Of::Pages,
        "You have as many active keys as one person may.",
        "Revoke a key that is not used any more.",
    ),
    entry(
        "install_state_invalid",
        StatusCode::FORBIDDEN,
        Of::Pages,
        "The platform came back from an installation that was not begun here within the last ten minutes.",
        "Begin the installation again on the assistant's page.",
    ),
    entry(
        "not_found",
        StatusCode::NOT_FOUND,
        Of::Api,
        "It does not exist, or is not yours to see: the two are never told apart.",
        "Check the identifier, and that it was made with a key of the same owner and organization.",
    ),
    entry(
        "method_not_allowed",
        StatusCode::METHOD_NOT_ALLOWED,
        Of::Some,
        "The address exists, but not for this method.",
        "The header Allow names the methods that it takes.",
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
        "Read the current state and decide anew.",
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
        "Wait as many seconds as Retry-After says. RateLimit tells beforehand how many are left.",
    ),
    entry(
        "quota_exhausted",
        StatusCode::TOO_MANY_REQUESTS,
        Of::Api,
        "The sandbox key has used up its runs of this month.",
        "Use a development or production key, or wait for the next month: Retry-After says how long.",
    ),
    entry(
        "internal",
        StatusCode::INTERNAL_SERVER_ERROR,
        Of::Api,
        "A fault of this service. Its cause is in the service's log, under the request id.",
        "Reads may be repeated. After a write, look first whether it took effect. Tell the operator the request id.",
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
        "Wait as many seconds as Retry-After says. Reads may be repeated; after a write look first whether it took effect.",
    ),
];

/// Why a run failed: the `failure` of a message whose status is `failed`. None of them is charged.
pub const RUNS: &[(&str, &str, &str)] = &[
    (
        "run_failed",
        "The analysis met an error each time it was tried.",
        "Ask again, perhaps with other words or files. If it fails again, tell the operator the run id.",
    ),
    (
        "run_expired",
        "The run did not end within its time.",
        "Ask again, perhaps with smaller files.",
    ),
    (
        "run_poisoned",
        "The run took the process down three times and was ended.",
        "Do not ask the same again; tell the operator the run id.",
    ),
    (
        "run_stopped",
        "Someone who may do so stopped the run.",
        "Ask again when you want the answer.",
    ),
    (
        "run_withdrawn",
        "The question was deleted where it was asked.",
        "Ask again when you want the answer.",
    ),
];

/// What is said of a code of an answer.
pub fn entry_of(code: &str) -> Option<&'static Entry> {
    ENTRIES.iter().find(|entry| entry.code == code)
}
