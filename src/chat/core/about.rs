//! Questions about the assistant itself: provider, accounts, connections, billing, privacy.
//!
//! "Accounts payable", "debt provider" and "billing variance" are analysis questions: the question
//! has to speak of the assistant or of the asker's own connection, and of nothing else.

use crate::base::text;

/// What is being asked about the assistant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Provider,
    /// Which account am I connected with: answered to the asker alone.
    Account,
    Connections,
    Billing,
    Privacy,
}

/// What is told, put together from fixed text and the organization's own words.
#[derive(Clone, Debug)]
pub struct Facts<'a> {
    pub assistant: &'a str,
    pub service: &'a str,
    pub org: &'a str,
    /// Name and email of the linked account.
    pub account: (&'a str, &'a str),
    /// The organization's own addition.
    pub own: &'a str,
}

/// Words of the trade: with one of them a question is not about the assistant.
const TRADE: &[&str] = &[
    "noi",
    "cap",
    "dscr",
    "ltv",
    "ltc",
    "irr",
    "npv",
    "loan",
    "debt",
    "rent",
    "rents",
    "lease",
    "leases",
    "tenant",
    "tenants",
    "property",
    "properties",
    "building",
    "buildings",
    "portfolio",
    "payable",
    "receivable",
    "variance",
    "occupancy",
    "vacancy",
    "budget",
    "mortgage",
    "yield",
    "equity",
    "price",
    "value",
    "invoice",
    "invoices",
    "unit",
    "units",
    "opex",
    "expense",
    "expenses",
    "capex",
    "lender",
    "borrower",
    "seller",
    "buyer",
    "investor",
    "fund",
];

/// The topic, or none where the question is for the analyst.
pub fn topic(question: &str) -> Option<Topic> {
    let words: Vec<String> = text::words(question).take(60).collect();
    let has = |word: &str| words.iter().any(|own| own == word);
    let any = |list: &[&str]| list.iter().any(|word| has(word));
    let phrase = |phrase: &str| format!(" {} ", words.join(" ")).contains(&format!(" {phrase} "));
    let too_long = words.len() > 25;
    let number = words
        .iter()
        .any(|word| word.starts_with(|sign: char| sign.is_ascii_digit()));
    if too_long || number || any(TRADE) {
        return None;
    }
    let asks = any(&[
        "who", "what", "which", "how", "where", "why", "do", "does", "are", "am", "is", "can", "tell",
    ]);
    if !asks {
        return None;
    }
    let of_me = any(&["my", "i", "me", "am"]);
    let of_you = any(&["you", "your", "yourself"])
        || phrase("this assistant")
        || phrase("this bot")
        || phrase("this app")
        || phrase("the assistant")
        || phrase("the bot");
    let linked = any(&[
        "linked",
        "connected",
        "signed",
        "logged",
        "link",
        "connect",
        "unlink",
        "disconnect",
    ]);
    if has("account") && of_me && (linked || any(&["which", "using", "use", "whose"])) {
        return Some(Topic::Account);
    }
    if of_me && phrase("am i") && linked {
        return Some(Topic::Account);
    }
    if !of_you {
        return None;
    }
    if any(&[
        "billed", "bill", "billing", "charged", "charge", "cost", "costs", "pays", "pay", "paid", "free",
        "pricing",
    ]) {
        return Some(Topic::Billing);
    }
    if any(&[
        "keep",
        "store",
        "stored",
        "remember",
        "privacy",
        "private",
        "train",
        "retain",
        "log",
        "record",
        "confidential",
    ]) || (any(&["see", "share", "read"])
        && any(&[
            "messages",
            "questions",
            "data",
            "notes",
            "answers",
            "conversations",
        ]))
    {
        return Some(Topic::Privacy);
    }
    if any(&[
        "connected",
        "connection",
        "connections",
        "sources",
        "access",
        "integrations",
    ]) {
        return Some(Topic::Connections);
    }
    let made = any(&[
        "provides", "provider", "provide", "powers", "powered", "made", "makes", "built", "builds", "runs",
        "operates", "behind", "vendor", "company", "model",
    ]);
    if made
        || phrase("who are you")
        || phrase("what are you")
        || phrase("about yourself")
        || phrase("about you")
    {
        return Some(Topic::Provider);
    }
    None
}

/// The fixed text of a topic.
pub fn text(topic: Topic, facts: &Facts<'_>) -> String {
    let Facts {
        assistant,
        service,
        org,
        account: (name, email),
        own,
    } = facts;
    let mut text = match topic {
        Topic::Provider => format!("I am {assistant}, the assistant of {org}, powered by {service}."),
        Topic::Account => format!(
            "I am {assistant}, powered by {service}. You are connected with the account of {name} ({email}) at {org}. \
             Write “disconnect” to end this."
        ),
        Topic::Connections => format!(
            "I am {assistant}, powered by {service}. I see your organization's notes; in a direct message your own notes \
             too. Connecting data sources is a separate step for each person; installing me does not connect them."
        ),
        Topic::Billing => format!(
            "I am {assistant}, powered by {service}. What I answer is charged to {org}: its included monthly usage first, \
             then its credit. Administrators see the details."
        ),
        Topic::Privacy => format!(
            "I am {assistant}, powered by {service}. Questions and answers are kept for {org}. In a shared conversation I \
             use organization context only: your personal notes are not loaded there and nobody else sees them."
        ),
    };
    if !own.trim().is_empty() {
        text.push_str("\n\n");
        text.push_str(own.trim());
    }
    text
}
