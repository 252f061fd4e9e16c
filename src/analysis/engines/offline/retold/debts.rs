//! Loans in everyday words: how much is lent, on which terms, by which tests.

use crate::analysis::engines::offline::retold::pattern::Wording;

const NONE: &[&str] = &[];
#[rustfmt::skip]
const SIZES: &[&str] = &["borrow", "loan", "proceeds", "lend", "lender", "lends", "bank", "debt", "sizing", "size", "sizes", "leverage"];
#[rustfmt::skip]
const LENT: &[&str] = &["ltv", "leverage", "loan", "lender", "bank", "mortgage", "debt", "mezz", "mezzanine", "ltc", "senior"];

#[rustfmt::skip]
const COVERS: &[&str] = &["dscr", "dcr", "coverage", "cover", "covers", "covered"];
#[rustfmt::skip]
const RATIOS: &[&str] = &["dscr", "dcr", "coverage", "cover", "yield"];

#[rustfmt::skip]
pub(super) const FIRST: &[Wording] = &[
    // "11.5 million interest-only at 5.4%" is a loan, and no payment.
    Wording { says: &["#$ interest|io only? at #%", "#$ i o at #%"], told: "loan of {1}, interest-only, rate {2}", has: &["interest", "io", "i"], lacks: &["noi", "dscr", "price"] },
    Wording { says: &["what|how .. does|do|will|would the|it|this|that|our|we property|building|deal|asset|loan|center|centre|noi? cover at|out?"], told: "what is the DSCR", has: &["noi", "income"], lacks: NONE },
    // "7 years of monthly payments on 4.6M": paid on a loan, and not paid each month.
    Wording { says: &["#y of .. payments|installments|instalments on|against a|an|the|our|my|this? #$ loan|mortgage|note?", "#m of .. payments|installments|instalments on|against a|an|the|our|my|this? #$ loan|mortgage|note?", "#p on|against a|an|the|our|my|this? #$ loan|mortgage|note?"], told: "{1} on a {2} loan", has: &["balance", "payoff", "owe", "owed", "balloon", "outstanding", "left", "remaining", "remains"], lacks: NONE },
    // "Mortgage payments on 4.6M …: balance after 7 years".
    Wording { says: &["mortgage|loan|monthly? payments|installments|instalments on|against a|an|the|our|my|this? #$ loan|mortgage|note?"], told: "loan of {1}", has: &["balance", "payoff", "balloon"], lacks: NONE },
    // The base of a day count, and no basis of a tax.
    Wording { says: &["on|using|with|under an|a|the? actual/360 basis|convention|count|method", "actual/360 basis|convention|method"], told: ", actual/360", has: &["interest"], lacks: NONE },
    Wording { says: &["on|using|with|under an|a|the? actual/365 basis|convention|count|method", "actual/365 basis|convention|method"], told: ", actual/365", has: &["interest"], lacks: NONE },
    Wording { says: &["on|using|with|under an|a|the? 30/360 basis|convention|count|method", "30/360 basis|convention|method"], told: ", 30/360", has: &["interest"], lacks: NONE },
    // The income of a quarter beside payments of a month.
    Wording { says: &["the|our|my|its|last|latest|this? first|second|third|fourth|last|latest|past? quarter|q1|q2|q3|q4 noi was|is|of|at|came|comes|ran|runs|totaled|totals|:|=? in|to|out|at? at? #$", "noi for|in|during|over|of the|this|last|our|that? first|second|third|fourth|last|past? quarter|q1|q2|q3|q4 was|is|of|at|came|comes|ran|runs|totaled|totals|:|=? in|to|out|at? at? #$", "noi was|is|of|at|came|comes|ran|runs|totaled|totals|:|=? in|to|out|at? at? #$ for|in|during|over the|this|last|our|that|one|a? first|second|third|fourth|last|past? quarter|q1|q2|q3|q4"], told: "quarterly NOI {1}", has: COVERS, lacks: NONE },
    Wording { says: &["#$ of? noi for|in|during|over the|this|last|our|that|one|a? first|second|third|fourth|last|past? quarter|q1|q2|q3|q4"], told: "quarterly NOI {1}", has: COVERS, lacks: NONE },
];

#[rustfmt::skip]
pub(super) const WORDINGS: &[Wording] = &[
    // The name of a product repeats its terms.
    Wording { says: &["#n / #n paper|money|product|structure|deal|note|loan|debt|terms|quote|financing :|,?"], told: "", has: &["amortization", "amortisation", "amortizing", "amortising", "schedule"], lacks: NONE },
    Wording { says: &["with|and? the? first payment|instalment|installment|repayment is|falls|comes|being|made? due? in? a month out|later|on|after|hence|from? closing|now|today|funding|drawdown?", "with|and? the? first payment|instalment|installment is|falls|comes|being|made? due? in? #m1 out|later|on|after|hence|from? closing|now|today|funding?", "paid|payable in arrears", "payments|payment at|in end|arrears of? each|every? month?"], told: "", has: &["rate", "payment", "loan", "mortgage", "carry"], lacks: &["present", "pv", "advance", "annuity"] },
    // Who lends how much.
    Wording { says: &["the? seller|vendor|owner|bank|lender will|would|can|to? carry|carries|carrying|finance|finances|financing|hold|holds|take|takes back? a? note|paper|mortgage? of|for? #$ back?"], told: "loan of {1}", has: &["rate", "rates", "payment", "charging", "charge"], lacks: NONE },
    Wording { says: &["the? construction|senior|development|bridge? bank|lender|lenders|insurer|fund has|have|had|is|will|would? approved|approves|gives|gave|give|advances|advance|lends|lend|lending|funds|puts|put|committed|commits|agreed|sanctioned|granted|offered|offers|offering|providing|provides|quoted|quoting|signed|cleared to|off|us|a|up|loan|facility? of? #$"], told: "loan {1}", has: &["cost", "ltc", "value", "ltv", "share", "yield"], lacks: &["max", "maximum", "payment"] },
    Wording { says: &["and? wants #$"], told: "payment {1}", has: &["rate"], lacks: &["price", "cap", "noi", "value", "irr"] },
    Wording { says: &["and|with|plus? there? is|sits? a|an|another #$ of? mezz|mezzanine|junior|subordinate|second loan|debt|piece|tranche|slice|layer|note|lien|mortgage|position? behind|below|beneath|underneath|under|junior|subordinate|sitting|ranking|on .. it|that|this|them|the|top senior?"], told: ", mezz {1}", has: LENT, lacks: NONE },
    Wording { says: &["and|with|plus? there? is|sits? a|an|another #$ of? mezz|mezzanine loan|debt|piece|tranche|slice|layer|note"], told: ", mezz {1}", has: LENT, lacks: NONE },
    Wording { says: &["existing? first mortgage|loan|lien stands|sits|balance? is|at|of #$", "senior debt|loan|mortgage|facility? stands|sits|runs|is at|to? #$"], told: "senior loan {1}", has: LENT, lacks: &["service", "dscr", "payments"] },
    Wording { says: &["the|latest|our|and? latest|last|recent|new|current? valuer|appraiser|surveyor|valuation|appraisal|assessor|broker|report says|said|reads|shows|gives|gave|puts|put|has|had|came|comes|pegs|pegged|is|was|reckons|thinks|concluded|concludes|landed|lands it|us|the|this? at|in|on|to|building|property|asset? at? #$", "the|latest|last|recent|current|new? latest|last|recent|current|new valuation|appraisal of|:|=? #$"], told: ", value {1}", has: LENT, lacks: NONE },
    Wording { says: &["all in leverage as|in an? ltv|percentage|percent?", "all in loan to value|ltv", "combined|total|overall|blended ltv|leverage as? ltv?"], told: "combined LTV", has: &["value", "valuation", "appraisal", "says", "valuer", "appraiser", "appraised"], lacks: &["max", "maximum", "limit"] },
    Wording { says: &["what|which share|percentage|percent|proportion|part|fraction of the? total|full? cost|costs|budget is|does|would that|it|this|the loan? be|cover|represent|make|fund?"], told: "LTC", has: &["loan", "bank", "lender"], lacks: NONE },
    // Interest first, then repayment.
    Wording { says: &["#y of i o|only?", "#y of io", "#m of i o|only?", "#m of io", "#m of interest only", "#m io", "#m i o", "#m interest only", "#y of interest only", "#y io", "#y i o", "#y interest only"], told: "interest-only for {1}", has: &["payment", "pay", "balloon", "amortization", "amortizes", "schedule", "check", "cheque", "amortizing", "monthly"], lacks: NONE },
    Wording { says: &["years|year #l1 to|through|and|until #l are|is|being|all|on|at? interest|io only?", "years|year #l1 #l are|is|being|all|on|at? interest|io only?"], told: "interest-only for {2} years", has: &["payment", "pay", "balloon", "amortization", "amortizes", "schedule", "check", "cheque", "amortizing", "monthly"], lacks: NONE },
    Wording { says: &[";|,? and|then? from year #l on|onward|onwards|forward? we? pay|paying|repay|repaying|amortize|amortizes|amortizing|it? monthly|principal? against|over|on a? #y schedule|amortization|term?"], told: ", then {2} amortization", has: &["balloon", "payment", "interest"], lacks: NONE },
    Wording { says: &["then? the? loan? then? amortizes|amortises|repays|amortizing|amortising monthly? over #y at? that|the? same? rate?"], told: "then {1} amortization", has: &["payment", "check", "cheque", "balloon", "pay"], lacks: NONE },
    Wording { says: &["what|how .. check|cheque|payment|instalment|installment|pay .. each|per|a|every? month? during|in|while|through|under|over .. io|i|interest o|only? period|phase|years|term? ,? and .. after|afterwards|jump|jumps|step|steps|rise|rises|go|goes|become|becomes|later|then|once|when|thereafter .. to? .. $"], told: "what is the monthly payment during the interest-only period and after it", has: &["io", "i", "interest"], lacks: NONE },
    // Tests of a loan.
    Wording { says: &["stabilized|stabilised|completed|finished value|worth"], told: "value", has: SIZES, lacks: &["as", "unstabilized"] },
    Wording { says: &["#% of? the? appraised|stabilized|stabilised|market? value", "#% of what it is worth"], told: "{1} LTV", has: SIZES, lacks: &["land", "vacancy"] },
    Wording { says: &["#% of? the? total|project|development? cost|costs|budget"], told: "{1} LTC", has: SIZES, lacks: &["land", "vacancy", "soft", "selling", "contingency"] },
    Wording { says: &["a|an|at? #x debt? service? cover|coverage|cushion"], told: "DSCR {1}", has: SIZES, lacks: &["current", "interest"] },
    Wording { says: &["to|at|on|by? the lower|lesser|smaller|tighter|smallest|lowest|least|stricter of|between :?", "whichever .. lower|less|smaller|least|tighter|smallest"], told: "to", has: SIZES, lacks: &["if"] },
    Wording { says: &["debt yield of? no|not|at lower|less|smaller|below|least than? #%", "debt yield floor|minimum of? #%", "a|an? #% minimum|min debt yield", "debt yield of? min|minimum #%"], told: "debt yield {1}", has: SIZES, lacks: NONE },
    Wording { says: &[",? calculated|tested|sized|measured|computed|worked|figured|assessed|stressed|using|based|assuming out? on? at|a? #% rate|interest|constant? rate?"], told: ", rate {1}", has: SIZES, lacks: &["constant"] },
    Wording { says: &["on|over|with|and? a? #y monthly? schedule|amortization|amortisation|amortizing|term monthly|loan? schedule|amortization? ,? paid|payable? monthly?", "on|over|with? monthly #y amortization|amortisation|amortizing|schedule"], told: "{1} amortization", has: SIZES, lacks: &["io", "interest", "balloon"] },
    Wording { says: &[";|,|and? no|without other|further test|tests|limit|limits|constraint|constraints|covenants apply|applies?"], told: "", has: SIZES, lacks: NONE },
    Wording { says: &["lender|lenders|bank limits|limit|caps|tests|constraints|maximums|ceilings are|is|of", "the? bank|lender caps|limits|restricts|holds us|it|proceeds|leverage at|to", "and|but? demands|insists|wants|requires|needs|asks on|for? at? least?"], told: ",", has: &["cover", "coverage", "dscr", "dcr", "proceeds"], lacks: &["if"] },
    Wording { says: &["what|which test|limit|one|constraint is|binds|bites|rules|governs the? as? constraint|binding|well|limiting|tightest|one|tests?", "tell me? what|which limit|test|constraint|one binds|bites|governs|rules as|too? well?", "and? which test|limit|constraint is the constraint|limit|one|binding", "and? which binds|bites|governs"], told: "what binds", has: SIZES, lacks: NONE },
    Wording { says: &["how much .. can|could|may we|i|they|it|she|he get|raise|have|obtain|draw"], told: "how much can we borrow", has: &["sizes", "sizing", "lender", "lender's", "bank"], lacks: &["price", "equity", "irr", "cash"] },
    Wording { says: &["how|what much? will|would|can|could|might|should they|he|she|it|the|a? bank|lender|lenders|insurer? lend|advance|give|offer|provide us|me?"], told: "how much can we borrow", has: &["dscr", "dcr", "ltv", "ltc", "yield", "cover", "coverage", "limits", "tests"], lacks: NONE },
    Wording { says: &["how big|large|much .. loan|debt can|could|will we|i|they get|raise|have|carry|take"], told: "how much can we borrow", has: &["dscr", "dcr", "ltv", "ltc", "yield", "cover", "coverage", "tests", "value"], lacks: NONE },
    // Coverage.
    Wording { says: &["would|do|does|will|can|are we|it|this|they|the loan|deal|property? pass|clear|meet|satisfy|make|fail|passing a|an|the|our? #x dscr|coverage|cover|dcr? test|covenant|hurdle|minimum|requirement? ? "], told: "", has: &["dscr", "dcr", "coverage"], lacks: NONE },
    Wording { says: &["would|do|does|will|can|are we|it|this|they|the loan|deal|property? pass|clear|meet|satisfy|make|fail|passing a|an|the|our? #x dscr|coverage|cover|dcr? test|covenant|hurdle|minimum|requirement?"], told: "", has: &["dscr", "dcr", "coverage"], lacks: NONE },
    Wording { says: &["if|when|where|and|while|with? the|our|this|that|its? property|building|asset|center|centre|it|deal|complex|place|tower|portfolio nets|netting|clears|earns|yields|generates|produces|makes|brings|throws in|off|out? of? #$", "nets|netting #$"], told: ", NOI {1}", has: RATIOS, lacks: &["noi", "price", "revenue", "rent", "rents", "egi", "gross"] },
    Wording { says: &["a|an|the|our? #$ loan? request|ask|funding|financing|application", "an|the|our|a|loan? request|ask|application of|for|is|:? #$ from the|a|our? lender|bank?"], told: "loan {1}", has: &["yield", "dscr", "dcr", "ltv", "ltc", "coverage"], lacks: &["max", "maximum"] },
    Wording { says: &["annual|yearly? debt service runs|totals|costs|takes|eats|amounts|adds|comes|works is|to|out|up? to|at? at? #$"], told: "debt service is {1}", has: COVERS, lacks: NONE },
    Wording { says: &["#$ of|in monthly debt service", "#$ of|in monthly mortgage? payments|payment", "#$ of|in monthly principal and interest", "#$ of|in monthly p and|&? i", "#$ a|per month of|in p and|&? i"], told: "{1} a month of debt service", has: COVERS, lacks: NONE },
    Wording { says: &["#$ that? is|are? going|goes|go|paid|owed|due to the|our|a? bank|lender|lenders|mortgage each|every|a|per? year|annually|yearly?", "#$ of|in mortgage|loan|bank payments each|every|a|per? year|annually|yearly?", "#$ for|to|on|toward|towards the|our? mortgage|loan|debt|bank|lender each|every|a|per? year|annually|yearly?"], told: "{1} of debt service", has: &["breakeven", "even"], lacks: &["month", "monthly"] },
    // How it is repaid.
    Wording { says: &["#n equal|level monthly? installments|instalments|payments|repayments due|paid|payable|made? at|on|in the? month|end|arrears end|of? each|every|the? month?", "#n equal|level monthly installments|instalments|payments|repayments"], told: "repaid in {1} monthly payments", has: &["loan", "note", "mortgage", "second", "financed", "finance", "borrow", "borrowed"], lacks: &["balloon", "quarterly", "annual", "amortization", "advance"] },
    Wording { says: &[",|with|has|and|; #p"], told: ", repaid in {1}", has: &["loan", "note", "mortgage", "second", "financed", "finance", "borrow", "borrowed"], lacks: &["balloon", "amortization", "amortizing", "amortisation", "schedule", "am", "term", "balance", "after", "left", "remaining"] },
    Wording { says: &["how|what .. is|are|would|will|does each|every|one of? one|them? be|cost|run|come? to? $"], told: "what is the monthly payment", has: &["loan", "note", "mortgage", "second", "financed", "finance", "borrow", "borrowed", "repaid", "off"], lacks: &["balance", "interest", "rent"] },
    Wording { says: &["#p in|into|later|down|made|on of? the|it|this|loan|schedule? ,", "#y in|into|later|on the|it|this|loan|schedule? ,", "#m in|into|later|on the|it|this|loan|schedule? ,"], told: "after {1},", has: &["balance", "owe", "owed", "left", "outstanding", "remaining", "remains", "balloon", "payoff"], lacks: &["noi", "irr"] },
    Wording { says: &["how|what much? principal|of the? principal|balance|loan|debt is|would|will|do|remains|does still|be|we|i? still|be? left|outstanding|owed|owing|unpaid|remaining|remain|owe?"], told: "what is the loan balance", has: &["left", "outstanding", "owed", "owing", "unpaid", "remaining", "remains", "remain", "owe"], lacks: &["noi", "irr"] },
    Wording { says: &["mortgage|loan|debt constant : #%"], told: "what is the mortgage constant at {1}", has: NONE, lacks: &["value", "dscr", "noi", "loan"] },
    Wording { says: &["^ loan|mortgage|note|debt|principal balance|payoff after|at"], told: "balance after", has: NONE, lacks: &["noi", "value", "irr"] },
    Wording { says: &["what|how|much .. owe|owed|owing on|against the|a|an|our|my? #$ loan|mortgage|note?", "what|how|much .. left|outstanding|unpaid|remaining|remains on|of the|a|an|our|my? #$ loan|mortgage|note?"], told: "what is the balance on a {1} loan", has: &["after", "later", "made"], lacks: &["noi", "irr"] },
    Wording { says: &["a|an|the? #$ second|first mortgage|lien|note|trust? at", "finance|finances|financed|financing #$ of|for .. at", "finance|finances|financed|financing #$ at"], told: "loan of {1} at", has: NONE, lacks: &["noi", "ltv", "price", "value", "senior"] },
    Wording { says: &["how much|what .. each|every|per|a month $"], told: "what is the monthly payment", has: &["loan", "note", "mortgage", "financed", "finance", "borrow", "borrowed", "repaid"], lacks: &["interest", "balance", "principal", "rent"] },
    Wording { says: &["#m1 of|'s? interest", "interest for|over|of #m1"], told: "30/360 interest for 30 days", has: &["30/360"], lacks: NONE },
    Wording { says: &["prepay|prepaying|repaying|repay|paying retire|retiring? off|early? a|an|the? #$ balance|loan? early|off? with|at|under|for|carries|has a|an|the? #% penalty|premium|fee|charge"], told: "prepayment penalty of {2} on a balance of {1}", has: NONE, lacks: &["maintenance", "treasury"] },
    // A sum today for payments to come.
    Wording { says: &["today '? s? value|worth of|for", "value today of"], told: "present value of", has: &["compounded", "discounted", "discounting", "using", "month", "monthly", "quarterly"], lacks: &["noi", "cap", "irr", "npv", "exit"] },
    Wording { says: &["what|how much? .. pay|offer for it|that|this|them? now|today"], told: "what is it worth today", has: &["compounded", "discounted", "discounting"], lacks: &["noi", "cap", "irr", "npv", "exit"] },
    // What a project costs, part by part.
    Wording { says: &["the|our|a? sponsor|buyer|borrower|developer|we|they|who|i? is|are|am? paying|pays|pay|paid|bought|buying|buys #$ for the|a|an? building|property|asset|site|land|place|shell|complex|center|centre|hotel|warehouse|acquisition|purchase"], told: "purchase {1}", has: &["ltc", "cost"], lacks: &["ltv", "irr", "cap"] },
    Wording { says: &[",|and|then|plus? is|are|will? spending|spends|spend|putting|puts|put|investing|budgets|budgeting|budgeted? another|about? #$ on|into|for|of|in the|a|its? renovation|renovations|rehab|refurbishment|improvements|works|upgrades|capex|construction"], told: ", renovation {1}", has: &["ltc", "cost"], lacks: &["ltv", "irr", "cap", "hard"] },
    Wording { says: &[",|and|then|plus? #$ on|of|in|for|to closing|close|soft|financing|legal and|& carry|fees|legal|costs|closing costs?", ",|and|then|plus? #$ on|of|in|for closing costs|fees|carry", ",|and|then|plus? #$ on|of|in|for|to closing"], told: ", closing costs {1}", has: &["ltc", "cost"], lacks: &["ltv", "irr", "cap", "hard"] },
    Wording { says: &[",|and? wants|want|seeks|seeking|requests|requesting|asks|asking|needs|taking|takes|gets|getting a|an|for|out? a|an? #$ loan|mortgage|facility|senior|bridge|construction? loan|facility?"], told: ", loan {1}", has: &["ltc", "ltv", "dscr"], lacks: &["irr", "max", "maximum"] },
    // A rate that is given for the period is fixed for it.
    Wording { says: &["floating rate? loan|note|debt|facility|mortgage?", "floater"], told: "loan", has: &["act/360", "actual/360", "act/365", "actual/365"], lacks: &["cap", "hedge", "swap", "if", "index", "sofr", "spread", "margin"] },
    Wording { says: &["all in coupon|rate|pay"], told: "rate", has: &["act/360", "actual/360", "act/365", "actual/365"], lacks: &["if", "spread", "margin"] },
    // Rates.
    Wording { says: &["on|in|as an|a? effective annual|yearly|annualised|annualized basis|terms|rate? .. is? what|that|it?", "on|in an? effective annual|yearly basis|terms", "on|in an? annual|yearly effective basis|terms"], told: "what is the effective annual rate", has: &["monthly", "month", "quarterly", "quarter"], lacks: &["loan", "mortgage", "payment"] },
    Wording { says: &["at what compound|compounded|compounding annual|yearly? growth? rate .. appreciate|appreciated|grow|grew|increase|rise|rose|compound", "what compound|compounded annual|yearly? growth? rate .. appreciate|grow|increase|rise|appreciation", "what .. annual|yearly rate of? appreciation|growth"], told: "compound annual growth rate", has: &["for", "to", "later"], lacks: &["loan", "noi"] },
];
