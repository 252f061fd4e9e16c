//! What a deal is told by: who pays, what is borrowed, what is earned and what a sale costs.

use crate::analysis::engines::offline::retold::pattern::Wording;

const NONE: &[&str] = &[];
#[rustfmt::skip]
const RETURNS: &[&str] = &["irr", "irrs", "npv", "mirr", "moic", "multiple"];
#[rustfmt::skip]
const SIZES: &[&str] = &["borrow", "loan", "proceeds", "lend", "lender", "lends", "bank", "debt", "sizing", "size", "leverage"];
#[rustfmt::skip]
const COSTS: &[&str] = &["capex", "cost", "costs", "outlay", "loss", "losses", "loan", "mortgage", "debt"];

#[rustfmt::skip]
const INCOMES: &[&str] = &["cap", "caps", "dscr", "coverage", "cover", "covers", "yield"];

/// What would be read as a month's payment if it were not told at once.
#[rustfmt::skip]
pub(super) const FIRST: &[Wording] = &[
    Wording { says: &["mortgage|loan|debt payments|payment|instalments|installments of|at|are|is|were|total|totalling|totaling|come|came|coming to? #$ for|over|in|across the|a|that|each|every|whole|full|per|one? full|whole? year", "mortgage|loan|debt payments|instalments|installments for|over|in|across the|a|that|whole|full? full|whole? year of|at|are|is|were|total|come|came|coming? to? #$"], told: "annual debt service {1}", has: &["noi", "coc", "dscr"], lacks: &["month", "monthly", "quarter", "quarterly"] },
    Wording { says: &["and|but? have|has|ve|we've|they've|had had|received|seen #$"], told: "and got back {1}", has: &["multiple", "irr", "moic", "return"], lacks: &["loan", "if"] },
    // Cash that is not added is none.
    Wording { says: &[",? which|that|and? we|i|they don't|dont|didn't|won't|aren't|do|did|will|are not? replace|replacing|cover|covering|offset|offsetting|make up|for? with|by any|a? new|fresh|additional|extra|own|added cash|money|equity", ",? and? not|never|without? replaced|replacing|covered|offset with|by any|a? new|fresh|additional|extra|own|added cash|money|equity"], told: "", has: &["1031", "exchange", "swap", "boot"], lacks: &["but"] },
];

#[rustfmt::skip]
pub(super) const WORDINGS: &[Wording] = &[
    // Cash on cash, as investors and owners of houses put it.
    Wording { says: &["after debt service|payments|servicing the|our? property|deal|building|asset|it|house|place throws|threw|spun|kicks|kicked|produced|generated|left|paid|distributed off|out|us? #$ this|last|in|the? year? one?", "the|our? property|deal|building|asset|it|house|place throws|threw|spun|kicks|kicked|produced|generated|left|paid|distributed off|out|us? #$ this|last? year? after debt service|payments|servicing"], told: "cash flow after debt service {1}", has: &["cash", "coc"], lacks: &["noi", "loan", "irr"] },
    Wording { says: &["on #$ of member|members|members'|investor|investors|lp|partner|partners|our|total|invested equity|capital|money"], told: "on equity of {1}", has: &["cash", "coc"], lacks: &["loan", "irr", "pref", "promote"] },
    Wording { says: &["^ the? year|yr #l1 cash on cash|coc return|yield?", "^ the? first year|yr cash on cash|coc return|yield?", "cash on cash|coc return|yield? in|for|during the? year|yr #l1", "cash on cash|coc return|yield? in|for|during the? first year|yr"], told: "cash-on-cash return", has: &["cash", "coc"], lacks: &["irr", "stabilized", "second"] },
    Wording { says: &["#y am|amort|amortization|amortisation ,? monthly pay|paid|payments|payment|pmts|pmt?"], told: "{1} amortization, monthly payments", has: &["cash", "coc", "dscr"], lacks: &["term", "balloon"] },
    Wording { says: &["rents|rent|income|collections after|net all|of|the|its|our? all|the? operating? opex|expenses|costs leave|leaves|left|net|nets|is|are|was|of|come|comes|makes to? us|me|you? #$"], told: "the NOI is {1}", has: &["cash", "coc"], lacks: &["noi", "including", "ignoring"] },
    Wording { says: &["and|, we|i|they? set|sets|setting|put|puts|park|sock|tuck aside|by|away another|a|further? #$ for|towards|toward|into|as? the|a|our|future? replacements|replacement|capex|reserves|reserve|roof reserves|reserve?"], told: ", {1} reserves", has: &["cash", "coc"], lacks: &["before", "ignore", "ignoring"] },
    Wording { says: &["after|net that|the|this|those of? that|the? set aside|asides|reserve|reserves"], told: "after reserves", has: &["cash", "coc"], lacks: &["before"] },
    Wording { says: &["cash yield"], told: "cash on cash return", has: &["equity", "down", "invested"], lacks: &["bond", "dividend"] },
    Wording { says: &["after all|the|its|my|our? operating expenses|opex|costs ,? the|my|our? house|property|building|duplex|place|rental|it clears|clear|nets|net|makes|leaves|brings|earns me|us|in? #$"], told: "the NOI is {1}", has: &["cash", "coc"], lacks: &["noi", "including"] },
    Wording { says: &["#% interest|rate ,|and? #y ,|with? monthly payments"], told: "{1} interest, {2} amortization, monthly payments", has: &["cash", "coc", "dscr"], lacks: &["term", "io", "amortization", "amortizing", "balloon"] },
    Wording { says: &["#% io"], told: "interest-only at {1}", has: &["cash", "coc"], lacks: &["points", "amortization", "amortizing"] },
    Wording { says: &["cash on cash return|yield? on the|my|our? total|all? cash|equity invested|in $"], told: "cash-on-cash return", has: &["cash"], lacks: NONE },
    // A partnership's parts.
    Wording { says: &["split|shared|divided #% to|for the? lp|lps|investor|investors and|,|/|; #% to|for the? gp|sponsor"], told: "split {1}/{2}", has: &["pref", "preferred", "promote"], lacks: &["until", "then"] },
    Wording { says: &["split|shared|divided #% to|for the? gp|sponsor and|,|/|; #% to|for the? lp|lps|investor|investors"], told: "split {2}/{1}", has: &["pref", "preferred", "promote"], lacks: &["until", "then"] },
    Wording { says: &["there is|was|will|are be? #n single? distribution|payout only|alone? ,|:|of? #$"], told: "a single distribution of {2}", has: &["lp", "gp", "promote", "pref"], lacks: &["each", "quarterly"] },
    Wording { says: &["lp|lps #n /|,|and|-|;? gp|sponsor #n"], told: "{1}% LP, {2}% GP", has: &["pref", "preferred", "promote", "split"], lacks: NONE },
    Wording { says: &["to|between|among the? #n partners|parties|members|sides", "to|between|among both partners|parties|members|sides"], told: "", has: &["promote", "pref", "preferred"], lacks: &["half", "equally"] },
    Wording { says: &[",|;|( gp|gp's|sponsor|sponsor's s|'s? own? co? coinvest|coinvestment|invest|investment|stake|share|capital is|being? included|counted in its|the|that|this #n )?", ",|;|( gp|gp's|sponsor|sponsor's s|'s? own? co? coinvest|coinvestment|invest|investment|stake|share|capital is|being? included|counted in its|the|that|this #% )?"], told: "", has: &["promote", "pref", "preferred", "split"], lacks: &["not", "excluded"] },
    Wording { says: &["hurdle rate? of|at|is|:? #% compounding|compounded|cumulative yearly|annually"], told: "{1} annually compounding pref", has: &["promote", "carry", "carried", "split"], lacks: &["irr", "second", "pref", "preferred", "multiple", "catch"] },
    Wording { says: &["over|above|past|beyond|after the|that hurdle ,|:|;?"], told: "then", has: &["promote", "carry", "carried", "split"], lacks: &["irr", "second", "first", "multiple", "catch"] },
    Wording { says: &["sold|sale|exit|exited|liquidated after|in exactly|precisely? #y for|at|with #$ of? distributable? cash|proceeds?"], told: "a single distribution of {2} after {1}", has: &["promote", "carry", "carried", "split"], lacks: &["loan", "debt", "costs"] },
    Wording { says: &[",|; and|with? nothing|none|no|zero distributions|cash|payments? paid|distributed|out|paid out? before|until then|that|sale|exit"], told: "", has: &["promote", "carry", "carried", "split", "pref", "preferred"], lacks: NONE },
    Wording { says: &[", all in at closing|close|inception|once|outset"], told: "", has: &["promote", "pref", "preferred", "split"], lacks: NONE },
    Wording { says: &["forward|next|following year? noi|income ( year|yr #l )"], told: "forward NOI", has: &["cap"], lacks: &["irr", "npv"] },
    // Tests of a loan.
    Wording { says: &["#% of a|an|the|our|its? appraised|market|stabilized|stabilised? #$ value|valuation|appraisal", "#% of a|an|the|our|its? appraised|market|stabilized|stabilised? value|valuation|appraisal of|at? #$"], told: "{1} LTV, value {2}", has: SIZES, lacks: &["land"] },
    Wording { says: &["#% of a|an|the|our? #$ total|project|development? cost|budget"], told: "{1} LTC, total cost {2}", has: SIZES, lacks: &["land"] },
    Wording { says: &["dscr|dcr|coverage|cover of? no|not less|lower|below|under|worse than #x", "dscr|dcr|coverage|cover of? #x or better|more|higher|above|over|greater|up", "dscr|dcr|coverage|cover never|not below|under #x"], told: "DSCR {1}", has: SIZES, lacks: &["now", "current", "currently", "actual"] },
    Wording { says: &["ltv of? no|not more|higher|above|over|greater than #%", "ltv of? #% or less|lower|below|under", "ltv never|not above|over #%"], told: "LTV {1}", has: SIZES, lacks: &["now", "current", "currently", "actual"] },
    Wording { says: &["debt yield of? #% or better|more|higher|above|over|greater|up", "debt yield of? no|not under|worse than? #%", "debt yield never|not below|under #%"], told: "debt yield {1}", has: SIZES, lacks: &["now", "current", "currently", "actual"] },
    Wording { says: &["term on|for a|an|our|the? #$ loan|mortgage?"], told: "term, loan {1},", has: &["balloon"], lacks: NONE },
    Wording { says: &["on|over|with|and? a|an? #y monthly? amortization|amortisation|amortizing|repayment schedule|table|profile"], told: "with {1} amortization", has: &["balloon"], lacks: &["interest", "io"] },
    // A value and a debt.
    Wording { says: &["the|our|and? valuer|appraiser|surveyor|valuation|appraisal|survey has|have|just? just? come|came|comes back|in|out back|in|at|with? at|with|on? #$"], told: "value {1}", has: &["ltv", "loan", "gearing", "leverage"], lacks: &["if", "instead"] },
    Wording { says: &["the|our? construction|senior|development? bank|lender|lenders|insurer|fund is|are|was|comes|come|goes|stands in for #$"], told: "loan {1}", has: &["ltc", "cost"], lacks: &["payment"] },
    Wording { says: &["of which #$ is|was|being|comes|came as|from|in? a|an|the? interest only loan|mortgage|debt|facility|note"], told: ", interest-only loan {1}", has: &["cash", "coc", "dscr"], lacks: NONE },
    Wording { says: &["of which #$ is|was|being a|an|the? loan|mortgage|debt|borrowed"], told: ", loan {1}", has: &["cash", "coc", "dscr", "ltv"], lacks: NONE },
    Wording { says: &[",? and|with? the rest|remainder|balance is|was|being|comes|came|in|as? from? our|my|their|own? own? cash|equity|money|capital|pocket"], told: "", has: &["coc", "cash"], lacks: &["partner", "pref", "preferred"] },
    // Incomes.
    Wording { says: &["the? forward|next|coming|trailing|last|past|previous? #m12 noi", "noi for|over|in the? forward|next|coming|trailing|last|past|previous #m12"], told: "NOI", has: &["cap", "noi"], lacks: &["irr", "npv", "growth", "grew", "change"] },
    Wording { says: &["gross potential rent|income? for|in|during .. was|came|ran|totalled|totaled|is to|at? #$", "gross potential rent|income? was|is|were|came|comes|ran|runs|stood|stands|totals|totalled|totaled|sits? out|in? to|at|of? #$"], told: "gross potential rent {1}", has: &["occupancy"], lacks: &["vacancy", "vacant"] },
    Wording { says: &["we|they|i actually? collected|banked #$", "rent|rents|income collected was|is|were|came|comes|ran|totals|totalled|totaled in? to|at|of? #$"], told: "collected rent {1}", has: &["occupancy"], lacks: &["vacancy", "vacant"] },
    Wording { says: &["which|that|and? nets|netted|netting|clears|clearing|cleared about|around|roughly|us? #$"], told: ", NOI {1},", has: INCOMES, lacks: &["irr", "npv", "rent", "rents", "gross", "sale", "loan", "noi", "equity", "reserves", "opex", "expenses"] },
    Wording { says: &["local|most|typical|the? buyers|buyer|investors|market|people want|wants|demand|demands|require|requires|expect|expects|pay|pays|look|looks for? a|an? #% cap rate?"], told: "cap rate {1}", has: &["noi", "nets", "net", "income"], lacks: &["exit", "irr", "loan", "hold"] },
    Wording { says: &["the|our? buyer|buyers|we|they|seller|deal|i signed|contracted|agreed|closed|settled|transacted on|at|for #$"], told: "the price is {1}", has: &["cap"], lacks: &["loan", "irr", "exit", "rent", "rents", "lease"] },
    Wording { says: &["noi|income over|for|in|during the|our? first #m12", "noi|income over|for|in|during the|our first year", "the? first #m12 of? noi"], told: "NOI", has: &["cap"], lacks: &["irr", "npv", "growth", "grew", "grows", "change", "exit", "second", "next"] },
    Wording { says: &["collecting|collects|grossing|grosses #$", "pulling|pulls|bringing|brings|taking|takes in #$"], told: "with gross rent {1}", has: &["grm", "multiplier"], lacks: &["noi", "egi", "vacancy", "month", "monthly", "each"] },
    Wording { says: &["adding|building|developing|constructing|delivering #u costs|cost|runs|takes|for us|them? #$"], told: "total cost {2}", has: &["spread", "yoc", "yield"], lacks: &["per", "each", "every", "land"] },
    // A sale and an exchange.
    Wording { says: &["broker|brokers|brokerage|agent|agents|agency and|plus|& legal|legals|lawyers|lawyer|attorney|solicitors fees|costs|fee? at|of|are|is|:|come|comes|total|together|take|takes|cost|costs|eat|eats? us? to? #%", "legal|legals|lawyers and|plus|& broker|brokerage|agent|agents|agency fees|costs|fee|commission|commissions? at|of|are|is|:|come|total|together? to? #%", "brokerage|broker|brokers|agent fee|fees|commission|commissions of|at|is|are|:? #%"], told: "selling costs {1}", has: &["exit", "sale", "selling", "sell"], lacks: &["purchase", "acquisition", "buying", "leasing", "lease"] },
    Wording { says: &["and? our|my|the|their? mortgage|loan|debt balance|liability? drops|drop|dropped|falls|fall|fell|goes|went|is|was|shrinks|shrink|shrank|declines|decline|declined|reduces|decreases|decreased down|reduced|lower|smaller? by? a? net? #$ net? ,? with|and? nothing|no|none cash? added|paid|put|contributed|coming|going in? to? offset|balance|replace? it|this|that?", "and? our|my|the|their? mortgage|loan|debt balance|liability? drops|drop|dropped|falls|fall|fell|goes|went|is|was|shrinks|shrink|shrank|declines|decline|declined|reduces|decreases|decreased down|reduced|lower|smaller? by? a? net #$", "and? our|my|the|their? mortgage|loan|debt balance|liability? drops|drop|dropped|falls|fall|fell|goes|went|is|was|shrinks|shrink|shrank|declines|decline|declined|reduces|decreases|decreased down|reduced|lower|smaller? by? #$ net"], told: "and net debt relief of {1}", has: &["1031", "exchange"], lacks: &["if", "instead"] },
    // Flows.
    Wording { says: &["bought|purchased|acquired .. with|for|using|putting #$ of? in? cash|equity", "equity|cash of? #$ bought|purchased|acquired|funded|paid .. $"], told: "paid {1}", has: RETURNS, lacks: &["loan", "mortgage", "debt", "price"] },
    Wording { says: &["net cash|cashflow|proceeds|flow was|were|came|ran|is flow? in|to|at|of? #$"], told: "received {1}", has: RETURNS, lacks: &["loan", "mortgage", "debt", "negative", "cap"] },
    Wording { says: &["and|then|we|i? model|models|modelled|project|projecting|expect|forecast|underwrite|pencil|budget in? #$"], told: "and receive {1}", has: RETURNS, lacks: COSTS },
    Wording { says: &["with|including|incl|inclusive of? the? sale|exit|reversion|resale in it|that|there|included?"], told: "", has: RETURNS, lacks: &["if", "cap", "costs"] },
    Wording { says: &["the? cash|money|proceeds|inflows|receipts|distributions flow|flows? goes|go|is|are|gets|get|can|being|be be? put? straight? back? to|into work|use again? at|for #%", "the? cash|money|proceeds|inflows|receipts|distributions goes|go|is|are|gets|get put? back in|into? .. at #%"], told: "reinvestment rate {1}", has: &["mirr", "modified"], lacks: NONE },
    Wording { says: &["^ a|an|the|our|one .. will|would|is|has|to? pay|pays|paying to? us|me? #$"], told: "we are paid {1}", has: &["worth", "present", "pv"], lacks: &["irr", "npv", "loan", "mortgage", "noi", "price", "rent", "growing", "rising"] },
    // Periodic returns.
    Wording { says: &["quarterly irr|return|yield came|comes|come|works|worked|is|runs|reads|shows|of|at out|in|back? .. #%"], told: "quarterly rate is {1}", has: &["effective"], lacks: &["loan", "mortgage"] },
    Wording { says: &["monthly irr|return|yield came|comes|come|works|worked|is|runs|reads|shows|of|at out|in|back? .. #%"], told: "monthly rate is {1}", has: &["effective"], lacks: &["loan", "mortgage"] },
    Wording { says: &["convert|turn|translate|restate|express|annualize|annualise|put|change it|that|this? to|into|as|in|on a|an? effective annual|yearly figure|number|rate|return|basis|terms|equivalent|yield?", "convert|turn|translate|restate|express|annualize|annualise|put|change it|that|this? to|into|as|in|on a|an? annual|yearly effective figure|number|rate|return|basis|terms|equivalent|yield?"], told: "annualise it (effective)", has: &["irr"], lacks: &["loan", "mortgage", "payment"] },
    Wording { says: &["convert|turn|translate|restate|express|annualize|annualise|put|change it|that|this? to|into|as|in|on a|an? effective annual|yearly figure|number|rate|return|basis|terms|equivalent|yield?", "convert|turn|translate|restate|express|annualize|annualise|put|change it|that|this? to|into|as|in|on a|an? annual|yearly effective figure|number|rate|return|basis|terms|equivalent|yield?"], told: "what is the effective annual rate", has: &["monthly", "quarterly", "month", "quarter"], lacks: &["loan", "mortgage", "payment", "irr"] },
    Wording { says: &["a? single|one|only|sole? payout|distribution of? #$"], told: "a single distribution of {1}", has: &["lp", "gp", "promote", "pref"], lacks: NONE },
];
