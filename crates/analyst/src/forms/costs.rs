//! What it costs to build: replacement cost, yield on cost and development spread; prices per unit and area.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Base, Shape};
use finance::variable::Variable::*;

#[rustfmt::skip]
const HARD: &[&str] = &["hard", "hard cost", "hard costs", "construction", "construction cost", "construction costs", "to build", "build cost", "building cost", "hards"];
#[rustfmt::skip]
const SOFT: &[&str] = &["soft", "soft cost", "soft costs", "softs"];
#[rustfmt::skip]
const LAND: &[&str] = &["land", "land cost", "land costs", "site", "dirt", "land value", "land price", "of land", "the land"];

/// "3,200 sq m at 2,150 hard cost per sq m": no building costs that little in all.
fn each_area(words: &Words, sheet: &mut Sheet) {
    let Some(cost) = sheet
        .value(HardCost)
        .filter(|cost| *cost < 20_000.0 && sheet.has(Area))
    else {
        return;
    };
    let metric = words.says(&[
        "per sq m",
        "per sqm",
        "per square metre",
        "per square meter",
        "per m2",
        "a square metre",
        "a square meter",
    ]);
    let foot = words.says(&[
        "per sq ft",
        "per square foot",
        "per sf",
        "psf",
        "a square foot",
        "per foot",
        "per sqft",
    ]);
    if metric == foot {
        return sheet.doubt("Is the hard cost given for each square foot, or in all?");
    }
    const FEET: f64 = 10.763_910_4;
    sheet.deal.values.remove(&HardCost);
    sheet.put(HardCostPsf, if metric { cost / FEET } else { cost });
    sheet.remark("The hard cost is that of each unit of area.");
}

#[rustfmt::skip]
pub(crate) static REPLACEMENT: Form = Form {
    name: "replacement_cost",
    is: |words| {
        words.says(&["replacement cost", "cost to replace", "reproduction cost", "cost to rebuild", "rebuilding cost"])
            || (words.says(HARD) && words.says(SOFT) && words.says(PROFIT))
    },
    goals: &[(ReplacementCost, &["replacement cost", "all in", "all in cost", "total", "cost to replace", "cost to build", "reproduction cost", "total cost", "cost to rebuild", "cost altogether", "cost altogether to build", "rebuilding cost"]), (ReplacementPsf, &["replacement cost per sf", "replacement cost psf", "replacement cost per square foot", "replacement cost per foot", "cost per square foot", "cost per sf", "per square foot", "per sf", "psf"])],
    inputs: &[
        (HardCostPsf, HARD),
        (HardCost, HARD),
        (SoftShare, SOFT),
        (SoftCost, SOFT),
        (LandCost, LAND),
        (ProfitShare, PROFIT),
    ],
    leads: &[(ProfitShare, &["developer wants", "developer takes", "developer expects", "developer needs", "developer adds"]), (LandCost, &["land costs", "land is", "site costs"]), (HardCostPsf, &["at", "times", "x"])],
    bare: &[Area],
    sums: &[],
    settle: |words, sheet| {
        if words.says(&["excluding land", "before land", "hard and soft only", "not on land", "except land", "ex land"]) {
            sheet.doubt("I take the profit on hard, soft and land costs together; please say if that is what you want.");
        }
        each_area(words, sheet);
        sheet.assume(SoftCost, 0.0, "");
        if sheet.has(SoftShare) {
            sheet.deal.values.remove(&SoftCost);
        } else if sheet.value(SoftCost) == Some(0.0) {
            sheet.remark("No soft costs are given, so none are counted.");
        }
        // "What would it cost to rebuild? … 2,150 hard cost per sq m": what follows an amount is no goal.
        let whole = words.says(&["cost to rebuild", "cost altogether", "in total", "cost to replace"]) && !words.says(&["replacement cost per", "rebuild per", "what per"]);
        if sheet.wants(ReplacementPsf) {
            sheet.goals = vec![if whole { ReplacementCost } else { ReplacementPsf }];
        }
        let none = |noun: &str| words.find(&format!("no {noun}")).is_some() || words.find(&format!("without {noun}")).is_some();
        sheet.assume(LandCost, 0.0, if none("land") { "" } else { "No land is given, so none is counted." });
        sheet.assume(ProfitShare, 0.0, if none("profit") { "" } else { "No profit is given, so none is counted." });
    },
};

#[rustfmt::skip]
const PROFIT: &[&str] = &["expects a profit of", "per cent profit", "developer profit", "profit", "developer's profit", "entrepreneurial profit", "entrepreneurial incentive", "profit margin", "developer margin", "margin", "developer's margin"];
#[rustfmt::skip]
const YIELD: &[&str] = &["yield on cost", "return on cost", "yoc", "development yield", "untrended yield on cost", "stabilized yield on cost", "yield to cost"];

#[rustfmt::skip]
pub(crate) static DEVELOPMENT: Form = Form {
    name: "development",
    is: |words| {
        let built = words.says(HARD) && words.says(LAND) && words.has(&["noi"]) && words.has(&["spread"]);
        // "We spend 8.4M to build, … assets trade at a 5.5 cap. Spread over market?"
        let planned = words.has(&["build", "building", "built", "develop", "developing", "construct", "project"])
            && words.has(&["noi"])
            && words.has(&["cap", "caps"])
            && words.says(&["spread", "development margin"])
            && !words.has(&["grid", "table", "best", "loan", "treasury"]);
        words.says(YIELD) || words.says(&["development spread", "development margin"]) || built || planned
    },
    goals: &[
        (YieldOnCost, YIELD),
        (Noi, &["noi", "noi required", "noi needed", "required noi", "net operating income", "stabilized noi"]),
        (DevelopmentSpread, &["development spread", "spread", "development margin", "spread to market", "spread over market"]),
    ],
    inputs: &[
        (Noi, &["noi", "net operating income", "stabilized noi", "operating income"]),
        (TotalCost, &["total cost", "cost", "costs", "all in cost", "project cost", "total project cost", "development cost", "budget", "total budget", "all in", "total development cost", "all in basis", "purchase", "purchase price", "capex", "renovation", "acquisition", "renovation cost", "rehab", "acquisition cost", "renovations"]),
        (LandCost, LAND),
        (HardCost, HARD),
        (SoftCost, SOFT),
        (FinancingCost, &["financing", "financing costs", "financing cost", "interest carry", "carry"]),
        (MarketCap, &["market cap", "market cap rate", "cap rate", "cap", "cap rates", "market", "exit cap", "caps", "going in cap"]),
        (YieldOnCost, YIELD),
    ],
    leads: &[
        (YieldOnCost, &["need a", "target", "target of", "want a", "achieve", "hit", "for a", "for an"]),
        (TotalCost, &["costing", "built for", "build for", "cost of", "spend", "spending", "costs us", "cost us", "build it for", "for"]),
        (MarketCap, &["trade at", "trades at", "trading at"]),
    ],
    bare: &[],
    sums: &[TotalCost],
    settle: |words, sheet| {
        // Purchase and works add up; a total beside them already has them.
        let parts = words.says(&["purchase", "purchase price", "acquisition"]) && words.says(&["capex", "renovation", "renovations", "rehab"]);
        let costs = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Money && number.per.is_none())).count();
        if costs > 2 && sheet.has(TotalCost) && (!parts || words.says(&["total", "all in", "budget"])) && !words.says(HARD) {
            sheet.doubt("Which of the amounts make up the total cost?");
        }
        if words.says(&["excluding land", "without land", "before land", "ex land", "net of land", "less land", "excluding"]) {
            sheet.doubt("Please give the cost that counts, with what you leave out already taken off.");
        }
        spent(words, sheet);
        components(sheet);
        // "A 120-unit project costs 31.5M": how many are built changes nothing, unless the cost is that of each.
        let each = words.numbers().any(|at| words.number(at).is_some_and(|number| number.base == Some(Base::Unit)));
        for at in sheet.left.clone() {
            if !each && words.number(at).is_some_and(|number| number.shape == Shape::Units) {
                sheet.take(at);
            }
        }
    },
};

/// "We spend 8.4M to build": the one cost that is named is all of it.
fn spent(words: &Words, sheet: &mut Sheet) {
    if [LandCost, SoftCost, HardCost, FinancingCost, TotalCost]
        .iter()
        .any(|part| sheet.has(*part))
    {
        return;
    }
    let torn = |doubt: &String| doubt.contains(HardCost.label()) && doubt.contains(TotalCost.label());
    let whole = words.numbers().find(|at| {
        sheet
            .deal
            .doubts
            .iter()
            .any(|doubt| torn(doubt) && doubt.contains(&format!("“{}”", words.said(*at))))
    });
    if let Some(number) = whole.and_then(|at| words.number(at)) {
        sheet.deal.doubts.retain(|doubt| !torn(doubt));
        sheet.put(TotalCost, number.value);
    }
}

/// The cost is the sum of the components that are named, if there are several.
fn components(sheet: &mut Sheet) {
    let parts = [LandCost, HardCost, SoftCost, FinancingCost];
    if sheet.has(TotalCost) || parts.iter().filter(|part| sheet.has(**part)).count() < 2 {
        return;
    }
    for part in parts {
        let remark = format!("No {} are given, so none are counted.", part.label());
        sheet.assume(part, 0.0, &remark);
    }
}

#[rustfmt::skip]
pub(crate) static PRICE_METRICS: Form = Form {
    name: "price_metrics",
    is: |words| {
        (each_priced(words) || dollar_each(words) || words.says(&["price per unit", "price per door", "price per key", "price per square foot", "price per foot", "price per sf", "price psf", "price a door", "per door", "cost per unit", "price per apartment"])) && !words.has(&["comps", "comparables", "comp", "noi", "cap", "adjusted", "average", "mean", "median", "rent", "rents", "ner", "effective", "lease", "leased", "renting", "tenant", "tenants", "pays", "month", "monthly"])
    },
    goals: &[
        (PricePerUnit, &["price per unit", "price per door", "price per key", "per door", "per unit", "price a door", "cost per unit", "price per apartment"]),
        (PricePsf, &["price per square foot", "price per foot", "price per sf", "price psf", "per square foot", "per foot", "psf", "per sf", "sf"]),
        (Price, &["total price", "purchase price", "price", "total", "come to", "comes to", "total cost", "altogether", "in all", "whole price", "overall price", "cost in total", "total purchase price"]),
    ],
    inputs: &[
        (PricePerUnit, EACH_UNIT),
        (PricePsf, EACH_FOOT),
        (Price, &["price", "purchase price", "asking price", "ask", "sale price"]),
        (TotalUnits, &["units", "doors", "keys", "unit building", "unit property", "apartments"]),
    ],
    leads: &[(Price, &["for", "at", "pay", "paying", "paid", "sold for", "bought for", "asks", "asking", "listed at", "traded for", "priced at", "buy for", "costs"])],
    bare: &[TotalUnits, Area, Price, PricePerUnit, PricePsf],
    sums: &[],
    settle: |_, sheet| {
        // A price for each that is given is not what is asked: the whole is.
        if sheet.has(PricePerUnit) || sheet.has(PricePsf) {
            if sheet.has(Price) {
                sheet.doubt("Is the amount the price of the whole, or of each unit or square foot?");
            }
            sheet.goals = vec![Price];
        }
    },
};

#[rustfmt::skip]
const EACH_UNIT: &[&str] = &["price per unit", "price per door", "price per key", "per door", "per unit", "price a door", "cost per unit", "price per apartment"];
#[rustfmt::skip]
const EACH_FOOT: &[&str] = &["price per square foot", "price per foot", "price per sf", "price psf", "per square foot", "per foot", "psf", "per sf"];

/// "$/sf?", "$ per door?".
fn dollar_each(words: &Words) -> bool {
    (0..words.tokens.len()).any(|at| {
        words.mark(at, '$')
            && (words.mark(at + 1, '/') || words.word(at + 1) == "per")
            && matches!(
                words.word(at + 2),
                "sf" | "sqft" | "foot" | "unit" | "door" | "key"
            )
    })
}

/// "$142,000 a door for 96 doors", "$210 a foot on 34,000 square feet".
fn each_priced(words: &Words) -> bool {
    let base = |wanted: Base| {
        words.numbers().any(|at| {
            words.number(at).is_some_and(|number| {
                number.base == Some(wanted) && number.every.is_none() && number.shape == Shape::Money
            })
        })
    };
    let area = words
        .numbers()
        .any(|at| words.number(at).is_some_and(|number| number.shape == Shape::Area));
    let asks = words.says(&[
        "price",
        "total",
        "come to",
        "comes to",
        "cost",
        "worth",
        "altogether",
        "in all",
    ]);
    asks && words.numbers().count() == 2
        && ((base(Base::Unit) && words.counts_units()) || (base(Base::Area) && area))
}
