//! The assistant's home page and the questions it suggests, shown when a person opens them. Only a convenience:
//! nothing depends on it.

use std::time::Duration;

use crate::assistants::inbox::interaction::Page;
use crate::assistants::model::{
    Act, Assistant, Button, Installation, Part, Prompt, Say, Sender, Style, Target,
};
use crate::base::error::Result;
use crate::chat::core::deferred::Deferred;
use crate::chat::core::interaction::InteractionContext;
use crate::chat::core::rules::{Account, Denial, Rules};

/// Longest wait for the platform.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A person opened the home page or the conversation.
pub(super) async fn open_page(
    context: &InteractionContext<'_>,
    target: &Target,
    page: Page,
) -> Result<(), Deferred> {
    let (at, rules) = (context.at, context.rules);
    match page {
        Page::Home => refresh_home(rules, at, &target.sender).await?,
        Page::Conversation => {
            let assistants = &context.services().assistants;
            let prompts = prompts(&assistants.assistant(at.org, at.assistant).await?);
            let platform = rules.chat.platform(at.kind())?;
            let suggesting = platform.suggest_prompts(at, &target.place, &prompts);
            if let Ok(Err(failure)) = tokio::time::timeout(TIMEOUT, suggesting).await {
                tracing::debug!(installation = %at.id, %failure, "questions could not be suggested");
            }
        }
    }
    Ok(context.finish(Vec::new()).await?)
}

/// Shows the home page as it is now.
pub(super) async fn refresh_home(rules: &Rules, at: &Installation, who: &Sender) -> Result<()> {
    // One attempt: where the person cannot be looked up now, the page is shown the next time it is opened.
    let viewer = match rules.check_sender(at, who, i64::MAX).await {
        Ok(None) => match rules.account(at, who).await? {
            Account::Member(member) => Viewer::Connected {
                name: member.name,
                email: member.email,
            },
            Account::Unlinked => Viewer::Unconnected,
            Account::Refused(reason) => Viewer::Refused(reason.text),
        },
        Ok(Some(Denial::Explained(reason))) => Viewer::Refused(reason.text),
        Ok(Some(Denial::Silent(_)))
        | Err(Deferred::Wait(_) | Deferred::Retry(_) | Deferred::UntilReinstalled) => return Ok(()),
        Err(Deferred::Failed(error)) => return Err(error),
    };
    let services = &rules.chat.services;
    let assistant = services.assistants.assistant(at.org, at.assistant).await?;
    let page = page(&assistant, &services.site.service_name, &viewer);
    let platform = rules.chat.platform(at.kind())?;
    let showing = platform.show_home(at, who, &page);
    if let Ok(Err(failure)) = tokio::time::timeout(TIMEOUT, showing).await {
        tracing::debug!(installation = %at.id, %failure, "the home page could not be shown");
    }
    Ok(())
}

/// The person who opened the page.
enum Viewer {
    Connected { name: String, email: String },
    Unconnected,
    Refused(String),
}

/// The administrator's prompts, or else general ones.
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

/// Builds the home page; each part is one paragraph. A line that begins with `## ` is a heading.
fn page(assistant: &Assistant, service: &str, viewer: &Viewer) -> Say {
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
    match viewer {
        Viewer::Connected { name, email } => {
            parts.push(part(format!(
                "You are connected with the account of {name} ({email})."
            )));
            parts.push(button("Disconnect", Act::Disconnect, Style::Danger));
        }
        Viewer::Unconnected => {
            parts.push(part(
                "Your account is not connected yet. Connect it once; I send you a link that is yours alone."
                    .to_owned(),
            ));
            parts.push(button("Connect your account", Act::Connect, Style::Primary));
        }
        Viewer::Refused(reason) => parts.push(part(reason.clone())),
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
