//! A browser without JavaScript: keeps cookies, submits forms, follows redirects within the site.

use std::collections::BTreeMap;

use corbel::base::secret::Secret;
use reqwest::header::{CONTENT_TYPE, COOKIE, LOCATION, ORIGIN, SET_COOKIE};

use crate::harness::app::{PASSWORD, Person, Running, http};

pub struct Browser {
    client: reqwest::Client,
    base: String,
    cookies: BTreeMap<String, String>,
}

/// A loaded page.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub path: String,
    pub text: String,
}

impl Page {
    /// The fields of the first form whose opening tag contains `marker`, with their values.
    pub fn form(&self, marker: &str) -> Vec<(String, String)> {
        let from = self
            .text
            .find(marker)
            .unwrap_or_else(|| panic!("no {marker} in {}", self.text));
        let start = self.text[..from].rfind("<form").expect("a form");
        let end = start + self.text[start..].find("</form>").expect("its end");
        let tags = self.text[start..end]
            .split('<')
            .filter(|tag| tag.starts_with("input"));
        tags.filter_map(|tag| {
            Some((
                attribute(tag, "name")?,
                attribute(tag, "value").unwrap_or_default(),
            ))
        })
        .collect()
    }
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    let length = tag[from..].find('"')?;
    Some(tag[from..from + length].to_owned())
}

impl Browser {
    pub fn new(running: &Running) -> Self {
        Self {
            client: http(),
            base: running.url.clone(),
            cookies: BTreeMap::new(),
        }
    }

    /// A browser in which this person is signed in. Sets a password first.
    pub async fn of(running: &Running, person: &Person) -> Self {
        let accounts = &running.services().accounts;
        let actor = corbel::audit::store::Actor::OPERATOR;
        accounts
            .set_password(actor, person.org, person.user, Secret::new(PASSWORD))
            .await
            .expect("password");
        let mut browser = Self::new(running);
        let page = browser.sign_in(&person.email, PASSWORD).await;
        assert_eq!(page.path, "/preview", "{}", page.status);
        browser
    }

    pub async fn sign_in(&mut self, email: &str, password: &str) -> Page {
        let page = self.get("/sign-in").await;
        let mut form = page.form("action=\"/sign-in\"");
        form.retain(|(name, _)| name != "email" && name != "password");
        form.push(("email".to_owned(), email.to_owned()));
        form.push(("password".to_owned(), password.to_owned()));
        self.post("/sign-in", &form).await
    }

    pub async fn get(&mut self, path: &str) -> Page {
        let request = self.client.get(format!("{}{path}", self.base));
        self.follow(path.to_owned(), request).await
    }

    pub async fn post(&mut self, path: &str, form: &[(String, String)]) -> Page {
        let request = self
            .client
            .post(format!("{}{path}", self.base))
            .header(ORIGIN, &self.base)
            .form(form);
        self.follow(path.to_owned(), request).await
    }

    /// Uploads a file as a form; these fields are sent before the file.
    pub async fn upload(&mut self, path: &str, fields: &[(String, String)], file: &[u8]) -> Page {
        let mut body = Vec::new();
        for (name, value) in fields {
            body.extend_from_slice(
                format!("--border\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
                    .as_bytes(),
            );
        }
        let head = "--border\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\
                    Content-Type: image/png\r\n\r\n";
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(file);
        body.extend_from_slice(b"\r\n--border--\r\n");
        let request = self
            .client
            .post(format!("{}{path}", self.base))
            .header(ORIGIN, &self.base)
            .header(CONTENT_TYPE, "multipart/form-data; boundary=border")
            .body(body);
        self.follow(path.to_owned(), request).await
    }

    /// The raw response of a URL.
    pub async fn raw(&self, path: &str) -> reqwest::Response {
        let request = self.client.get(format!("{}{path}", self.base));
        request
            .header(COOKIE, self.cookie())
            .send()
            .await
            .expect("an answer")
    }

    /// The `Cookie` header.
    pub fn cookie(&self) -> String {
        let cookies: Vec<_> = self
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        cookies.join("; ")
    }

    async fn follow(&mut self, mut path: String, mut request: reqwest::RequestBuilder) -> Page {
        for _ in 0..5 {
            let reply = request
                .header(COOKIE, self.cookie())
                .send()
                .await
                .expect("a page");
            for cookie in reply.headers().get_all(SET_COOKIE) {
                let text = cookie.to_str().expect("text").split(';').next().expect("a pair");
                let (name, value) = text.split_once('=').expect("a pair");
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
            self.cookies.retain(|_, value| !value.is_empty());
            let Some(next) = reply.headers().get(LOCATION) else {
                let status = reply.status().as_u16();
                return Page {
                    status,
                    path,
                    text: reply.text().await.expect("text"),
                };
            };
            path = next
                .to_str()
                .expect("text")
                .trim_start_matches(&self.base)
                .to_owned();
            // Redirects to another site are left to the test.
            if path.starts_with("http") {
                return Page {
                    status: reply.status().as_u16(),
                    path,
                    text: String::new(),
                };
            }
            request = self.client.get(format!("{}{path}", self.base));
        }
        panic!("redirect loop: {path}");
    }
}
