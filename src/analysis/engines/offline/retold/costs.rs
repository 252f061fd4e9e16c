//! Costs, incomes and shares in everyday words.

use crate::analysis::engines::offline::retold::pattern::Wording;

const NONE: &[&str] = &[];
const CASH: &[&str] = &["coc", "cash"];

#[rustfmt::skip]
pub(super) const WORDINGS: &[Wording] = &[
    Wording { says: &["fees and? contingency|contingencies|professionals?", "professional|design|legal fees and contingency|contingencies"], told: "soft costs", has: &["cost", "ltc", "budget"], lacks: NONE },
    Wording { says: &[",|and|plus? paid|paying|pay|spent|spend|plus #$ of|in|for|on closing|acquisition|transaction|purchase costs|cost|fees out? of? our|my|their? pocket?"], told: ", closing costs {1}", has: CASH, lacks: &["irr", "npv"] },
    Wording { says: &["puts|put|putting|invests|invest|invested|contributes|contribute|contributed #$ of|in? our|their|own? cash|equity|money|capital? into|in"], told: "equity {1} in", has: CASH, lacks: &["irr", "loan", "reserve", "reserves"] },
    Wording { says: &[",? so|where|with? the|our? equity|cash is|equals|= the? down payment plus|and those|the|these|closing closing? costs"], told: "", has: CASH, lacks: &["irr"] },
    Wording { says: &["( no|without|excluding|ex|excl|not|net including|of|counting? the? land )"], told: "", has: &["basis", "depreciable"], lacks: NONE },
    Wording { says: &["with|at|using|and|on? #% debt|leverage|gearing|financing|financed|borrowed|mortgage", "#% of it|that|this|the borrowed|financed|debt"], told: "with {1} LTV", has: CASH, lacks: NONE },
    Wording { says: &["noi|nois|income|incomes|cash flow|flows? by|per|for|in|of each|the? year|years ,? in? order|sequence? :"], told: "NOI:", has: &["dcf", "irr", "npv", "present", "value", "discount"], lacks: &["rent", "gpr"] },
    // Costs that are named only to be left out, and not given.
    Wording { says: &[",? ignore|ignoring|disregard|disregarding|excluding|exclude|forget|forgetting|skip|leave|leaving|setting|put|putting about|out|aside? any|all|the? closing|acquisition|purchase|purchaser's|purchasers|transaction|buying|entry costs|cost|fees aside|out? for? now? .|,?"], told: ",", has: &["irr", "coc", "cash", "multiple", "yield", "dcf", "npv"], lacks: &["ignoredcosts"] },
    Wording { says: &["no debt|leverage|loan|mortgage|borrowing|gearing", "debt free", "without|ignoring|excluding any? debt|leverage|loan|financing", "all cash", "ungeared"], told: "unlevered", has: &["dcf", "irr", "present", "npv", "discount", "discounted"], lacks: &["dscr", "ltv"] },
    Wording { says: &["no|without|zero|nil any? disposal|selling|sale|exit|transaction costs|cost|fees"], told: "no sale costs", has: &["dcf", "irr", "present", "npv", "reversion", "exit"], lacks: NONE },
    Wording { says: &["reversion at|in the? end of? year #l = year #l noi", "reversion at|in the? end of? year #l is|being|based|taken|from|on|equal|equals on|to? year #l noi"], told: "sale at the end of year {1} at year {2} NOI", has: &["dcf", "present", "npv", "irr"], lacks: NONE },
    Wording { says: &["capitalised|capitalized|capped at #%"], told: "at an exit cap of {1}", has: &["reversion", "sale", "sell", "exit"], lacks: NONE },
    Wording { says: &["target|required|desired|needed return|yield of|is|:|=? #%", "we|i|they need|want|require a|an? #% return|yield?", "priced|pricing to a|an? #%"], told: "discount rate {1}", has: &["dcf", "present", "npv", "pay"], lacks: &["irr", "coc", "pref"] },
    Wording { says: &["rising|growing|increasing by|at? #% p|per|a|every|each|annually a|annum|year? thereafter|afterwards|after", "rising|growing|increasing #% thereafter"], told: "growing {1} a year", has: &["dcf", "present", "npv", "irr", "noi"], lacks: NONE },
    Wording { says: &["deduct|deducting|less|minus|after|allow|allowing|net of? #% for? selling|sale|disposal|transaction|exit|closing? costs|cost|fees|expenses of? sale|disposal|selling?", "selling|sale|exit|disposal it? will|would|is|to? costs|cost us? #%", "deduct|deducting|allow|allowing|take|taking off? #% for selling|sale|sales|disposal|brokers|costs|the .. costs|fees?"], told: "selling costs {1}", has: &["exit", "cap", "sale", "sell"], lacks: NONE },
    // A change that is told as its result names no other change.
    Wording { says: &["^ stress|shock|flex|downside test? it|this|the|case? deal|value|asset? :|,|.?"], told: "", has: &["cap", "caps", "yield", "yields"], lacks: &["dscr"] },
    // Preferred returns.
    Wording { says: &["how much pref|preferred|preference return? has|have|will|would|is .. built|accrued|accumulated|mounted|piled|accumulate|accrue|owed|due|outstanding up?", "what pref|preferred return? has built|accrued|accumulated|mounted up?", "how? much? pref|preferred return? that? has? built|accrued|accumulated up|so? far?"], told: "how much preferred return has accrued", has: &["pref", "preferred", "preference"], lacks: &["distribution", "compounded", "paid"] },
    Wording { says: &["with|and|,? no|without any? distributions|payments|payouts made|paid|yet|so? far?"], told: "", has: &["pref", "preferred"], lacks: &["irr", "multiple", "split", "promote"] },
    Wording { says: &["on #$ of? preferred equity|capital|money .. outstanding|invested|unpaid|in for? #y"], told: "preferred return on {1} for {2}", has: &["pref", "accrued", "preferred"], lacks: NONE },
    Wording { says: &["preferred|pref|preference equity|capital|money of? #$ earns|earning|accrues|accruing|carries|carrying|gets|pays|at|with", "#$ of? preferred|pref|preference equity|capital earns|earning|accrues|accruing|carries|carrying|gets|pays|at|with"], told: "capital of {1} earns", has: &["simple", "pref", "accrued"], lacks: &["irr", "promote", "split", "catch"] },
    Wording { says: &[",|.? and|which|that|it? it|which|that? has|have been outstanding|unpaid|out|in|accruing|running place? for? #y"], told: "for {1}", has: &["pref", "preferred"], lacks: &["irr", "promote", "split"] },
    // Grids.
    Wording { says: &["build|make|run|give|show|do|lay? me|us|out? a|the? #n by #n :|,?", "build|make|run|give|show|do|lay? me|us|out? a|the? #n x2|x3|x4|x5|x6|x7 grid|table|matrix? :|,?", "build|make|run|give|show|do|lay me|us|out? a|the? #x #n grid|table|matrix? :|,?", "build|make|run|give|show|do|lay? me|us|out? a|the? #n by? #n grid|table|matrix? :|,?"], told: "value grid:", has: &["cap", "caps", "yields", "yield"], lacks: &["irr"] },
];
