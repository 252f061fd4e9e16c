//! A true browser, headless: pages are looked at and pressed in it as people do, under the policies that
//! they come with. `CORBEL_TEST_CHROMIUM` names it, and `node` drives it; without it nothing is looked at,
//! aloud.
//!
//! Its calls block their thread: the tests in which it is used have others on which the app answers.

use std::path::Path;
use std::process::Command;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::harness::browser::Browser;
use crate::harness::oracle::{Program, script};
use crate::harness::outside;

pub struct Window {
    program: Program,
}

/// A page as the browser shows it.
#[derive(Debug, Deserialize)]
pub struct Shown {
    pub url: String,
    pub text: String,
    /// What the browser refused to do, or found wrong.
    pub complaints: Vec<String>,
}

/// How a page fits a width.
#[derive(Debug, Deserialize)]
pub struct Fit {
    /// By how many points it is wider than the window.
    pub over: i64,
    /// Of what stands in its head, beside the pages, what cannot be seen whole.
    pub cut: Vec<String>,
}

impl Window {
    pub fn open() -> Option<Self> {
        let chromium = outside::named("CORBEL_TEST_CHROMIUM", "no browser looks at the pages")?;
        let mut node = Command::new("node");
        node.arg(script("browser.mjs")).arg(chromium);
        Some(Self {
            program: Program::start(&mut node),
        })
    }

    /// Whoever signed in there is signed in here.
    pub fn take_cookies(&mut self, base: &str, browser: &Browser) {
        for pair in browser.cookie().split("; ") {
            let (name, value) = pair.split_once('=').expect("a pair");
            self.asked(&json!({ "do": "cookie", "url": base, "name": name, "value": value }));
        }
    }

    pub fn go(&mut self, url: &str) -> Shown {
        self.shown(&json!({ "do": "go", "url": url }))
    }

    /// Presses the button or link of this label.
    pub fn press(&mut self, label: &str) -> Shown {
        self.shown(&json!({ "do": "press", "label": label }))
    }

    /// From now on pages come with this `form-action` in place of their own.
    pub fn narrow(&mut self, policy: &str) {
        self.asked(&json!({ "do": "narrow", "policy": policy }));
    }

    /// The page at another width, with a picture of all of it where a file is named.
    pub fn at_width(&mut self, width: u32, picture: Option<&Path>) -> Fit {
        let answer = self.asked(&json!({ "do": "shoot", "width": width, "file": picture }));
        serde_json::from_value(answer).expect("how it fits")
    }

    fn shown(&mut self, command: &Value) -> Shown {
        let answer = self.asked(command);
        serde_json::from_value(answer).expect("a page")
    }

    fn asked(&mut self, command: &Value) -> Value {
        self.program.tell(&command.to_string());
        let answer: Value = serde_json::from_str(&self.program.line()).expect("JSON");
        assert!(answer["error"].is_null(), "{command}: {answer}");
        answer
    }
}
