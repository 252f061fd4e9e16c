//! Questions as people note them down: terms by their place, without a verb, and what is told beside a building.

use crate::analysis::engines::offline::retold::pattern::Wording;

const NONE: &[&str] = &[];
const CONSTANT: &[&str] = &["constant"];
/// A loan that runs already has another age than a new one.
#[rustfmt::skip]
const RUNS: &[&str] = &["ago", "old", "originated", "seasoned", "remaining", "already", "since", "now", "currently", "extension", "extended"];

#[rustfmt::skip]
pub(super) const WORDINGS: &[Wording] = &[
    Wording { says: &["sl|straight line? dep|depr|deprec per|a|each|every? yr|year?", "dep|depr|deprec per|a|each|every? yr|year?"], told: "annual straight-line depreciation", has: &["land", "basis", "bldg", "building"], lacks: &["noi", "deposit"] },
    Wording { says: &["b / e occupancy|occ|ratio?"], told: "breakeven occupancy", has: &["opex", "expenses", "expense"], lacks: &["ltv"] },
    Wording { says: &["#$ for|in|on the|its|our? dirt|land|site|lot|ground|parcel"], told: "land {1}", has: &["hard", "hards"], lacks: &["noi", "ground"] },
    Wording { says: &["write off|offs", "writeoff|writeoffs"], told: "depreciation", has: &["basis", "straight", "convention", "depreciable", "residential"], lacks: &["debt", "bad", "loan", "unamortized"] },
    Wording { says: &["( the? land is|has|was? been? already? taken|carved|backed|stripped|netted|pulled out|off )"], told: "", has: &["basis", "depreciable"], lacks: NONE },
    Wording { says: &["economic|econ occupancy|occ for|in|during the|that month|quarter|period ?"], told: "economic occupancy?", has: &["collected", "collections", "collect"], lacks: &["annual", "year"] },
    Wording { says: &["^ space|suite|unit|bay a|b|c|d|e|f|g? is|sits|stands vacant|empty|dark|unlet ,|;|so|and? ignore|exclude|skip|disregard it|that|this .?", "^ vacant|empty space|suite|suites|units|unit|bays|bay is|are? ignored|excluded|disregarded .?"], told: "", has: &["walt", "wale", "wault"], lacks: NONE },
    // Loans.
    Wording { says: &["what|whats|what's s|is? left|outstanding|owed|owing on|of a|the|my|our? #$ loan|mortgage|note?"], told: "what is the loan balance of a loan of {1}", has: &["am", "amortization", "amortisation", "amortizing", "amortized", "schedule"], lacks: &["io", "interest", "extra", "prepaid"] },
    Wording { says: &["due|matures|maturing|maturity in #y", "due|term #y", "#y due"], told: "{1} term", has: &["balloon"], lacks: RUNS },
    Wording { says: &["what|which interest|annual? rate am|are|is i|we|she|he|they paying if|when|where|on? a|the|my|our? #$ costs|cost|costing|runs|takes me|us|her|him|them? #$"], told: "what is the interest rate on a loan of {1} with payment {2}", has: &["rate"], lacks: &["price", "cap", "noi", "rent", "fees", "points", "down", "balloon", "escrow", "taxes", "insurance"] },
    Wording { says: &["constant at|of|for|:|=|,? #% ,|over|and? #y ,? monthly", "constant ,? #y ,|at|and #% ,? monthly"], told: "constant at {1}, {2} amortization, monthly", has: CONSTANT, lacks: &["io", "interest", "balloon", "term", "quarterly", "annual"] },
    // Where a printed table ends is no rate of this loan.
    Wording { says: &["and|but? the? table|chart|book|sheet .. stops|ends|finishes|breaks at|with #%"], told: "", has: CONSTANT, lacks: NONE },
    Wording { says: &["#$ note ,|at? #% ,|for|over? #m ,? in? arrears?"], told: "{1} loan, {2}, {3} amortization", has: &["pmt", "payment"], lacks: &["amortization", "amortisation", "amortizing", "amortized", "am", "schedule", "balloon", "io", "interest", "term", "matures", "due"] },
    Wording { says: &["^ #$ at #% :|,|;"], told: "loan of {1} at {2},", has: &["io", "interest"], lacks: &["noi", "price", "value", "worth", "cap", "rent", "irr"] },
    Wording { says: &[",|; and? after that|which it|this? the? loan? then? amortizes|amortises|repays over|on #y"], told: ", then {1} amortization", has: &["io", "interest"], lacks: NONE },
    Wording { says: &["what|how does|do|will|would|is|much? the|our|my? monthly? payment|instalment? become|be|go|jump|step|rise to? after|once|following the io|interest i|o|only? o? period|phase|term|years?"], told: "what is the monthly payment after the interest-only period", has: &["io", "interest"], lacks: NONE },
    Wording { says: &["on #$ at #% on an? act/360|actual/360 basis?"], told: "on a loan of {1} at {2} act/360", has: &["interest"], lacks: NONE },
    Wording { says: &["on #$ at #% on an? act/365|actual/365 basis?"], told: "on a loan of {1} at {2} act/365", has: &["interest"], lacks: NONE },
    // Prices and values.
    Wording { says: &["cap rate? = $", "cap rate? = ? $"], told: "cap. What is the value", has: &["noi"], lacks: &["price", "rent", "rents", "expenses", "value", "loan"] },
    Wording { says: &["^ we|i are|am at|in|offering|bidding? at? #$", "^ we're|i'm at #$"], told: "the price is {1}", has: &["cap"], lacks: &["loan", "dscr", "value", "worth", "balance", "rent", "seller", "ask", "asking", "they", "last", "if"] },
    Wording { says: &["^ it|this|that|value|appraisal|valuation|property|building is|stands|sits|comes|came now|currently? in? at #$"], told: "the value is {1}", has: &["reappraised", "appraised", "appraisal", "valued", "valuation", "revalued", "reappraisal"], lacks: &["was", "if", "price", "cost"] },
    Wording { says: &["#% costs|cost ,|;|:|-? what|what's|whats? is|are? the? net sale|sales? proceeds ,? at|in|,? the? end of? year|yr #l before debt|loan?", "#% costs|cost ,|;|:|-? what|what's|whats? is|are? the? net sale|sales? proceeds"], told: "{1} selling costs. What are the net sale proceeds before debt", has: &["exit"], lacks: &["hold", "loan", "payoff", "balance"] },
    // Depreciation.
    Wording { says: &["the? county|assessor|appraiser|appraisal|assessment|city|accountant|cpa puts|put|assigns|assigned|allocates|allocated|attributes|gives #% of? that|it|this|the|which? price|total|purchase|value? in|to|into|for|as|on the? land|ground"], told: "land is {1}", has: &["depreciation", "depreciate"], lacks: &["otherwise", "but", "cost", "segregation"] },
    Wording { says: &["a|an|the|our? #u apartment|multifamily|residential property|building|complex|house?"], told: "an apartment building", has: &["depreciation", "depreciate"], lacks: &["per", "each", "every", "retail", "commercial", "mixed"] },
    Wording { says: &["mid month convention? ,? #y"], told: "mid-month over {1}", has: &["depreciation"], lacks: &["hold", "after", "years", "through", "bonus", "accumulated"] },
    // Partnerships.
    Wording { says: &["lp #n /|,|and? gp #n on|of|with #$ of? equity|capital?", "lp #n /|,|and? gp #n ,|: #$ of? equity|capital"], told: "LP {1}% and GP {2}% of {3} equity", has: &["pref", "promote"], lacks: &["loan"] },
    Wording { says: &["lp #% /|,|and? gp #% on|with #$ of? equity|capital?"], told: "LP {1} and GP {2} of {3} equity", has: &["pref", "promote"], lacks: &["loan"] },
    Wording { says: &["pref|preferred compounded annually + capital first"], told: "pref compounded annually and capital first", has: &["gp"], lacks: NONE },
    Wording { says: &["#$ out|paid|back|distributed|comes|goes out? at? the? end of? year|yr #l ,? nothing|none before|earlier"], told: "a single distribution of {1} at the end of year {2}", has: &["gp"], lacks: NONE },
    // What was collected after the usual deductions.
    Wording { says: &["after|net of? vacancy ,? loss? to? lease? ,? concessions? ,? and? bad? debt? we|i|they ended|end|finished|wound up? with|at #$ of rent|rents? collected|received", "after|net vacancy ,? loss? to? lease? ,? concessions? ,? and? bad? debt? we|i|they collected|received #$ of|in rent|rents?"], told: "rent collected was {1}", has: &["economic"], lacks: NONE },
    // Returns.
    Wording { says: &["^ in for #$ .|,|;"], told: "invest {1}, receive", has: &["irr"], lacks: &["loan", "mortgage", "debt"] },
    Wording { says: &["#$y ,? #y ,? plus #$ exit|sale|reversion at|in? the? end of? year|yr #l"], told: "{1} for {2}, plus sale {3} at the end of year {4}", has: &["irr"], lacks: &["loan", "mortgage", "debt", "growing", "growth", "monthly"] },
    Wording { says: &["#$ all in at|on closing|purchase|signing"], told: "invest {1}", has: &["irr"], lacks: &["loan", "mortgage", "debt"] },
    Wording { says: &["in? year #l another #$ plus #$ net? from|on|of the? sale|exit"], told: "in year {1} {2} plus {3} from the sale", has: &["irr"], lacks: &["loan", "mortgage", "debt"] },
];
