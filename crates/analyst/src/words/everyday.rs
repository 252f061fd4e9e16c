//! Everyday words that change no figure: people and their occasions, what they say, how they feel about a number, what
//! they want it for. A question with such words asks for the same as the one without.
//!
//! None of them narrows, leaves out, compares, supposes or moves in time; and none is what a place, an account or a
//! kind of lease may be called. Where in doubt, a word is not here.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Who asks, and on whose behalf.
const PEOPLE: &str = "lp gp ic hq pm am competitor competitors competing fund funds peer peers anybody anyone somebody someone everybody everyone guy guys folk folks team committee board \
     colleague boss chairman ceo cfo coo cio vp director investor investors treasurer treasury controller \
     comptroller accountant accounting auditor auditors appraiser appraisers valuer valuers underwriter \
     underwriters broker brokers agent counsel lawyer attorney consultant adviser advisor advisers \
     advisors analyst analysts intern associate assistant secretary bookkeeper buyer buyers seller \
     sellers purchaser vendor counterparty client clients customer servicer regulator insurer insurers \
     architect engineer journalist press wife husband dad mom mum uncle friend whoever whomever she he \
     him her his hers me myself ourselves yourself us dear mate pal buddy sir madam boys team's lender's \
     owner's manager's board's";

/// What it is for.
const OCCASIONS: &str = "workpaper workpapers basics fieldwork reconciliation g'day folder binder submission meeting meetings call calls chat lunch breakfast coffee dinner drink conversation discussion review \
     deck decks slide slides presentation memo memos paper papers package packages packet pack brief \
     briefing newsletter letter email emails mail message messages inbox thread post agenda minutes \
     deadline desk dashboard dashboards spreadsheet's writeup report reports reporting summary summaries \
     paragraph sentence headline headlines tab column chart charts graph graphs footnote appendix bullet \
     bullets pitch teaser refi refinance refinancing diligence questionnaire application form audit \
     budgeting season workshop webinar conference tour visit trip flight train airport homework quiz bet \
     wager argument debate dispute guess curiosity occasion purpose purposes sake context background \
     interest idea ideas thought thoughts hunch gut feeling impression memory word words answer answers \
     question questions query queries request requests favor favour";

/// What is said and done about a figure.
const VERBS: &str = "learn learns learning learned tying tie ties absorbed absorb absorbs capitalised capitalized put puts doing done tick ticking reconcile reconciling reconciled ask asks asked asking say says said saying tell tells told telling talk talks talked talking speak \
     spoke speaking discuss discussed discussing mention mentions mentioned mentioning claim claims \
     claimed claiming argue argues argued insist insists swear swears bet think thinks thought thinking \
     believe believes believed reckon reckons guess guesses guessed remember remembers recall recalls \
     recollect hear hears heard hearing read reads reading write writes wrote \
     writing written send sends sent sending email emailed presented presenting prepare prepares \
     prepared preparing prep prepping compile compiling compiled assemble assembling gather gathering \
     collate pulling putting jumping jump hop hopping head heading headed sit sits sat join joining \
     joined meet meets met wait waits waiting waited hurry hurrying rush rushing try tries tried trying \
     attempt attempting manage hope hopes hoping hoped wish wishes wonder wonders wondered wondering \
     worry worries worried worrying fear feel feels felt feeling seem seems seemed appear appears \
     appeared sound sounds sounded suspect suspects suspected doubt doubts doubted \
     spot spotted understand understands understood figure figured figuring clarify confirm \
     confirms confirmed confirming verify verifies verified verifying recheck doublecheck settle settles \
     settled express expressed expressing phrase phrased stated stating quote quoted quoting cite \
     describe described summarize summarise summarized summarised summarizing help helps helped helping \
     assist respond responding reply replied replying answer answering answered update updates updated \
     updating refresh refreshed refreshing log logged fill filling filled finish finishing finished dig \
     digging dug look looks looked crunch crunching crunched chew eyeball eyeballing \
     bother bothering bug bugging nag nagging nags chase chasing chases bugged kill \
     kills killing hurt hurts hurting surprise surprised surprises surprising impress impressed matter \
     matters prove proves proving proved pop pops popping popped keep keeps \
     keeping kept thank thanking love loved loves like likes liked hate hates enjoy prefer prefers \
     minding measure measures measured measuring represent want \
     wants wanted wanting need needs needed needing require requires required requiring request requested \
     requesting demand demands demanded let's lets gonna wanna gotta dare handle handles operate operates \
     operated ran runs hit hits hitting";

/// What is thought of it.
const MANNER: &str = "basic stack pile chunk actuals nice nicely great okay fine cool awesome perfect lovely happy glad sorry afraid sad weird strange \
     odd oddly funny ugly pretty beautiful messy messier tricky tough hard easy easier \
     quick quicker fast faster slow rough harsh brutal painful scary steep expensive pricey cheap rich \
     soft softer weak weaker strong stronger healthy healthier decent solid huge tiny really truly honest \
     honestly frankly seriously literally obviously clearly apparently evidently presumably supposedly \
     probably possibly maybe perhaps hopefully luckily unfortunately sadly surely certainly definitely \
     absolutely plainly rather quite very somewhat fairly bit \
     lot lots little super mighty way ways whole entire overall together altogether actual precise \
     precisely exact please pls plz kindly asap urgently urgent immediately \
     shortly presently again already finally lastly anyway anyways anyhow though although however indeed \
     anywhere somewhere everywhere here there's such thing things stuff sort sorts kinda sorta bunch \
     couple several various piece pieces issue issues matter matters topic subject deal deals story \
     picture view views sense quickly headline overview snapshot glance detail details specifics official \
     officially formal formally plain proper properly correct correctly right true sure certain curious \
     aware familiar confused unsure ready moment minute minutes hour hours morning afternoon evening \
     tonight noon midnight monday tuesday wednesday thursday friday saturday sunday wise etc eg ie aka \
     btw fyi fwiw imo tbh ok k yep nope yeah yup hmm um uh er ah oh wow ugh lol haha cheers ta greetings \
     howdy yo regards sincerely denominator numerator divide dividing everything anything something \
     else's myself itself themselves because therefore hence thus meanwhile whenever wherever";

static WORDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| {
    [PEOPLE, OCCASIONS, VERBS, MANNER]
        .iter()
        .flat_map(|list| list.split_whitespace())
        .flat_map(|word| {
            [
                word,
                word.strip_suffix('s')
                    .filter(|stem| stem.len() > 3)
                    .unwrap_or(word),
            ]
        })
        .collect()
});

/// Whether a word, in lower case, changes no figure.
pub(crate) fn is(word: &str) -> bool {
    WORDS.contains(word)
}
