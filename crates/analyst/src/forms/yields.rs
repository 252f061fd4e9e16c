//! Yields and values by them: band of investment, net initial and gross yield, loaded cap rates, value created
//! by a rent rise, the rent that a yield needs, value per unit and area.

use crate::forms::form::Form;
use crate::words::scan::Per;
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static BAND: Form = Form {
    name: "band_of_investment",
    is: |words| words.says(&["band of investment", "band of investments", "mortgage equity"]),
    goals: &[
        (BandCap, &["band of investment", "cap rate", "overall rate", "capitalization rate", "cap"]),
        (Value, &["value", "indicated value", "worth", "price"]),
    ],
    inputs: &[
        (Ltv, &["loan to value", "ltv", "leverage", "mortgage share", "loan ratio", "debt", "mortgage", "loan"]),
        (Constant, &["mortgage constant", "loan constant", "constant", "debt constant"]),
        (Noi, &["noi", "net operating income"]),
        (EquityRate, &["equity", "equity dividend rate", "equity yield", "equity return", "equity rate", "on equity", "equity dividend", "return on equity", "cash on cash", "equity cap rate", "on their equity"]),
    ],
    leads: &[(EquityRate, &["investors want", "want"])],
    bare: &[],
    sums: &[],
    settle: |_, sheet| {
        // With an income, the rate that the band gives is what its value follows from.
        if sheet.wants(Value) && sheet.has(Noi) {
            let parts = [Ltv, Constant, EquityRate].map(|part| sheet.value(part));
            if let [Some(share), Some(debt), Some(equity)] = parts {
                let cap = share * debt + (1.0 - share) * equity;
                sheet.deal.set(CapRate, cap, "computed");
                sheet.remark("The cap rate is loan to value × mortgage constant + (1 − loan to value) × equity dividend rate.");
                for part in [Ltv, Constant, EquityRate] {
                    sheet.deal.values.remove(&part);
                }
            }
            sheet.goals = vec![Value];
        } else {
            sheet.replace_goal(Value, BandCap);
            sheet.deal.values.remove(&Noi);
        }
        sheet.names.push((BandCap, CapRate.word()));
    },
};

#[rustfmt::skip]
pub(crate) static PASSING_YIELD: Form = Form {
    name: "passing_yield",
    is: |words| words.says(&["net initial yield", "niy", "gross yield", "gross rental yield", "initial yield"]),
    goals: &[
        (NetInitialYield, &["net initial yield", "niy", "initial yield"]),
        (GrossYield, &["gross yield", "gross rental yield"]),
    ],
    inputs: &[
        (PassingAnnual, &["passing rent", "rent", "rental income", "annual rent", "income", "net income", "net rent", "rent passing", "lets for", "let at", "rent roll", "gross rent", "earn a net", "a net", "net"]),
        (PassingMonthly, &["monthly rent", "lets for", "rent", "let for", "rents for", "let at"]),
        (Price, &["price", "purchase price", "bought for", "asking price", "value", "flat", "house"]),
        (PurchaserShare, &["purchaser's costs", "purchasers costs", "purchaser costs", "purchaser", "acquisition costs", "buying costs", "costs", "purchase costs", "stamp duty and fees", "costs of"]),
    ],
    leads: &[(Price, &["wants", "asks", "asking", "is asking", "paid", "bought for", "for", "price of", "buy at", "at", "cost"]), (PassingAnnual, &["lets for", "let at", "rents for", "let for"]), (PassingMonthly, &["lets for", "let at", "rents for", "let for"])],
    bare: &[PassingMonthly],
    sums: &[],
    settle: |words, sheet| {
        if sheet.wants(NetInitialYield) {
            sheet.assume(PurchaserShare, 0.0, "No purchaser's costs are given, so none are counted.");
            // Without them an initial yield is the cap rate.
            if !words.says(&["net initial", "niy"]) && sheet.value(PurchaserShare) == Some(0.0) {
                sheet.names.push((NetInitialYield, CapRate.word()));
            }
        }
    },
};

#[rustfmt::skip]
pub(crate) static LOADED_CAP: Form = Form {
    name: "loaded_cap",
    is: |words| words.says(&["loaded cap", "loaded cap rate", "tax loaded", "loaded capitalization rate", "effective tax rate", "tax load"]) && words.has(&["noi"]),
    goals: &[(LoadedValue, &["value", "worth", "loaded cap rate", "property value"])],
    inputs: &[
        (UntaxedNoi, &["noi before property tax", "noi before property taxes", "noi before taxes", "noi before tax", "noi before real estate taxes", "noi excluding taxes", "noi", "noi before real estate tax"]),
        (CompletedCap, &["cap", "cap rate", "base cap", "market cap", "base cap rate"]),
        (TaxLoad, &["effective tax rate", "tax rate", "property tax rate", "tax load", "millage", "effective property tax rate", "of value"]),
    ],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |words, sheet| {
        if !words.says(&["before property tax", "before property taxes", "before taxes", "before tax", "before real estate taxes", "before real estate tax", "excluding taxes"]) {
            sheet.doubt("Is the NOI before property taxes? A loaded cap rate needs that one.");
        }
        sheet.names.push((LoadedValue, Value.word()));
    },
};

#[rustfmt::skip]
pub(crate) static UPLIFT: Form = Form {
    name: "rent_uplift",
    is: |words| {
        let rise = words.says(&["raise rents", "raise rent", "rent increase", "rent bump", "rent premium", "rents up", "rent growth of", "increase rents", "push rents", "higher rent", "more rent", "bump rents", "rent uplift", "noi rises", "noi increases", "noi goes up", "noi rises by", "extra noi", "additional noi", "more noi", "noi up", "increase in noi", "noi increase", "noi grows by", "lifts noi", "lift noi", "raises noi", "adds noi", "rent lift", "lift rents", "rents by"]);
        let rise = rise || (words.has(&["adds", "adding", "boosts", "lifts"]) && words.has(&["noi"]));
        let value = words.says(&["value", "worth"]);
        let made = words.says(&["create", "creates", "created", "add", "adds", "added", "go up", "goes up", "gain", "increase", "increases", "uplift", "does value", "worth"]);
        rise && value && made && words.has(&["cap", "caps"]) && !words.has(&["loan", "irr", "price", "exit", "from", "opex", "expenses", "growth"])
    },
    goals: &[
        (ValueCreated, &["value", "value created", "create", "added value", "value uplift", "worth"]),
        (NetValueCreated, &["net of cost", "net of the cost", "net value created", "after the cost", "after cost", "net of costs", "less the cost", "net of the spend", "net gain", "profit"]),
    ],
    inputs: &[
        (MonthlyUplift, &["rents", "rent", "rent increase", "rent premium", "per month", "per unit"]),
        (AnnualUplift, &["noi", "extra noi", "additional noi", "more noi", "noi increase", "increase in noi", "noi rises by", "rises by", "up by", "goes up by", "rises", "of noi", "of additional noi", "of extra noi"]),
        (TotalUnits, &["units", "apartments", "doors"]),
        (CompletedCap, &["cap", "cap rate", "caps"]),
        (WorksCost, &["renovation", "reno", "rehab", "capex", "upgrade", "works", "cost", "spend", "refurbishment", "budget", "retrofit", "project", "program", "job", "amenity", "package"]),
    ],
    leads: &[(WorksCost, &["spend", "spending", "spent", "costs", "costing", "invest", "investing"]), (AnnualUplift, &["rises by", "increases by", "goes up by", "by", "adds", "adding", "boosts noi by", "goes up", "noi goes up", "noi up", "noi rises", "noi increases", "lifts noi by", "lifts noi", "raises noi by"]), (MonthlyUplift, &["by", "raise rents"])],
    bare: &[TotalUnits, CompletedCap, MonthlyUplift],
    sums: &[],
    settle: |words, sheet| {
        let monthly = words.numbers().any(|at| words.number(at).is_some_and(|number| number.per == Some(Per::Month)));
        if sheet.has(MonthlyUplift) && !sheet.has(TotalUnits) {
            sheet.deal.missing.push(TotalUnits);
        }
        if sheet.has(AnnualUplift) && monthly && !sheet.has(MonthlyUplift) {
            sheet.doubt("Is that amount per unit and month, or for the whole property?");
        }
        if sheet.wants(NetValueCreated) {
            sheet.goals = vec![NetValueCreated];
            if !sheet.has(WorksCost) {
                sheet.deal.missing.push(WorksCost);
            }
        }
        sheet.remark("The whole increase is taken to reach the NOI.");
    },
};

#[rustfmt::skip]
pub(crate) static REQUIRED_RENT: Form = Form {
    name: "required_rent",
    is: |words| words.says(&["gross potential rent", "gpr", "rent"]) && words.says(&["do i need", "do we need", "needed", "required rent", "must we charge", "is needed", "need to charge"]) && words.says(&["yield", "yield on cost", "return on cost"]) && words.says(&["opex", "expenses", "operating expenses", "operating costs"]),
    goals: &[(RequiredRent, &["gross potential rent", "gpr", "annual gross potential rent", "rent", "potential rent", "gross rent"])],
    inputs: &[
        (YieldOnCost, &["yield", "yield on cost", "return on cost", "return"]),
        (BuildCost, &["cost", "total cost", "costs", "all in cost"]),
        (Opex, &["opex", "operating expenses", "expenses", "operating costs"]),
        (VacancyShare, &["vacancy", "vacant"]),
    ],
    leads: &[(YieldOnCost, &["earn a", "achieve a"])],
    bare: &[],
    sums: &[],
    settle: |_, sheet| {
        sheet.assume(VacancyShare, 0.0, "No vacancy is given, so none is counted.");
    },
};

#[rustfmt::skip]
pub(crate) static RENT_LOST: Form = Form {
    name: "rent_lost",
    is: |words| words.says(&["economic occupancy", "economic occ", "econ occ"]) && words.says(&["gpr", "gross potential rent", "potential rent"]) && words.says(&["lose", "lost", "loss", "losing", "economic vacancy", "leakage"]) && !words.says(&["loss to lease", "vacancy loss", "bad debt", "concessions", "collected", "collections"]),
    goals: &[(EconomicLoss, &["lose", "lost", "loss", "losing", "economic vacancy", "leakage", "rent lost"])],
    inputs: &[
        (GivenOccupancy, &["economic occupancy", "economic occ", "econ occ"]),
        (Gpr, &["gpr", "gross potential rent", "potential rent"]),
    ],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |_, _| {},
};

#[rustfmt::skip]
pub(crate) static VALUE_EACH: Form = Form {
    name: "value_each",
    is: |words| {
        let each = words.says(&["price per unit", "price per door", "price per key", "per door", "price per square foot", "price per foot", "price per sf", "price psf", "value per unit", "value per door", "value per sf", "value per square foot", "value psf", "value per foot", "per unit"]);
        each && words.has(&["noi"]) && words.has(&["cap", "caps"]) && !words.has(&["opex", "expenses", "rent", "rents", "loan", "reserves", "exit", "growth", "per-unit"])
    },
    goals: &[
        (PricePerUnit, &["price per unit", "price per door", "price per key", "per door", "value per unit", "value per door", "per unit"]),
        (PricePsf, &["price per square foot", "price per foot", "price per sf", "price psf", "value per sf", "value per square foot", "value psf", "value per foot"]),
    ],
    inputs: &[
        (Noi, &["noi", "net operating income", "noi of"]),
        (CapRate, &["cap", "cap rate", "caps"]),
        (TotalUnits, &["units", "doors", "keys", "apartments"]),
    ],
    leads: &[(CapRate, &["cap of", "cap rate of", "pay a cap of"])],
    bare: &[TotalUnits, Area, CapRate, Noi],
    sums: &[],
    settle: |_, sheet| {
        let (Some(noi), Some(cap)) = (sheet.value(Noi), sheet.value(CapRate)) else {
            for needed in [Noi, CapRate] {
                if !sheet.has(needed) {
                    sheet.deal.missing.push(needed);
                }
            }
            return;
        };
        if cap > 0.0 && noi > 0.0 {
            sheet.deal.set(Price, noi / cap, "computed");
            sheet.remark("The price is the NOI ÷ the cap rate.");
            sheet.deal.values.remove(&Noi);
            sheet.deal.values.remove(&CapRate);
        }
    },
};
