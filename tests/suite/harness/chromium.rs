//! A real headless browser: tests load pages and click in them as people do, under the pages' own security policies.
//! `CORBEL_TEST_CHROMIUM` names it, and `node` controls it; without it, tests skip these checks with a notice.
//!
//! Its calls block their thread, so the tests that use it need further threads on which the app responds.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::harness::browser::Browser;
use crate::harness::external;
use crate::harness::oracle::{Program, script};

pub struct Window {
    program: Program,
}

/// A page as the browser shows it.
#[derive(Debug, Deserialize)]
pub struct Shown {
    pub url: String,
    pub text: String,
    /// What the browser blocked or reported as an error.
    pub errors: Vec<String>,
}

/// How a page fits a window width.
#[derive(Debug, Deserialize)]
pub struct Fit {
    /// The number of pixels by which it is wider than the window.
    pub over: i64,
    /// The elements of the page's header that are cut off.
    pub cut: Vec<String>,
}

impl Window {
    pub fn open() -> Option<Self> {
        let chromium = external::named("CORBEL_TEST_CHROMIUM", "pages are not tested in a browser")?;
        let mut node = Command::new("node");
        node.arg(script("browser.mjs")).arg(chromium);
        Some(Self {
            program: Program::start(&mut node),
        })
    }

    /// Copies the cookies of a signed-in session.
    pub fn take_cookies(&mut self, base: &str, browser: &Browser) {
        for pair in browser.cookie().split("; ") {
            let (name, value) = pair.split_once('=').expect("a pair");
            self.request(&json!({ "do": "cookie", "url": base, "name": name, "value": value }));
        }
    }

    pub fn go(&mut self, url: &str) -> Shown {
        self.shown(&json!({ "do": "go", "url": url }))
    }

    /// Clicks the button or link with this label.
    pub fn click(&mut self, label: &str) -> Shown {
        self.shown(&json!({ "do": "click", "label": label }))
    }

    /// From now on, pages get this `form-action` instead of their own.
    pub fn restrict_form_action(&mut self, policy: &str) {
        self.request(&json!({ "do": "restrictFormAction", "policy": policy }));
    }

    /// The page at another width, with a full-page screenshot where a file is named.
    pub fn at_width(&mut self, width: u32, picture: Option<&Path>) -> Fit {
        let answer = self.request(&json!({ "do": "screenshot", "width": width, "file": picture }));
        serde_json::from_value(answer).expect("how it fits")
    }

    fn shown(&mut self, command: &Value) -> Shown {
        let answer = self.request(command);
        serde_json::from_value(answer).expect("a page")
    }

    fn request(&mut self, command: &Value) -> Value {
        self.program.write_line(&command.to_string());
        let answer: Value = serde_json::from_str(&self.program.line()).expect("JSON");
        assert!(answer["error"].is_null(), "{command}: {answer}");
        answer
    }
}
