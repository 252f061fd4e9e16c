//! The assistant's own page and the questions it offers: shown when a person opens them.
//!
//! A courtesy: nothing else waits for it, and where the platform does not show it, nothing is lost.

use std::time::Duration;

use crate::assistants::interaction::Page;
use crate::assistants::model::{
    Act, Assistant, Button, Installation, Part, Prompt, Say, Sender, Style, Target,
};
use crate::base::error::Result;
use crate::chat::core::authorize::{Account, Barred, NotYet};
use crate::chat::core::chat::Chat;
use crate::chat::core::interactions::InteractionContext;

/// Longest wait for the platform.
const PATIENCE: Duration = Duration::from_secs(5);

impl Chat {
    /// A person opened the page, or the conversation.
    pub(super) async fn opened(
        &self,
        context: &InteractionContext<'_>,
        target: &Target,
        page: Page,
    ) -> Result<(), NotYet> {
        let at = context.at;
        match page {
            Page::Home => self.refresh_home(at, &target.sender).await?,
            Page::Conversation => {
                let assistant = self.services.assistants.assistant(at.org, at.assistant).await?;
                let prompts = prompts(&assistant);
                let platform = self.platform(at.kind())?;
                let suggesting = platform.suggest(at, &target.place, &prompts);
                if let Ok(Err(failure)) = tokio::time::timeout(PATIENCE, suggesting).await {
                    tracing::debug!(installation = %at.id, %failure, "questions could not be offered");
                }
            }
        }
        Ok(self.close(context, Vec::new()).await?)
    }

    /// Shows the page as it is now.
    pub(super) async fn refresh_home(&self, at: &Installation, who: &Sender) -> Result<()> {
        // Once: a person whom nobody can look up right now sees the page next time.
        let state = match self.barred(at, who, i64::MAX).await {
            Ok(None) => match self.account(at, who).await? {
                Account::Member(member) => State::Connected {
                    name: member.name,
                    email: member.email,
                },
                Account::Unlinked => State::Unconnected,
                Account::Refused(reason) => State::Refused(reason.text),
            },
            Ok(Some(Barred::Because(reason))) => State::Refused(reason.text),
            Ok(Some(Barred::Unheard(_))) | Err(NotYet::Wait(_) | NotYet::Again(_) | NotYet::Disabled) => {
                return Ok(());
            }
            Err(NotYet::Failed(error)) => return Err(error),
        };
        let assistant = self.services.assistants.assistant(at.org, at.assistant).await?;
        let page = page(&assistant, &self.services.site.service_name, &state);
        let platform = self.platform(at.kind())?;
        let showing = platform.show_home(at, who, &page);
        if let Ok(Err(failure)) = tokio::time::timeout(PATIENCE, showing).await {
            tracing::debug!(installation = %at.id, %failure, "the page could not be shown");
        }
        Ok(())
    }
}

/// Who looks at the page.
enum State {
    Connected { name: String, email: String },
    Unconnected,
    Refused(String),
}

/// What an admin wrote, or else what anybody may want to try.
fn prompts(assistant: &Assistant) -> Vec<Prompt> {
    let own = &assistant.prompts.0;
    if !own.is_empty() {
        return own.clone();
    }
    let prompt = |title: &str, message: &str| Prompt {
        title: title.to_owned(),
        message: message.to_owned(),
    };
    vec![
        prompt("What can you do?", "What can you help me with?"),
        prompt(
            "Try a calculation",
            "What is the cap rate of a property with NOI of $600,000 and a price of $10,000,000?",
        ),
    ]
}

/// Each part a paragraph; a line that begins with `## ` is a heading.
fn page(assistant: &Assistant, service: &str, state: &State) -> Say {
    let name = &assistant.name;
    let greeting = if assistant.greeting.is_empty() {
        format!("Hello, I am {name}. I answer real-estate and finance questions, and show how I got there.")
    } else {
        assistant.greeting.clone()
    };
    let part = |text: String| Part::Markdown(text);
    let button = |label: &str, act, style| {
        Part::Buttons(vec![Button {
            label: label.to_owned(),
            act,
            style,
        }])
    };
    let mut parts = vec![part(format!("## {name}")), part(greeting)];
    match state {
        State::Connected { name, email } => {
            parts.push(part(format!(
                "You are connected with the account of {name} ({email})."
            )));
            parts.push(button("Disconnect", Act::Disconnect, Style::Danger));
        }
        State::Unconnected => {
            parts.push(part(
                "Your account is not connected yet. Connect it once; I send you a link that is yours alone."
                    .to_owned(),
            ));
            parts.push(button("Connect your account", Act::Connect, Style::Primary));
        }
        State::Refused(reason) => parts.push(part(reason.clone())),
    }
    parts.push(part("## What I can do".to_owned()));
    let can = [
        "• Calculate: cap rates, debt service, DSCR, loan to value, yields, returns and what follows from them, with \
         every step",
        "• Say exactly which numbers are missing, and continue once you give them",
        "• Use what your organization has written down, and name the note",
        "• In shared conversations that an administrator approved: mention me. There I never use personal context",
    ];
    parts.push(part(can.join("\n")));
    parts.push(part("## Try one of these".to_owned()));
    let lines: Vec<String> = prompts(assistant)
        .iter()
        .map(|prompt| format!("• {}: {}", prompt.title, prompt.message))
        .collect();
    parts.push(part(lines.join("\n")));
    if !assistant.about.is_empty() {
        parts.push(part("## About".to_owned()));
        parts.push(part(assistant.about.clone()));
    }
    parts.push(Part::Note(format!("Powered by {service}")));
    Say {
        text: name.clone(),
        parts,
    }
}
