//! Questions about the assistant itself: provider, accounts, connections, billing, privacy.
//!
//! "Accounts payable", "debt provider" and "billing variance" are analysis questions: a question has to be about the
//! assistant or the person's own connection, and nothing else. So whole questions are compared with patterns in which
//! the key word refers to the assistant; any word that is left over sends the question to the analyst.

use std::collections::BTreeSet;

use crate::base::text;

/// What a question about the assistant is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    Provider,
    /// Which account am I connected with: answered to the person only.
    Account,
    Connections,
    Billing,
    Privacy,
}

/// What the answers are put together from.
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

/// Terms of real estate and finance: a question with one of them is not about the assistant.
const TRADE: &str = "noi cap dscr ltv ltc irr npv loan loans debt rent rents lease leases tenant tenants property \
    properties building buildings portfolio payable receivable variance occupancy vacancy budget \
    mortgage yield equity price value invoice invoices unit units opex expense expenses capex lender \
    borrower seller buyer investor fund financing finance refinance refinancing refi capital cash \
    replacement depreciation amortization breakeven reserve reserves escrow waterfall hurdle moic \
    wacc ebitda gaap revenue income interest rate rates tax taxes insurance maintenance construction \
    covenant covenants appraisal escalation acquisition disposition deal deals underwriting forecast \
    margin profit purchase parking landlord payback returns sqft";

/// Words that do not change the meaning of a question.
const FILLERS: &str = "please exactly actually really just currently kindly even still anyway btw ever also";

/// Words that may follow a pattern.
const TAIL: &str = "here then thanks now today right again in on this the slack teams chat channel thread workspace \
 ok me us";

/// Names that count as "you".
const NAMES: &str = "assistant bot app chatbot agent ai tool service";

/// Sets of words that patterns use by name.
const SETS: &[(&str, &str)] = &[
    (
        "MADE",
        "made|makes|make|built|builds|build|created|creates|developed|develops|runs|run|operates|provides|provide|\
         powers|power|powered|owns|maintains|hosts|sells|designed|programmed",
    ),
    (
        "MADE_BY",
        "made|built|created|developed|run|operated|provided|powered|owned|maintained|hosted|designed|programmed",
    ),
    ("ARE", "are_you|is_you|you_are|you_is"),
    ("DO", "do_you|does_you|did_you|will_you|you"),
    ("CAN", "can_you|do_you|does_you|could_you|you_can|you"),
    ("AM", "am_i|i_am|are_we|we_are"),
    (
        "THING",
        "ai|bot|robot|human|person|machine|chatbot|llm|language_model|ai_model|large_language_model|assistant|\
         ai_assistant|chatgpt|gpt|claude|gemini|copilot|computer|program|human_being|real_person",
    ),
    (
        "COMPANY",
        "company|firm|vendor|provider|team|business|people|person|developer|organization|organisation|ai_company",
    ),
    (
        "MODEL",
        "model|llm|ai|language_model|ai_model|large_language_model|engine|technology|models",
    ),
    (
        "COST_OF",
        "you|your_answers|your_answer|your_work|your_service|your_services|your_replies|your_usage|these_answers|\
         this_conversation|this_chat|my_questions_to_you|our_questions_to_you|using_you|asking_you",
    ),
    (
        "KEEP",
        "keep|store|save|remember|log|record|retain|collect|archive",
    ),
    ("MY", "my|our|these|this|the"),
    (
        "OWN",
        "my|our|all_my|all_our|all_of_my|all_of_our|people_s|everyone_s",
    ),
    (
        "CHAT",
        "messages|message|questions|question|conversations|conversation|chats|chat|prompts|chat_history",
    ),
    (
        "DATA",
        "messages|message|questions|question|conversations|conversation|chats|chat|prompts|chat_history|history|data|\
         answers|information|personal_data",
    ),
    (
        "WITH_YOU",
        "to_you|with_you|from_you|i_send_you|that_i_send_you|we_send_you|i_ask_you|sent_to_you|between_us",
    ),
    ("I_SAY", "what_i|what_we|that_i|that_we|anything_i|everything_i"),
    (
        "SAY",
        "ask|write|say|tell|send|type|share|ask_you|tell_you|send_you|write_you|share_with_you|say_to_you|write_to_you",
    ),
    (
        "PRIVATE",
        "private|confidential|secret|secure|safe|encrypted|recorded|logged|stored|monitored|saved|kept|shared",
    ),
    (
        "SOURCES",
        "data_source|data_sources|source|sources|system|systems|databases|tools|apps|integrations|connections|data|\
         files|services|documents|information",
    ),
    ("LINKED", "connected|linked|signed_in|logged_in|authenticated"),
    (
        "IDENTITY",
        "account|email|user|name|identity|profile|login|accounts",
    ),
];

/// Openings of a question that do not change its meaning.
const OPENINGS: &[&str] = &[
    "hi|hello|hey|dear ?* ?*",
    "ok|okay|so|well|and|but|thanks|sorry|now|then|good_morning|good_afternoon|quick_question|excuse_me",
    "can|could|would|will|do|may|might you|we|i \
     tell|explain|show|give|help|compute|calculate|model|provide|share|find|say|describe|remind|confirm|\
     clarify|ask|know|mind_telling|let ?to ?me|us ?know|understand|out",
    "tell|explain|show|give|help|remind|let ?to ?me|us ?know|understand",
    "i|we ?would|am|was|are|were like|want|wonder|need|wondering|curious ?to ?know|understand|ask",
    "if|whether",
];

/// Words are separated by spaces and choices by `|`; a `?` marks an optional word, `_` joins words, `*` is any word.
const PATTERNS: &[(Topic, &[&str])] = &[
    (
        Topic::Provider,
        &[
            "who|what MADE you",
            "who|what ARE ?called|named",
            "what is your name",
            "what|which ?kind_of|sort_of|type_of ?a|an THING|app|software|tool ARE",
            "ARE ?a|an|the THING|real ?or ?a|an ?THING",
            "is this ?a|an THING ?or ?a|an ?THING",
            "ARE MADE_BY by|on|with ?* ?*",
            "who|whom|what|which_company ARE MADE_BY by|on|with",
            "by whom|who|what ARE MADE_BY",
            "how ARE made|built|powered",
            "who|what|which ?COMPANY is|are|stands behind you",
            "what|which COMPANY MADE you",
            "who|what is|are your COMPANY|maker|makers|creator|creators|developers|owner|operator|supplier",
            "what|which ?ai|underlying MODEL ?do|does you use|run_on|have|work_with",
            "what|which ?ai|underlying MODEL ARE ?using|based_on|built_on|running_on|running",
            "what|which ?ai|underlying MODEL is_behind|drives|powers|runs you",
            "what is your ?underlying|ai|language MODEL",
            "what ARE based|built|running on",
            "do|does you use chatgpt|chat_gpt|gpt|openai|claude|gemini|copilot|ai|llm|an_llm|a_language_model",
            "?something|more about|introduce|describe yourself",
            "?something|more about you",
            "where do you come from",
        ],
    ),
    (
        Topic::Account,
        &[
            "?with|to|as|under|in which|what|whose ?* IDENTITY AM ?LINKED|using|on ?with|to|as|under|in",
            "who AM ?LINKED ?as|with|to_you",
            "as|with|under who|whom|what AM LINKED",
            "AM LINKED ?to|with|as|under ?the|my|an|a|any ?right|correct ?account|you|*",
            "is|was my|our ?* account LINKED ?to|with ?you|*",
            "?what|which|who ?is|are my|our LINKED IDENTITY",
            "?what|which|who ?is|are my|our IDENTITY with|for you",
            "how can|do|could i|we disconnect|unlink|connect|link|change ?my|the|our ?LINKED ?account|myself \
             ?from|to|with ?you",
        ],
    ),
    (
        Topic::Billing,
        &[
            "?how|when|what ARE billed|charged|priced|funded|paid|paid_for ?for|by|to|per \
             ?us|me|message|question|answer",
            "how|what|when ?much DO bill|charge ?us|me ?for ?your|each|an|a|every|per \
             ?answers|answer|question|questions|you",
            "how|what ?much do|does ?an|each|your answer|answers cost",
            "who|which|what ?COMPANY|department \
             pays|pay|paid|is_paying|is_charged|is_billed|gets_charged|gets_billed ?for COST_OF",
            "who is_charged|is_billed|pays|gets_charged when|if i|we ask|use|message|write_to|talk_to you \
             ?something|questions",
            "what|how_much DO cost ?us|me ?per ?month|question|answer",
            "what|how_much does it cost to ask|use|message you ?something|a_question|questions",
            "what|how_much does|do asking|using you cost ?us|me",
            "DO cost ?us|me anything|money|something|extra",
            "ARE free|expensive|cheap ?of ?charge|to_use|for_us|for_me",
            "is using|asking you free|expensive ?of_charge",
            "what|how_much is|are your pricing|cost|costs|fee|fees|charge|charges",
            "AM charged|billed|paying ?for|when|if ?i|we COST_OF|ask_you|use_you",
            "do|must|should i|we ?have|need ?to pay ?for COST_OF",
            "how ?does|is your billing|pricing ?work|works|done|calculated",
        ],
    ),
    (
        Topic::Privacy,
        &[
            "what|which|how_much|how_long ?kind_of ?of ?DATA|details DO KEEP ?about|of|from|on|for ?MY|me|us ?DATA \
             ?WITH_YOU",
            "what|which ?of OWN DATA DO KEEP|see|read",
            "what|how_long|whether|if DO KEEP I_SAY SAY ?you",
            "DO KEEP|see|read|delete|forget ?any_of|all_of OWN|these|this|any DATA ?WITH_YOU",
            "DO KEEP|see|read ?everything|anything I_SAY SAY ?you",
            "DO KEEP everything|anything ?about_me|about_us",
            "can_you|could_you see|read|access|delete OWN CHAT|data|personal_data ?WITH_YOU",
            "who ?else ?can|could|may|will|might|does|gets_to|is_able_to see|sees|read|reads|view|access OWN CHAT \
             ?WITH_YOU",
            "who ?else ?can|could|may|will|might|does|gets_to|is_able_to see|sees|read|reads|view|access OWN DATA \
             WITH_YOU",
            "who ?else ?can|could|may|will|might|does see|sees|read|reads I_SAY SAY ?you",
            "can|could|does|do|will|may \
             anyone|others|anybody|someone|admins|administrators|my_boss|my_manager|colleagues|\
             my_colleagues|other_people ?else see|read|access OWN CHAT ?WITH_YOU",
            "can|could|does|do|will|may \
             anyone|others|anybody|someone|admins|administrators|my_boss|my_manager|colleagues|\
             my_colleagues|other_people ?else see|read I_SAY SAY ?you",
            "DO|are_you|is_you train|learn|trained|training ?ai|models|yourself|a_model on|from|with ?MY ?DATA|me|us \
             ?WITH_YOU",
            "DO train|learn on|from I_SAY SAY ?you",
            "are|is my|our CHAT ?WITH_YOU PRIVATE|used ?for|to|by|with ?train|training ?you|ai|models|anyone|others",
            "are|is my|our DATA WITH_YOU PRIVATE",
            "is|are this|the|my|our conversation|conversations|chat|chats|discussion WITH_YOU PRIVATE",
            "is this conversation|chat PRIVATE",
            "is|are I_SAY SAY ?you PRIVATE",
            "ARE private|confidential|secure|safe|encrypted|monitored|recording|gdpr_compliant ?to_use",
            "how private|secure|safe|confidential ARE",
            "what is|are your privacy|retention|data_retention|data_protection|confidentiality \
             ?policy|policies|rules|terms",
            "how DO handle|protect|use|treat|process|secure OWN DATA|personal_data|privacy ?WITH_YOU",
            "how DO handle|protect|treat privacy|personal_data|confidentiality",
            "do_you|will_you|does_you share|sell|pass|disclose|forward|give OWN DATA ?WITH_YOU ?on ?to|with \
             ?anyone|others|\
             third_parties|other_people|anybody|other_companies",
            "what DO know about me",
        ],
    ),
    (
        Topic::Connections,
        &[
            "what|which|where ?SOURCES ARE connected|linked|hooked_up|plugged|integrated ?to|with|into",
            "ARE connected|linked|hooked_up|integrated to|with ?our|my|the|any ?* ?*",
            "what|which ?SOURCES CAN access|connect_to|connect|have_access ?to",
            "what|which ?SOURCES can_you|you_can see|read|reach",
            "what|which SOURCES CAN access|see|use|read|reach|have|integrate_with|work_with|draw_on ?to",
            "to what|which ?SOURCES do|does you have access",
            "what|which|how_many ?is|are your data_sources|sources|connections|integrations",
            "DO have access to ?our|my|the|any SOURCES|internet|web|email|emails|calendar|drive|database|spreadsheets",
            "can|could you access ?our|my|the|any internet|web|email|emails|calendar|drive|database|SOURCES",
            "can|could|how_do|how_can|how_could i|we connect|link ?my|our|a|other|more|new ?SOURCES ?to|with you",
            "can|could|how_do|how_can|how_could i|we connect|link ?my|our|a|other|more|new data_source|data_sources",
        ],
    ),
];

/// The topic, or none where the question is for the analyst.
pub fn topic(question: &str) -> Option<Topic> {
    let all: Vec<String> = text::words(question).take(60).collect();
    let number = |word: &String| word.starts_with(|sign: char| sign.is_ascii_digit());
    if all.len() > 25 || all.iter().any(|word| number(word) || is_of(TRADE, word)) {
        return None;
    }
    let mut first = None;
    for sentence in question.split(['.', '?', '!', ';', '\n']) {
        let words = plain_words(sentence);
        if words.is_empty() || entries(&words).contains(&words.len()) {
            continue;
        }
        // If one sentence is for the analyst, the whole question is.
        let of_sentence = topic_of(&words).or_else(|| {
            let parts: Option<Vec<Topic>> = words.split(|word| word == "and").map(topic_of).collect();
            parts?.first().copied()
        })?;
        first = first.or(Some(of_sentence));
    }
    first
}

/// A sentence in the words of the patterns: spelled out, without fillers, the assistant as "you".
fn plain_words(sentence: &str) -> Vec<String> {
    let mut plain: Vec<String> = Vec::new();
    for word in text::words(sentence) {
        let before = plain.last().map(String::as_str);
        let spelled = match (before, word.as_str()) {
            (Some("who" | "what" | "how" | "where" | "which" | "it"), "s") => "is",
            (Some("you" | "who" | "we"), "re") => "are",
            (Some("i"), "m") => "am",
            (Some("i" | "we"), "d") => "would",
            (Some("this" | "the"), name) if is_of(NAMES, name) => {
                plain.pop();
                "you"
            }
            (_, "whats") => {
                plain.push("what".to_owned());
                "is"
            }
            (_, "whos") => {
                plain.push("who".to_owned());
                "is"
            }
            (_, other) => other,
        };
        if !is_of(FILLERS, spelled) {
            plain.push(spelled.to_owned());
        }
    }
    plain
}

fn topic_of(words: &[String]) -> Option<Topic> {
    let starts = entries(words);
    let matches = |pattern: &str| {
        let ends = starts.iter().flat_map(|start| ends(pattern, words, *start));
        let mut tails = ends.filter_map(|end| words.get(end..));
        tails.any(|tail| tail.iter().all(|word| is_of(TAIL, word)))
    };
    let mut found = PATTERNS
        .iter()
        .filter(|(_, patterns)| patterns.iter().any(|pattern| matches(pattern)));
    found.next().map(|(topic, _)| *topic)
}

/// Where the question may begin: at its first word, or after openings.
fn entries(words: &[String]) -> BTreeSet<usize> {
    let (mut known, mut fresh) = (BTreeSet::new(), vec![0]);
    while let Some(start) = fresh.pop() {
        if known.insert(start) {
            fresh.extend(OPENINGS.iter().flat_map(|opening| ends(opening, words, start)));
        }
    }
    known
}

/// Where a pattern that begins at a word may end.
fn ends(pattern: &str, words: &[String], start: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([start]);
    for slot in pattern.split_whitespace() {
        let (mut next, slot) = match slot.strip_prefix('?') {
            Some(slot) => (reached.clone(), slot),
            None => (BTreeSet::new(), slot),
        };
        for choice in slot.split('|') {
            let set = SETS.iter().find(|(name, _)| *name == choice);
            for choice in set.map_or(choice, |(_, choices)| choices).split('|') {
                next.extend(reached.iter().filter_map(|at| behind(choice, words, *at)));
            }
        }
        reached = next;
    }
    reached
}

/// The position after the joined words of a choice, if they are there.
fn behind(choice: &str, words: &[String], at: usize) -> Option<usize> {
    let mut at = at;
    for wanted in choice.split('_') {
        let word = words.get(at)?;
        if wanted != "*" && word != wanted {
            return None;
        }
        at += 1;
    }
    Some(at)
}

fn is_of(list: &str, word: &str) -> bool {
    list.split(' ').any(|own| own == word)
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
            "I am {assistant}, powered by {service}. I see your organization's notes; in a direct message your own \
             notes \
             too. Connecting data sources is a separate step for each person; installing me does not connect them."
        ),
        Topic::Billing => format!(
            "I am {assistant}, powered by {service}. What I answer is charged to {org}: its included monthly usage \
             first, \
             then its credit. Administrators see the details."
        ),
        Topic::Privacy => format!(
            "I am {assistant}, powered by {service}. Questions and answers are kept for {org}. In a shared \
             conversation I \
             use organization context only: your personal notes are not loaded there and nobody else sees them."
        ),
    };
    if !own.trim().is_empty() {
        text.push_str("\n\n");
        text.push_str(own.trim());
    }
    text
}
