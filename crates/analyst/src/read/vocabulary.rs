//! The words people use for variables, and words that change what a question means.
//!
//! Knows no values. A phrase matches across hyphens and plural s; the longest phrase wins.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::read::linking::neutral;
use crate::read::renaming::renamed;
use crate::read::terms::rank;
use crate::words::scan::{Per, Shape, Token};
use finance::variable::Variable::{self, *};

/// A variable named in the question.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mention {
    /// `None` for a quantity that is known by name but not computed with.
    pub(crate) variable: Option<Variable>,
    /// A verb such as "pay": takes an amount, and is never what is asked for.
    pub(crate) verb: bool,
    /// First token and the one after the last.
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// "monthly NOI", "annual debt service".
    pub(crate) period: Option<Per>,
}

#[rustfmt::skip]
const NOUNS: &[(Variable, &[&str])] = &[
    (Noi, &["noi", "income after expenses", "income after all expenses", "income after operating expenses", "income after operating costs", "of net rent", "net passing rent", "of net income", "net of operating costs", "net of operating expenses", "a net", "net operating profit", "net operating", "net operating income", "n o i", "operating income", "underwritten noi", "stabilized noi", "net income before debt", "net income before debt service", "income before debt service", "net before debt"]),
    (Price, &["ask is", "ask of", "the ask", "asking is", "price", "purchase price", "acquisition price", "asking price", "sale price", "contract price", "acquisition cost"]),
    (Value, &["direct cap value", "direct capitalization value", "direct capitalisation value", "capitalized value", "capitalised value", "it trade for", "it fetch", "building fetch", "property fetch", "property trade for", "building trade for", "asset trade for", "a buyer pay", "buyer pay for", "buyer pay", "be worth", "value would you put on", "value do you put on", "values the building at", "values it at", "values the property at", "puts the property at", "put the property at", "puts the building at", "put the building at", "puts it at", "put it at", "puts the value at", "would you pay for", "should we pay for", "could we pay for", "can we pay for", "should i pay for", "would we pay for", "value", "worth", "appraisal", "appraised", "appraised value", "market value", "valuation", "property value", "appraised at", "valued at", "valued", "appraises", "appraises at", "building value", "asset value"]),
    (CapRate, &["yield", "market yield", "initial yield", "net yield", "entry yield", "net initial yield", "going in yield of", "all risks yield", "income yield", "cap are we going in at", "cap", "cap rate", "caprate", "going in", "going in cap", "going in cap rate", "going in yield", "capped at", "capitalized at", "capitalised at", "capitalization rate", "capitalisation rate", "entry cap", "entry cap rate", "initial cap rate"]),
    (DebtService, &["interest and principal", "interest and principal on the mortgage", "interest and principal on the loan", "principal and interest on the mortgage", "principal and interest on the loan", "interest plus principal", "mortgage costs", "mortgage cost", "loan service", "loan repayments", "mortgage repayments", "loan payments a year", "pays on its mortgage", "debt service", "annual debt service", "ads", "ds", "max debt service", "maximum debt service", "total debt service", "debt payment", "debt payments", "mortgage service"]),
    (Payment, &["monthly repayment", "monthly repayments", "mortgage repayment", "interest and capital", "capital and interest", "interest and capital repayments", "interest and capital repayment", "cost monthly", "cost per month", "cost a month", "cost each month", "cost me monthly", "cost me a month", "cost us a month", "payment", "monthly payment", "p and i", "p and i payment", "pmt", "installment", "instalment", "mortgage payment", "loan payment", "monthly mortgage", "principal and interest", "p i"]),
    (IoPayment, &["interest only payment", "io payment", "i o payment"]),
    (Loan, &["construction loan", "development loan", "bridge loan", "acquisition loan", "bank loan", "outstanding on the loan", "lent", "lends", "amount lent", "amount borrowed", "loan", "loan amount", "loan balance", "loan size", "mortgage", "note", "debt", "borrowing", "senior loan", "first mortgage", "mortgage amount", "loan principal", "principal", "principal balance", "mortgage balance", "proceeds", "loan proceeds"]),
    (Rate, &["interest rate", "rate", "coupon", "note rate", "annual rate", "annual interest", "mortgage rate", "loan rate", "interest rate per year", "rate of interest", "fixed rate", "nominal rate", "constant rate"]),
    (AmortizationYears, &["amortization", "amortisation", "amortizing", "amortising", "am", "amort", "amortized over", "amortised over", "amortizes over", "amortize over", "paid off over", "pay off over", "paid back over", "repaid over", "repay over", "amortization period", "amortization schedule", "am schedule", "schedule", "amortized", "self amortizing", "fully amortizing"]),
    (HeldYears, &["elapsed", "seasoned"]),
    (Balance, &["still be outstanding", "is still outstanding", "still outstanding", "then still outstanding", "outstanding", "be outstanding", "remain outstanding", "remains outstanding", "is left to repay", "left to repay", "still owe then", "owe then", "still to be repaid", "outstanding then", "outstanding principal", "principal outstanding", "balloon do we face", "balance left", "remaining balance", "outstanding balance", "balance outstanding", "balloon", "balloon balance", "balloon payment", "owe at maturity", "owed at maturity", "due at maturity", "payoff", "payoff balance", "payoff amount", "balance", "ending balance", "left to pay", "left owing", "still owed", "still owe", "principal left", "remaining principal", "remaining loan balance", "outstanding loan balance", "unpaid balance", "unpaid principal balance", "left on the loan", "left on the mortgage"]),
    (Constant, &["loan constant", "mortgage constant", "debt constant", "constant", "annual constant", "annual loan constant", "annual mortgage constant"]),
    (Dscr, &["cover", "times over is the debt service covered", "times is the debt service covered", "times is debt service covered", "times the debt service is covered", "times the debt service", "cover the debt service", "covers the debt service", "covers debt service", "cover debt service", "dscr floor", "debt service cover ratio", "interest and capital cover", "dscr", "dcr", "dsc", "debt service coverage", "debt service coverage ratio", "debt service cover", "debt coverage", "debt coverage ratio", "coverage ratio", "coverage", "debt cover", "debt service ratio", "debt service cover ratio"]),
    (DebtYield, &["debt yield", "debt yields", "dy", "debt yld", "yield on debt"]),
    (Ltv, &["ltv cap", "ltv limit", "ltv ceiling", "ltv constraint", "ltv test", "max ltv", "percentage of the value", "share of the value", "percentage of its value", "share of its value", "percentage of value", "part of the value", "ltv", "leverage", "loan to value", "loan to value ratio", "ltvs"]),
    (Ltc, &["percentage of the total cost", "share of the total cost", "percentage of total cost", "share of total cost", "percentage of the cost", "share of the cost", "percentage of the costs", "share of the costs", "ltc cap", "ltc limit", "ltc", "loan to cost", "loan to cost ratio"]),
    (TotalCost, &["total cost", "total project cost", "project cost", "all in cost", "total development cost", "development cost", "total budget", "project budget", "budget", "cost basis", "all in basis", "total capitalization", "total capitalisation", "total costs", "all in costs", "total uses"]),
    (LandCost, &["land", "land cost", "land price", "site", "site cost", "dirt", "land acquisition"]),
    (HardCost, &["hard cost", "hard costs", "hard", "hards", "construction cost", "construction costs", "construction", "build cost", "build costs", "building works", "building costs", "construction works"]),
    (SoftCost, &["professional fees", "architects' fees", "design fees", "soft cost", "soft costs", "soft", "softs"]),
    (FinancingCost, &["finance", "interest carry and fees", "financing cost", "financing costs", "finance cost", "finance costs", "financing", "financing fees", "carry", "interest carry", "interest reserve", "capitalized interest"]),
    (Equity, &["equity cheque", "of our own money", "own money", "our own money", "our own money in it", "down payment plus closing costs", "down payment and closing costs", "down payment plus closing", "cash to close", "own capital", "own cash", "own funds", "of equity", "equity", "equity invested", "cash invested", "equity in", "cash equity", "down payment", "cash in", "our equity", "invested equity", "initial equity", "total equity", "equity contribution", "equity check", "cash down", "down", "equity contributed", "contributed equity"]),
    (CashFlow, &["cash flow after debt service", "cash flow after debt", "after debt service", "noi after debt service", "noi after debt", "noi less debt service", "noi net of debt service", "after debt", "after financing", "after the mortgage", "before tax cash flow", "btcf", "annual cash flow", "cash flow", "cashflow", "free cash flow", "net cash flow", "cfads"]),
    (ClosingCosts, &["closing costs", "closing cost", "acquisition costs", "acquisition fees"]),
    (Reserves, &["aside for capital works", "aside for capital replacements", "aside for capex", "aside for replacements", "sets aside", "set aside", "setting aside", "puts aside", "put aside", "capital replacements", "capital works", "reserve", "reserves", "capex reserve", "capex reserves", "replacement reserve", "replacement reserves", "capital reserve", "capital reserves", "capex", "reserve deposit", "capital expenditure reserve"]),
    (CashOnCash, &["percentage of the equity comes back", "share of the equity comes back", "percentage of our equity comes back", "cash on cash", "cash on cash return", "cash on cash yield", "coc", "coc return", "cash yield"]),
    (EquityMultiple, &["times their money", "times our money", "times my money", "times his money", "times her money", "times the money", "times its money", "equity multiple", "multiple", "moic", "multiple on equity", "em", "multiple on invested capital", "money multiple"]),
    (Distributions, &["distributions", "total distributions", "distribution"]),
    (Breakeven, &["cover itself", "covers itself", "covers its costs", "cover its costs", "cover all costs", "covers all costs", "just covered", "break even occupancy", "breakeven occupancy", "break even", "breakeven", "break even ratio", "breakeven ratio", "break even point", "break even occ"]),
    (Opex, &["running costs", "running cost", "opex", "operating expense", "operating expenses", "expenses", "operating costs", "operating cost", "op ex", "total expenses", "total opex"]),
    (Pgi, &["potential gross income", "pgi", "gross potential income", "gpi", "potential gross", "gross potential", "potential income", "potential gross revenue", "gross income potential", "total potential income"]),
    (Gpr, &["rents would come to", "rent would come to", "gpr", "gross potential rent", "potential rent", "gross potential rents", "potential gross rent"]),
    (Egi, &["egi", "effective gross income", "effective gross", "effective gross revenue"]),
    (OpexRatio, &["operating expense ratio", "opex ratio", "expense ratio", "oer", "operating ratio"]),
    (GrossRent, &["gross rent", "gross annual rent", "gross rents", "annual gross rent", "gross rental income", "gross scheduled rent", "annual gross rents", "rents", "gross rent roll", "annual rent", "rental income", "rents total", "rent totals", "total rents", "rents of all", "rents come to", "rents amount to"]),
    (Grm, &["multiple of the gross annual rent", "multiple of the annual rent", "multiple of the gross rent", "multiple of gross rent", "multiple of annual rent", "multiple of the yearly rent", "multiple of the rent", "times the annual rent", "times the gross annual rent", "times the gross rent", "grm", "gross rent multiplier", "gross rent multiple", "rent multiplier"]),
    (Collections, &["collected", "banked", "of rent banked", "rent received", "received in rent", "of rent received", "rent receipts", "cash collected", "came in as rent", "really came in", "actually came in", "rent that came in", "rents that came in", "was actually collected", "actually received", "collections", "collect", "rent collected", "collecting", "actual collections", "actually collected"]),
    (EconomicOccupancy, &["economic occupancy", "economic occ", "econ occ", "econ occupancy"]),
    (PhysicalOccupancy, &["physical occupancy", "physical occ", "unit occupancy", "occupancy", "occupancy rate"]),
    (OccupiedUnits, &["occupied", "occupied units", "leased", "leased units", "are occupied", "rented"]),
    (ExitCap, &["exit yield", "terminal yield", "exit capitalization rate", "buyer pays a", "exit cap", "exit cap rate", "terminal cap", "terminal cap rate", "reversion cap", "reversionary cap", "residual cap", "residual cap rate", "going out cap", "exit at a", "disposition cap"]),
    (SaleCostShare, &["sale itself costs", "costs of the sale", "disposal costs", "cost of disposal", "agents and legals", "sale costs", "selling costs", "sale cost", "selling cost", "costs of sale", "cost of sale", "disposition costs", "selling expenses", "transaction costs", "broker and closing costs", "cost to sell", "sales costs"]),
    (NetSale, &["get net", "do we get net", "owner keep", "does the owner keep", "seller keep", "keep before paying off", "walk away with before paying off", "left after selling costs", "net sale proceeds", "net proceeds", "net sales proceeds", "net reversion", "do we net", "would we net", "net sale price", "we net", "net from the sale", "net on the sale"]),
    (GrossSale, &["exit value", "sale value", "reversion value", "terminal value", "reversion", "gross sale price", "exit price", "residual value"]),
    (MaxLoan, &["can i borrow", "can we borrow", "can they borrow", "could they borrow", "could i borrow", "could we borrow", "can be borrowed", "be borrowed at most", "can we lend", "can i lend", "could we lend", "should we lend", "can the bank lend", "can a bank lend", "can the lender lend", "can they lend", "could the bank lend", "will the bank lend", "would the bank lend", "max loan", "maximum loan", "max proceeds", "maximum proceeds", "loan sizing", "size the loan", "size a loan", "size our loan", "size it", "largest loan", "biggest loan", "max loan amount", "maximum loan amount", "how much can we borrow", "how much can i borrow", "how much could we borrow", "how much could i borrow", "size the debt", "size this loan", "max debt", "loan we can get", "sized loan", "supportable loan", "what binds", "binding constraint"]),
    (Irr, &["irr", "internal rate of return", "money weighted return", "return per annum", "rate of return per annum", "constant yearly discount rate", "constant annual discount rate", "constant discount rate", "levered irr", "unlevered irr", "leveraged irr", "irrs", "project irr", "equity irr", "annualized return", "annualised return", "annualized rate of return", "annual rate of return", "compound annual return", "annual return"]),
    (Npv, &["worth on balance", "npv", "net present value", "n p v"]),
    (Mirr, &["mirr", "modified irr", "modified internal rate of return", "modified rate of return"]),
    (DiscountRate, &["buyer requires", "investor requires", "i require", "we require", "money costing me", "money costs me", "money costs us", "i discount at", "to hit", "to earn", "discount rate", "discounted at", "discount at", "hurdle rate", "hurdle", "discounting at", "required return", "required rate of return", "cost of capital", "target return"]),
    (FinanceRate, &["finance rate", "financing rate", "borrowing rate", "borrowing costs us", "borrow at", "finance at", "borrowing cost", "borrowing cost of"]),
    (ReinvestRate, &["reinvestment rate", "reinvest rate", "reinvest at", "reinvested at", "reinvest", "reinvestment"]),
    (EffectiveRate, &["amount to per year if", "that a year with", "effectively per year", "effectively a year", "year with compounding", "a year with compounding", "per year with compounding", "bear per year", "effectively bear per year", "effective annual rate", "effective rate", "ear", "effective annual yield", "effective yield", "effective annual", "apy", "effective yearly rate", "effective yearly", "effective yearly yield", "annual effective rate", "effective interest rate", "true annual rate"]),
    (InterestPaid, &["interest paid", "interest expense", "interest cost", "total interest"]),
    (PrincipalPaid, &["principal paid", "principal repaid", "principal paydown", "principal pay down", "principal reduction", "principal do we pay", "principal is paid", "principal gets paid", "principal is repaid", "principal repayment", "principal gets repaid", "principal paid down", "principal is paid down", "principal retired", "principal amortized", "principal do we repay"]),
    (PresentValue, &["present value"]),
];

/// Verbs with an amount. Longest first within one start word is found by length.
#[rustfmt::skip]
const VERBS: &[(Variable, &[&str])] = &[
    (Price, &["pay", "paying", "paid", "buy", "buying", "bought", "buy it for", "buying it for", "bought for", "bought it for", "purchase", "purchased", "purchased for", "purchasing", "purchasing for", "asks", "asking", "on offer for", "on offer at", "offered for", "for sale at", "for sale for", "on the market at", "on the market for", "listed at", "listed for", "priced at", "going for", "trading at", "trades at", "traded at", "acquire", "acquired", "acquiring", "acquired for", "acquire it for", "under contract at", "under contract for", "purchase for", "wants", "they want", "offered at", "offering at", "selling for", "sells for", "picking it up for", "pick it up for"]),
    (Loan, &["pay off", "paying off", "payoff of", "paid off", "retire", "repay", "repaying", "owe", "owes", "owed", "borrow", "borrowed", "owing", "advance", "advances", "advanced", "lend us", "lends us", "lent us"]),
    (Equity, &["invested", "put in", "equity of"]),
    (GrossRent, &["brings in", "rents for", "gross", "grosses", "bring in"]),
];

/// Quantities that would be misread if they were not known by name.
#[rustfmt::skip]
pub(crate) const OTHERS: &[&str] = &[
    "multiple occupation", "bond yield", "gilt yield", "gilts", "treasury yield", "reversionary yield", "equivalent yield", "dividend yield", "yield maintenance", "current yield", "running yield", "yield to maturity", "holdback", "penalties", "kicker", "bonus", "allowance", "rebates", "stamp duty", "cash flow before debt service", "cash flow before debt", "gross income", "income", "rental revenue", "gross sales", "total income", "price per unit", "price per door", "price per square foot", "price per sf", "price per foot", "per unit", "per door", "noi margin", "noi growth", "rent growth", "growth rate", "growth", "vacancy", "vacancy rate", "tax", "taxes", "property tax", "property taxes", "insurance", "ebitda", "net income", "revenue", "gross revenue", "total revenue", "depreciation", "fee", "fees", "origination fee", "points", "tenant improvements", "ti", "tis", "commissions", "leasing commissions", "yield on cost", "return on cost", "roi", "return on investment", "return on equity", "cap ex", "management fee", "other income", "parking", "concessions", "bad debt", "loss to lease", "inflation", "cpi", "spread", "index", "sofr", "treasury", "swap", "margin", "loan fee", "loan fees", "loan costs", "mezz", "mezzanine", "mezz loan", "mezzanine loan", "second mortgage", "preferred equity", "pref equity", "preferred return", "pref", "earnest money", "deposit", "escrow", "assessed value", "insured value", "book value", "replacement cost", "price per key", "loan per unit", "equity yield", "gross yield", "interest coverage", "interest cover", "fixed charge", "gross margin", "gain", "basis", "salvage", "profit", "net cash", "ground rent", "additional debt", "other debt", "existing debt", "existing loan", "new loan", "old loan", "junior loan", "junior debt", "second lien", "loan term", "value add", "value per", "assessment", "prepayment", "penalty", "credit", "credits", "subsidy", "grant", "rebate", "discount", "vacant", "market rent", "asking rent", "base rent", "contract rent", "effective rent", "stabilized value", "future value", "land value",
];

struct Entry {
    words: Vec<&'static str>,
    variable: Option<Variable>,
    verb: bool,
}

static INDEX: LazyLock<HashMap<&'static str, Vec<Entry>>> = LazyLock::new(|| {
    let mut index: HashMap<&'static str, Vec<Entry>> = HashMap::new();
    let mut add = |phrase: &'static str, variable: Option<Variable>, verb: bool| {
        let words: Vec<&'static str> = phrase.split(' ').collect();
        if let Some(first) = words.first() {
            index.entry(first).or_default().push(Entry {
                words,
                variable,
                verb,
            });
        }
    };
    for (variable, phrases) in NOUNS {
        phrases
            .iter()
            .for_each(|phrase| add(phrase, Some(*variable), false));
    }
    for (variable, phrases) in VERBS {
        phrases
            .iter()
            .for_each(|phrase| add(phrase, Some(*variable), true));
    }
    OTHERS.iter().for_each(|phrase| add(phrase, None, false));
    index
});

/// The variables named in the tokens, left to right, without overlap.
pub(crate) fn mentions(tokens: &[Token]) -> Vec<Mention> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some((entry, to)) = longest(tokens, at)
            .filter(|(entry, to)| !ranked(tokens, at, entry) && left_over(tokens, at, *to, entry))
            .filter(|(entry, to)| !aside(tokens, at, *to, entry))
        {
            let named = renamed(tokens, (at, to), &entry.words, entry.variable, entry.verb);
            found.push(Mention {
                variable: named.or(entry.variable),
                verb: entry.verb,
                from: at,
                to,
                period: adjective(tokens, at).or_else(|| trailing(tokens, at, to)),
            });
            at = to;
        } else {
            at += 1;
        }
    }
    if found.iter().any(|mention| mention.variable == Some(Ltc)) {
        costs(tokens, &mut found);
    }
    found
}

/// "does it create value?", "caps at 65% LTV": words that name nothing here.
fn aside(tokens: &[Token], at: usize, to: usize, entry: &Entry) -> bool {
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", Token::word);
    let before = word(at.checked_sub(1));
    let creates = entry.variable == Some(Value)
        && entry.words == ["value"]
        && matches!(before, "create" | "creates" | "creating" | "destroy" | "destroys");
    let limits = entry.variable == Some(CapRate)
        && tokens
            .get(at)
            .is_some_and(|token| matches!(token.word(), "caps" | "capped"))
        && (to..to + 3).any(|at| {
            tokens.get(at).is_some_and(|token| token.number().is_some())
                && matches!(word(Some(at + 1)), "ltv" | "ltc" | "loan" | "leverage")
        });
    // "Is it worth it?"
    let idle = entry.words == ["worth"] && word(Some(to)) == "it";
    let number = |at: usize| tokens.get(at).and_then(Token::number);
    // "1.05m down" is equity, "down 50k" is a fall.
    let falls =
        entry.words == ["down"] && (at.checked_sub(1).and_then(number).is_none() || number(to).is_some());
    // "net of operating costs 120k" names the costs, "a net lease" no income.
    let next_number = number(to).is_some() || (word(Some(to)) == "of" && number(to + 1).is_some());
    let net = (entry.words.first() == Some(&"net") && entry.words.get(1) == Some(&"of") && next_number)
        || (entry.words == ["a", "net"] && number(to).is_none());
    // "and finance 450k" is a cost of the project, "we finance 7m" a loan.
    let listed = entry.words == ["finance"]
        && !(number(to).is_some()
            && at.checked_sub(1).is_some_and(|before| {
                word(Some(before)) == "and" || tokens.get(before).is_some_and(|token| token.is_mark(','))
            }));
    // "1.3x cover": a noun of its own only beside a multiple.
    let covered = entry.words == ["cover"]
        && !at
            .checked_sub(1)
            .and_then(number)
            .is_some_and(|number| number.shape == Shape::Multiple);
    creates || limits || idle || falls || net || listed || covered
}

/// Beside a loan to cost, "cost" and "all-in" are the cost of the project; "marketing cost" is not.
fn costs(tokens: &[Token], found: &mut Vec<Mention>) {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let mut more = Vec::new();
    for from in 0..tokens.len() {
        // "9.6m purchase, 1.15m of rehab and 250k closing": parts of the cost right behind their amounts.
        let behind = from.checked_sub(1).is_some_and(|before| {
            let of = usize::from(word(before) == "of");
            tokens
                .get(before - of.min(before))
                .is_some_and(|token| token.number().is_some())
        });
        let part = match word(from) {
            "purchase" => Some(LandCost),
            "rehab" | "renovation" | "refurbishment" | "refurb" => Some(HardCost),
            "closing" => Some(SoftCost),
            _ => None,
        };
        let to = match word(from) {
            "purchase" | "rehab" | "renovation" | "refurbishment" | "refurb" | "closing" if behind => {
                from + 1
            }
            "cost" | "costs" | "costing" => from + 1,
            "all" => {
                let dash = usize::from(tokens.get(from + 1).is_some_and(|token| token.is_mark('-')));
                if word(from + 1 + dash) != "in" {
                    continue;
                }
                from + 2 + dash
            }
            _ => continue,
        };
        if found
            .iter()
            .any(|mention| (mention.from..mention.to).contains(&from))
        {
            continue;
        }
        let before = from.checked_sub(1).map_or("", word);
        let own = before != "interest" && (before.is_empty() || neutral(before));
        more.push(Mention {
            variable: part.or(own.then_some(TotalCost)),
            verb: false,
            from,
            to,
            period: None,
        });
    }
    found.extend(more);
    found.sort_by_key(|mention| mention.from);
}

/// "$62,400 a year after debt service" names the amount before it; anywhere else "after" only orders.
fn left_over(tokens: &[Token], at: usize, to: usize, entry: &Entry) -> bool {
    if entry.words.first() != Some(&"after") {
        return true;
    }
    let before = (1..=3).any(|back| {
        at.checked_sub(back)
            .and_then(|at| tokens.get(at))
            .is_some_and(|token| token.number().is_some())
    });
    let valued = tokens.get(to).is_some_and(|next| {
        next.number().is_some() || matches!(next.word(), "of" | "is" | "at" | "are") || next.is_mark(':')
    });
    before && !valued
}

/// "the first payment" says which one, not how much.
fn ranked(tokens: &[Token], at: usize, entry: &Entry) -> bool {
    let before = at
        .checked_sub(1)
        .and_then(|at| tokens.get(at))
        .map_or("", Token::word);
    entry.variable == Some(Payment) && (rank(before).is_some() || matches!(before, "last" | "final" | "next"))
}

fn longest(tokens: &[Token], at: usize) -> Option<(&'static Entry, usize)> {
    let word = tokens.get(at)?.word();
    if word.is_empty() {
        return None;
    }
    let entries = INDEX.get(word).or_else(|| INDEX.get(word.strip_suffix('s')?))?;
    entries
        .iter()
        .filter_map(|entry| matches(tokens, at, &entry.words).map(|to| (entry, to)))
        // "the loan costs me 4,100 a month": a verb, and no name of a cost.
        .filter(|(entry, to)| {
            let person = tokens
                .get(*to)
                .is_some_and(|next| matches!(next.word(), "me" | "us" | "you" | "them"));
            !(person && entry.words.last() == Some(&"costs"))
        })
        .max_by_key(|(entry, to)| (*to, !entry.verb))
}

/// The token after the phrase, if it stands at `at`.
pub(crate) fn matches(tokens: &[Token], at: usize, words: &[&str]) -> Option<usize> {
    let mut at = at;
    for (position, expected) in words.iter().enumerate() {
        if position > 0 {
            while tokens
                .get(at)
                .is_some_and(|token| token.is_mark('-') || token.is_mark('/'))
            {
                at += 1;
            }
        }
        let word = tokens.get(at)?.word();
        if word != *expected && word.strip_suffix('s') != Some(expected) {
            return None;
        }
        at += 1;
    }
    Some(at)
}

/// "NOI per month 50k", "NOI (monthly): 50k".
fn trailing(tokens: &[Token], from: usize, to: usize) -> Option<Per> {
    let word = |at: usize| tokens.get(at).map_or("", Token::word);
    let open = usize::from(tokens.get(to).is_some_and(|token| token.is_mark('(')));
    let at = to + open;
    let (per, next) = match (word(at), word(at + 1)) {
        ("monthly", _) => (Per::Month, at + 1),
        ("quarterly", _) => (Per::Quarter, at + 1),
        ("per" | "a" | "each" | "every", "month") => (Per::Month, at + 2),
        ("per" | "a" | "each" | "every", "quarter") => (Per::Quarter, at + 2),
        ("", "month") if tokens.get(at).is_some_and(|token| token.is_mark('/')) => (Per::Month, at + 2),
        _ => return None,
    };
    // "63k NOI/month", "63k of NOI a month": the number stands before.
    let ahead = (1..=2).any(|back| {
        from.checked_sub(back).is_some_and(|at| {
            tokens.get(at).is_some_and(|token| token.number().is_some())
                && (back == 1 || matches!(word(at + 1), "of" | "in"))
        })
    });
    if ahead && next > at + 1 {
        return Some(per);
    }
    // "NOI, monthly debt service 60k": the adjective of another noun.
    let value = (next + open..next + open + 2).any(|at| {
        tokens.get(at).is_some_and(|token| {
            token.number().is_some() || matches!(token.word(), "is" | "of" | "are") || token.is_mark(':')
        })
    });
    (value && !matches!(word(next), "debt" | "payment" | "noi" | "mortgage")).then_some(per)
}

fn adjective(tokens: &[Token], from: usize) -> Option<Per> {
    let ends = |token: &Token| {
        ['.', ',', ';', ':', '?', '!']
            .iter()
            .any(|mark| token.is_mark(*mark))
    };
    (1..=2)
        .map_while(|back| from.checked_sub(back).and_then(|at| tokens.get(at)))
        // "30 yr am monthly. NOI is 905k": how often the loan is paid says nothing of the income behind it.
        .take_while(|token| !ends(token))
        .find_map(|token| match token.word() {
            "monthly" => Some(Per::Month),
            "quarterly" => Some(Per::Quarter),
            "annual" | "yearly" => Some(Per::Year),
            "weekly" | "daily" => Some(Per::Other),
            _ => None,
        })
}

/// A few words that name figures and nothing that has them: no property, no owner, no name.
pub(crate) fn figures_alone(tokens: &[Token]) -> bool {
    const OWNED: &[&str] = &[
        "our",
        "we",
        "us",
        "portfolio",
        "building",
        "buildings",
        "property",
        "properties",
    ];
    // "And the total interest over the term?", "how many are vacant?".
    const CONTINUES: &[&str] = &[
        "interest",
        "principal",
        "term",
        "life",
        "vacant",
        "empty",
        "many",
        "much",
        "over",
        "during",
        "after",
        "loan",
        "paid",
        "instead",
        "same",
        "percentage",
        "percent",
        "payment",
        "payments",
        "balance",
        "left",
        "still",
        "occupied",
        "vacancy",
        "occupancy",
        "units",
        "whole",
        "entire",
        "full",
        "first",
        "second",
        "third",
        "last",
        "do",
        "does",
    ];
    let found = mentions(tokens);
    tokens.len() <= 12
        && tokens.iter().enumerate().all(|(at, token)| {
            let word = token.word();
            let named = found
                .iter()
                .any(|mention| (mention.from..mention.to).contains(&at));
            !OWNED.contains(&word) && (word.is_empty() || named || neutral(word) || CONTINUES.contains(&word))
        })
}
