//! A client of the HTTP API that checks every response against the served OpenAPI document: the status and content
//! type are declared for the operation, the body matches its schema, and the declared headers are present. Anything
//! that is not documented fails the test.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};

use jsonschema::Validator;
use reqwest::header::{CONTENT_TYPE, HeaderMap};
use reqwest::{Method, RequestBuilder};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::harness::app::{Running, http};

/// Read from the first app that serves it; it is the same for the whole test binary except for the server URL.
static CONTRACT: OnceCell<Contract> = OnceCell::const_new();

/// A client with one project key, or without a key.
#[derive(Clone)]
pub struct Api {
    base: String,
    key: Option<String>,
    client: reqwest::Client,
    contract: &'static Contract,
}

impl Running {
    pub async fn api(&self, key: &str) -> Api {
        Api::new(&self.url, Some(key)).await
    }

    /// A client without a key.
    pub async fn api_unknown(&self) -> Api {
        Api::new(&self.url, None).await
    }
}

impl Api {
    pub async fn new(base: &str, key: Option<&str>) -> Self {
        Self {
            base: base.to_owned(),
            key: key.map(str::to_owned),
            client: http(),
            contract: CONTRACT.get_or_init(|| Contract::read(base)).await,
        }
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path).send().await
    }

    pub async fn post(&self, path: &str, body: &impl Serialize) -> Answer {
        self.call(Method::POST, path).json(body).send().await
    }

    pub async fn put(&self, path: &str, body: &impl Serialize) -> Answer {
        self.call(Method::PUT, path).json(body).send().await
    }

    pub async fn delete(&self, path: &str) -> Answer {
        self.call(Method::DELETE, path).send().await
    }

    /// Any call; `path` may contain a query.
    pub fn call(&self, method: Method, path: &str) -> Call {
        let mut request = self
            .client
            .request(method.clone(), format!("{}{path}", self.base));
        if let Some(key) = &self.key {
            request = request.header("X-Api-Key", key);
        }
        Call {
            request,
            method,
            path: path.split('?').next().unwrap_or_default().to_owned(),
            contract: self.contract,
        }
    }
}

/// A request that is being built.
pub struct Call {
    request: RequestBuilder,
    method: Method,
    path: String,
    contract: &'static Contract,
}

impl Call {
    pub fn json(self, body: &impl Serialize) -> Self {
        self.with(|request| request.json(body))
    }

    pub fn header(self, name: &str, value: &str) -> Self {
        self.with(|request| request.header(name, value))
    }

    /// Changes the request in any other way: multipart, a raw body, a query.
    pub fn with(self, change: impl FnOnce(RequestBuilder) -> RequestBuilder) -> Self {
        Self {
            request: change(self.request),
            ..self
        }
    }

    pub async fn send(self) -> Answer {
        let response = self.request.send().await.expect("an answer");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let bytes = response.bytes().await.expect("a whole answer").to_vec();
        let is_json = kind(&headers).is_some_and(|kind| kind.ends_with("json"));
        let body = if is_json {
            serde_json::from_slice(&bytes).expect("JSON")
        } else {
            Value::Null
        };
        let answer = Answer {
            status,
            headers,
            body,
            bytes,
        };
        if let Err(why) = self.contract.check(self.method.as_str(), &self.path, &answer) {
            panic!(
                "{} {} against the document: {why}\n{answer}",
                self.method, self.path
            );
        }
        answer
    }
}

/// A response that matches the document.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// Null where the content is not JSON.
    pub body: Value,
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body of a response with this status.
    #[track_caller]
    pub fn expect(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{self}");
        self.body
    }

    /// The problem details of a refusal with this status and code.
    #[track_caller]
    pub fn refused(self, status: u16, code: &str) -> Value {
        assert_eq!(
            (self.status, self.body["code"].as_str()),
            (status, Some(code)),
            "{self}"
        );
        self.body
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = String::from_utf8_lossy(&self.bytes);
        let short: String = text.chars().take(2000).collect();
        write!(out, "{} {:?}\n{short}", self.status, self.headers)
    }
}

fn kind(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(CONTENT_TYPE)?.to_str().ok()?;
    let kind = value.split(';').next()?.trim();
    Some(kind.to_ascii_lowercase())
}

/// The served document; its schemas are compiled on first use.
pub struct Contract {
    pub document: Value,
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

impl Contract {
    async fn read(base: &str) -> Self {
        let answer = http().get(format!("{base}/openapi.json")).send().await;
        let answer = answer.expect("the document");
        Self::of(answer.json().await.expect("JSON"))
    }

    pub fn of(document: Value) -> Self {
        Self {
            document,
            compiled: Mutex::default(),
        }
    }

    /// How a response violates the document, if it does.
    pub fn check(&self, method: &str, path: &str, answer: &Answer) -> Result<(), String> {
        let template = self
            .template(path)
            .ok_or_else(|| "no such path is described".to_owned())?;
        let operation = &self.document["paths"][template][method.to_ascii_lowercase()];
        if operation.is_null() {
            return self.undescribed_method(answer);
        }
        let declared = &operation["responses"][answer.status.to_string()];
        let declared = declared["$ref"].as_str().map_or(declared, |at| self.at(at));
        if declared.is_null() {
            return Err(format!("status {} is not declared", answer.status));
        }
        self.check_headers(declared, answer)?;
        let content = declared["content"]
            .as_object()
            .filter(|content| !content.is_empty());
        let (Some(content), Some(kind)) = (content, kind(&answer.headers)) else {
            return match content {
                None if answer.bytes.is_empty() => Ok(()),
                None => Err("it has a body, and none is declared".to_owned()),
                Some(_) => Err("it has no content type".to_owned()),
            };
        };
        let Some(media) = content.get(&kind).or_else(|| content.get("*/*")) else {
            return Err(format!("{kind} is not declared"));
        };
        if media["schema"].is_null() || !kind.ends_with("json") {
            return Ok(());
        }
        let place = format!("{method} {template} {} {kind}", answer.status);
        self.fits(&place, &media["schema"], &answer.body)
    }

    /// A method that is not documented is refused, in the format of all refusals.
    fn undescribed_method(&self, answer: &Answer) -> Result<(), String> {
        if answer.status != 405 {
            return Err("this method is not described".to_owned());
        }
        if answer.header("allow").is_none() {
            return Err("405 without Allow".to_owned());
        }
        let problem = json!({ "$ref": "#/components/schemas/Problem" });
        self.fits("405", &problem, &answer.body)
    }

    fn check_headers(&self, declared: &Value, answer: &Answer) -> Result<(), String> {
        for (name, header) in declared["headers"].as_object().into_iter().flatten() {
            let header = header["$ref"].as_str().map_or(header, |at| self.at(at));
            match answer.header(name) {
                None if header["required"] == true => return Err(format!("the header {name} is missing")),
                None => {}
                Some(text) => {
                    let value = match header["schema"]["type"].as_str() {
                        Some("integer") => text
                            .parse::<i64>()
                            .map(Value::from)
                            .map_err(|_| format!("{name} is no number"))?,
                        _ => Value::from(text),
                    };
                    self.fits(&format!("header {name}"), &header["schema"], &value)?;
                }
            }
        }
        Ok(())
    }

    /// Whether a value matches a schema of the document. `place` is the schema's key among the compiled ones.
    pub fn fits(&self, place: &str, schema: &Value, value: &Value) -> Result<(), String> {
        let known = self.compiled.lock().expect("schemas").get(place).cloned();
        let validator = match known {
            Some(validator) => validator,
            None => {
                let whole = json!({
                    "$schema": "https://json-schema.org/draft/2020-12/schema",
                    "allOf": [schema],
                    "components": self.document["components"],
                });
                let made = jsonschema::options()
                    .should_validate_formats(true)
                    .build(&whole)
                    .map_err(|error| format!("{place}: {error}"))?;
                let made = Arc::new(made);
                let mut compiled = self.compiled.lock().expect("schemas");
                compiled.insert(place.to_owned(), Arc::clone(&made));
                made
            }
        };
        let faults: Vec<String> = validator
            .iter_errors(value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults.join("; "))
        }
    }

    /// The documented path that matches a URL path: the one with the most literal segments.
    fn template(&self, path: &str) -> Option<&str> {
        let given: Vec<&str> = path.split('/').collect();
        let fits = |template: &&String| {
            let parts: Vec<&str> = template.split('/').collect();
            parts.len() == given.len()
                && parts
                    .iter()
                    .zip(&given)
                    .all(|(part, given)| part == given || (part.starts_with('{') && !given.is_empty()))
        };
        let paths = self.document["paths"].as_object()?;
        paths
            .keys()
            .filter(fits)
            .min_by_key(|template| template.matches('{').count())
            .map(String::as_str)
    }

    /// The value at the JSON pointer `#/…`.
    fn at(&self, pointer: &str) -> &Value {
        self.document
            .pointer(pointer.trim_start_matches('#'))
            .unwrap_or(&Value::Null)
    }
}

/// Method and path of every documented operation.
pub fn described() -> Vec<(String, String)> {
    let document = corbel::api::routes::router("").1;
    let paths = document["paths"].as_object().expect("paths");
    let methods = ["get", "post", "put", "patch", "delete"];
    let of = |(path, item): (&String, &Value)| {
        let own = methods.iter().filter(|method| !item[**method].is_null());
        let all: Vec<_> = own
            .map(|method| (method.to_ascii_uppercase(), path.clone()))
            .collect();
        all
    };
    paths.iter().flat_map(of).collect()
}
