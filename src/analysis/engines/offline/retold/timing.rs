//! When and which way money moves, in everyday words: "in the second", "twelve months out", "nothing in year 3".
//!
//! Knows the flows of a return only; loans are told elsewhere.

use crate::analysis::engines::offline::retold::pattern::Wording;

#[rustfmt::skip]
pub(super) const FLOWS: &[&str] = &["irr", "irrs", "npv", "mirr", "xirr", "xnpv", "moic", "rates", "internal", "multiple", "worth", "present", "return"];
#[rustfmt::skip]
const RETURNS: &[&str] = &["irr", "irrs", "mirr", "rates", "internal", "moic", "multiple", "return"];
const NONE: &[&str] = &[];

/// What would be read as the other side if it were not told at once.
#[rustfmt::skip]
pub(super) const FIRST: &[Wording] = &[
    // "What is/are the IRR(s)?".
    Wording { says: &["irr|irrs ( s )"], told: "irrs", has: FLOWS, lacks: NONE },
    Wording { says: &["and|but|who? says|said|claims|thinks|warns|insists|hints|warned that? the|this? irr|irrs|answer|problem|question is|are a|an? trick|tricky|ambiguous|strange|weird|odd question|one|problem|here?"], told: "", has: FLOWS, lacks: &["npv"] },
    // "If every year is a cost: …" says again what the signs say.
    Wording { says: &["if|when|where|given|assuming|since|that? every|each single? year|flow|period|one is|was a|an? cost|outflow|loss|negative ,?", "if|when|where|given|assuming|since|that? all|all the|the? years|flows|periods are|were costs|outflows|losses|negative ,?"], told: "", has: RETURNS, lacks: &["noi", "loan"] },
    // What was put in is the whole of it, whatever it was spent on.
    Wording { says: &[
        "put|putting|paid|invested|invest|contributed|contribute in? #$ :|,|;|(|- including|incl? #$ of? that|it|which|this? went|goes|going|gone was|is? to|into|toward|towards|for|on the|closing|acquisition|legal|upfront|sponsor? fees|fee|costs|legals|commissions )?",
        "put|putting|paid|invested|invest|contributed|contribute in? #$ .|,|;|:|( and? #$ of that|it|this went|goes|going|gone was|is? to|into|toward|towards|for|on the|closing|acquisition|legal|upfront|sponsor? fees|fee|costs|legals|commissions )?",
    ], told: "put in {1}", has: &["moic", "multiple", "em", "irr"], lacks: &["loan", "mortgage", "another"] },
    Wording { says: &["what|which is / are"], told: "what are", has: FLOWS, lacks: NONE },
    Wording { says: &["was|were|been|got|get|are|being|gets bought|cashed|taken|paid out for|at|with|of? #$", "cashed|bought out for|at #$"], told: "received {1}", has: FLOWS, lacks: NONE },
];

#[rustfmt::skip]
pub(super) const WORDINGS: &[Wording] = &[
    // What is asked.
    Wording { says: &[
        "which|what|find discount|annual|internal? rate|rates or? rates? of? return? solve|solves|satisfy|satisfies|clears|clear|balances|balance|work|works|fit|fits it|this|them|these|that|here?",
        "which|what internal rate or rates of return .. solve|solves|fit|fits|satisfy|satisfies it|this|them|these|that?",
        "which|what rate|rates .. npv|present .. zero|nil",
        "at which|what rate|rates .. npv|present .. zero|nil",
        "at? which|what rate|rates .. npv|present|value .. #z",
    ], told: "what is the IRR", has: FLOWS, lacks: NONE },
    Wording { says: &["#n of? our|my|the|us? analysts|colleagues|partners|brokers|associates|people|advisers|advisors|models .. get|got|find|found|come|came|show|shows different|two|several irr|irrs|returns|answers|rates|results"], told: "IRR", has: FLOWS, lacks: NONE },
    Wording { says: &["from|on|for|of|with the? same? #n annual|yearly? flows|cashflows|payments|amounts|figures :?", "from|on|for|of|with the? same? #n annual|yearly cash flows :?"], told: ":", has: FLOWS, lacks: NONE },
    Wording { says: &["what|how much? is|are|would|will that|it|this|the|all? stream|project|deal|lot|package|venture|plan|whole? be? worth today|now ,? net|on|balance ,? balance?"], told: "what is the NPV", has: &["net", "balance"], lacks: &["noi", "cap"] },
    // An opinion about the result is no flow.
    Wording { says: &["^ .. we|they|i|you lost|made|lose|make money on|with|from this|it|that one|deal|building|property? $ .", "^ .. we|they|i|you lost|made|lose|make money $ ."], told: "", has: RETURNS, lacks: NONE },
    // Somebody wants another measure than the one that is spoken of first.
    Wording { says: &["doesn't|don't|not|never believe|trust|like|accept|want in|with? the|a? plain|ordinary|regular|standard|normal|simple|straight|vanilla? irr ,|;|:|-? so|and|but? he|she|they|we|i|it|client? wants|want|prefers|prefer|needs|need|asks|asked for? it|the|a? modified version|one|irr?"], told: "wants the MIRR", has: &["modified"], lacks: &["npv"] },
    Wording { says: &["plain|ordinary|regular|standard|normal|simple|straight|vanilla irr ,|;|:|-? but|so|and he|she|they|we|i|client? wants|want|prefers|prefer|needs|need|asks|asked for? it|the|a? modified version|one|irr?"], told: "MIRR", has: &["modified"], lacks: &["npv"] },
    Wording { says: &["what|how much? is|'s it|this|that|all? of? this|it|that? all? worth today|now? at|using|with #%"], told: "what is the NPV at {1}", has: &["call", "calls", "outlay", "outlays"], lacks: &["noi", "cap", "rent", "loan", "irr"] },
    // Taxes that are left out change no flow.
    Wording { says: &[",|;|.? ignore|ignoring|disregard|disregarding|forget|excluding any|all|the|income|capital|about? gains? taxes|tax", ",|; leave|leaving taxes|tax aside|out"], told: "", has: FLOWS, lacks: &["bracket", "after", "depreciation", "marginal", "noi"] },
    Wording { says: &["to the day"], told: "", has: RETURNS, lacks: NONE },
    // "A 40k roof hit (net negative)".
    Wording { says: &["#$ .. ( a|the|net? negative|outflow|outlay flow|cost|year? )"], told: "spent {1}", has: FLOWS, lacks: NONE },
    // What comes back with its profit is one amount; a stake that pays is put in.
    Wording { says: &["a|an|our|my|the? lp|limited|equity? stake|interest|position|check|investment of|: #$ pays|paid|throws|distributes|yields off|out|us|me?"], told: "invest {1}, receive", has: &["moic", "multiple", "em", "irr"], lacks: &["pref", "promote", "waterfall", "gp"] },
    // Nothing happens at that time.
    Wording { says: &["nothing|none moves|happens|changes|goes|is|comes? hands|in|out|paid|due|spent? on|at|in day one|closing|now|today|signing :|;|,|.?", "no|nil|zero money|cash|payment moves|changes|goes? hands|out? today|now|at? closing|signing? :|;|,|.?"], told: "", has: FLOWS, lacks: NONE },
    Wording { says: &["nothing|nil|none|zilch in year #l", "no|zero cash|income|distribution|distributions|rent flow|flows? in year #l", "nothing|nil|none at|by the? end of year #l"], told: "$0 in year {1}", has: FLOWS, lacks: NONE },
    Wording { says: &["#z in year #l", "#z at|by the? end of year #l"], told: "$0 in year {2}", has: FLOWS, lacks: NONE },
    Wording { says: &["only|just|first happens|occurs|comes|falls|arises|goes|is|lands due|out|paid?", "which|that? happens|occurs|arises|falls due?"], told: "", has: FLOWS, lacks: &["if", "or"] },
    Wording { says: &["#$ extra|more"], told: "{1}", has: FLOWS, lacks: &["loan", "mortgage"] },
    Wording { says: &["drew|drawn|draw down? #$"], told: "invested {1}", has: FLOWS, lacks: &["loan", "mortgage", "balance"] },
    // The parts of a deal, how its lease is let and that nothing is borrowed are no flows.
    Wording { says: &["#n stage|phase|step|leg|part|tranche investment|deal|project|play|funding|structure|funding :|.|,?"], told: "", has: FLOWS, lacks: &["loan", "mortgage"] },
    Wording { says: &["triple|double net"], told: "", has: FLOWS, lacks: &["loan", "mortgage"] },
    Wording { says: &[",|;|.|( no|zero|without|with no? debt|leverage|financing|mortgage|loan involved|here|on|at|all? it|all? )?"], told: "", has: FLOWS, lacks: &["if", "or"] },
    Wording { says: &[",? all|each|spaced|exactly? a year|twelvemonth apart"], told: "", has: FLOWS, lacks: &["month", "months", "quarter", "quarters"] },
    Wording { says: &["replacement|overhaul|retrofit|upgrade costs|cost|runs #$"], told: "project costs {1}", has: &["npv", "irr", "net"], lacks: &["noi", "value", "insurance"] },
    Wording { says: &["^ the? pv at|@|using|of|on|for? #%", "^ what 's|s|is the? pv at|@|using|of|on|for? #%"], told: "What is the present value at {1}", has: NONE, lacks: &["irr", "npv", "loan", "payments", "ym", "maintenance"] },
    Wording { says: &["together|along? with|alongside the|that? year|yr #l cash|noi|rent|rents|income|flow|payment|distribution|receipt flow?"], told: "in year {1}", has: FLOWS, lacks: NONE },
    // A month's flows compound to the year's return anyway.
    Wording { says: &["effective annual|yearly? irr"], told: "IRR", has: &["month", "monthly", "months", "quarter", "quarterly", "quarters"], lacks: &["nominal"] },
    Wording { says: &["each|every month end|ends"], told: "a month", has: RETURNS, lacks: NONE },
    Wording { says: &[",|;|( i|e|. compound|compounding|compounded the|that? monthly|quarterly|periodic one|irr|rate|figure|return ,|;|-? and|but? don't|not|no|never|do not? x12|multiply|multiplied|annualize|x|times|by|just? by|times|x? #x|#n|it? )?", ",|;|( compound|compounding|compounded the|that? monthly|quarterly|periodic one|irr|rate|figure|return up? )?"], told: "", has: RETURNS, lacks: &["loan", "pref"] },
    // What goes out.
    Wording { says: &["a|an|the|our|and? #$ shortfall|deficit|gap|hole that|which? we|i|you|investors|owners? have|has|had|must|need|needs|needed to? fund|cover|fill|plug|inject|meet", "a|an|the|our? #$ shortfall|deficit|hole"], told: "-{1}", has: FLOWS, lacks: &["loan", "mortgage", "pref"] },
    Wording { says: &["a|an|the|this|our? project|redevelopment|development|refurbishment|conversion|scheme|deal|it|site|building|investment|asset takes|needs|absorbs|swallows|requires|soaks up? #$"], told: "we invest {1}", has: FLOWS, lacks: &["loan", "mortgage"] },
    Wording { says: &["and|then a|an|another further|additional|extra #$", "and|then another #$ more?"], told: "and invest {1}", has: FLOWS, lacks: &["loan", "mortgage", "received", "distributed", "back", "got"] },
    Wording { says: &["lost|lose|loses|losing a? net #$", "lost|lose|loses|losing #$ net"], told: "spent {1}", has: RETURNS, lacks: NONE },
    // Rates of a modified return.
    Wording { says: &["our|the|borrowed? money|funds|funding|capital|borrowing|borrowings|financing|finance cost|costs|is|runs|us? us|at|about? #%", "cost of? funds|funding|finance|borrowing|money is|of|at? #%", "we|i borrow|finance|fund at #%", "funding|financing|finance rate? :|=|of|is|at? #%"], told: "finance rate {1}", has: &["mirr", "modified"], lacks: NONE },
    Wording { says: &["interim|intermediate? cash|flows|flow|receipts|inflows|proceeds|money|distributions flows? can|could|will|would? be|is|are|being|get|gets? reinvested|put|invested|redeployed|parked|placed back? to? work? at|to|earning|for #%", "interim|intermediate? cash|flows|receipts|inflows|proceeds|money|distributions flows? earn|earns|make|makes|yield|yields #%", "reinvest|reinvesting .. at #%"], told: "reinvestment rate {1}", has: &["mirr", "modified"], lacks: NONE },
    Wording { says: &["reinvestment|reinvest|reinvesting rate? :|=|of|is|at? #r"], told: "reinvestment rate {1}%", has: &["mirr", "modified"], lacks: NONE },
    Wording { says: &["finance|financing|borrowing|funding rate? :|=|of|is|at? #r"], told: "finance rate {1}%", has: &["mirr", "modified"], lacks: NONE },
    // A ratio is the same in thousands.
    Wording { says: &["( all? in? thousands ,? yearly|annual|annually? )", "( all? figures|amounts? in? 000s|thousands|000 )", ",? all? in thousands"], told: "", has: RETURNS, lacks: &["npv", "value"] },
    Wording { says: &["as of today"], told: "", has: &["npv", "present"], lacks: NONE },
    Wording { says: &["borrow|borrowing|finance|financing at #n ,|;|and? reinvest|reinvesting at #n"], told: "finance rate {1}%, reinvestment rate {2}%", has: &["mirr", "modified"], lacks: NONE },
    Wording { says: &["multiple|moic on|over|of total|all contributions|contributed|invested|capital capital|equity?"], told: "multiple", has: FLOWS, lacks: NONE },
    Wording { says: &["over|in|across #n|#p annual|yearly? payments|installments|instalments|receipts", "over|in|across #n annual|yearly payments|installments|instalments|receipts"], told: "over {1} years", has: RETURNS, lacks: &["loan", "mortgage", "quarterly", "monthly"] },
    // Nothing more is told: the flows are all.
    Wording { says: &["^ and|but? nothing more|else|further is|was|will? be? coming|comes|expected|due|left to? come? $", ",|and|, and|but? nothing more|else|further is|was|will? be? coming|comes|expected|due|left to? come?"], told: "", has: FLOWS, lacks: NONE },
    Wording { says: &["^ .. i|we know the? irr|return is|was negative ,|; how negative", "how negative is|was the? irr|return"], told: "what is the IRR", has: FLOWS, lacks: NONE },
    // When.
    Wording { says: &["and|, in year|yr #l there's|there 's|s|is|are|was? another|an|additional|extra? #$ of? net? sale|sales|exit|reversion proceeds on top"], told: "plus sale proceeds {2} in year {1}", has: RETURNS, lacks: &["loan", "mortgage"] },
    Wording { says: &["in|at|for|as|during? a? year #l capital|equity|cash? call|top|contribution|injection up?"], told: "in year {1}", has: FLOWS, lacks: NONE },
    Wording { says: &["at the ends|end of years #l through|to|until|thru #l", "at the ends|end of each? of? years? #l through|to|until|thru #l"], told: "in years {1} through {2}", has: FLOWS, lacks: NONE },
    Wording { says: &["annual|yearly periods|flows|cashflows|intervals , year #l"], told: "year {1}", has: FLOWS, lacks: NONE },
];
