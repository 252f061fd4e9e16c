//! Taxes in plain sums: property tax, tax on depreciation, cash flow after tax, the gain of a sale.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use finance::variable::Variable::*;

#[rustfmt::skip]
const TAX_RATE: &[&str] = &["tax rate", "effective tax rate", "bracket", "tax bracket", "marginal rate", "marginal tax rate", "recapture rate", "levy rate", "income tax rate", "rate of tax"];

#[rustfmt::skip]
pub(crate) static PROPERTY_TAX: Form = Form {
    name: "property_tax_bill",
    is: |words| {
        let tax = words.says(&["property tax", "property taxes", "tax bill", "real estate tax", "real estate taxes", "taxes", "tax", "annual tax"]);
        let assessed = words.has(&["assessed", "assessment", "mill", "mills", "millage"]);
        tax && assessed && !words.has(&["noi", "cap", "rent", "egi", "gain", "depreciation", "appeal", "pro", "share", "reassessed"])
    },
    goals: &[(PropertyTaxBill, &["property tax", "property taxes", "tax bill", "tax", "taxes", "real estate taxes", "annual tax"])],
    inputs: &[
        (AssessedValue, &["assessed value", "assessed at", "assessment", "assessed", "taxable value", "assessed value of"]),
        (LevyRate, TAX_RATE),
    ],
    leads: &[],
    bare: &[LevyRate, AssessedValue],
    sums: &[],
    settle: |words, sheet| {
        // A mill is a thousandth.
        for at in sheet.left.clone() {
            let beside = (1..=3).any(|back| at.checked_sub(back).is_some_and(|at| matches!(words.word(at), "mill" | "mills" | "millage")))
                || matches!(words.word(at + 1), "mill" | "mills");
            let Some(number) = words.number(at).filter(|number| beside && number.value < 500.0) else { continue };
            if sheet.has(LevyRate) {
                sheet.doubt("A rate in percent and one in mills are given: which one counts?");
            }
            sheet.put(LevyRate, number.value / 1000.0);
            sheet.take(at);
            sheet.remark("One mill is one dollar per thousand of assessed value.");
        }
        if !sheet.has(LevyRate) {
            sheet.deal.missing.push(LevyRate);
        }
    },
};

#[rustfmt::skip]
pub(crate) static DEPRECIATION_TAX: Form = Form {
    name: "depreciation_tax",
    is: |words| {
        let recapture = words.has(&["recapture", "recaptured", "unrecaptured"]) && words.has(&["tax", "taxes", "owed", "owe"]);
        let shield = words.says(&["tax shield", "depreciation shield", "tax savings from depreciation", "tax saving from depreciation", "depreciation tax shield"]);
        (recapture || shield) && words.numbers().count() == 2 && !words.has(&["gain", "sale", "sold", "sell", "price"])
    },
    goals: &[(DepreciationTax, &["tax", "recapture tax", "tax shield", "depreciation shield", "shield", "taxes"])],
    inputs: &[
        (WrittenOff, &["depreciation", "accumulated depreciation", "annual depreciation", "depreciation taken", "of depreciation", "depreciation of"]),
        (LevyRate, TAX_RATE),
        (LevyRate, &["rate", "recapture", "tax"]),
    ],
    leads: &[(LevyRate, &["at", "at a"])],
    bare: &[WrittenOff, LevyRate],
    sums: &[],
    settle: |_, sheet| {
        sheet.remark("This is a calculation, not tax advice.");
    },
};

#[rustfmt::skip]
pub(crate) static AFTER_TAX: Form = Form {
    name: "after_tax_cash_flow",
    is: |words| words.says(&["after tax cash flow", "atcf", "cash flow after tax", "cash flow after taxes", "after tax cash", "aftertax cash flow"]) && words.has(&["noi"]) && words.has(&["depreciation"]) && !words.has(&["sale", "sell", "irr", "gain"]),
    goals: &[(AfterTaxCash, &["after tax cash flow", "atcf", "cash flow after tax", "cash flow after taxes", "after tax cash"]), (IncomeTax, &["income tax", "tax bill"]), (TaxableIncome, &["taxable income"])],
    inputs: &[
        (Noi, &["noi", "net operating income"]),
        (YearInterestPaid, &["interest", "interest expense", "interest paid", "mortgage interest", "loan interest"]),
        (YearPrincipal, &["principal", "principal paid", "amortization", "principal payments", "principal repaid"]),
        (WrittenOff, &["depreciation"]),
        (LevyRate, TAX_RATE),
        (LevyRate, &["tax", "taxed at", "taxes"]),
    ],
    leads: &[],
    bare: &[LevyRate],
    sums: &[],
    settle: |_, sheet| {
        if sheet.wants(AfterTaxCash) && !sheet.has(YearPrincipal) {
            sheet.doubt("How much principal is repaid in the year?");
        }
        sheet.remark("This is a calculation, not tax advice.");
    },
};

#[rustfmt::skip]
const SOLD: &[&str] = &["sale price", "selling price", "sold for", "sell for", "selling for", "sale", "sells for", "gross sale price"];
#[rustfmt::skip]
const BOUGHT: &[&str] = &["purchase price", "bought at", "bought for", "paid", "original cost", "original purchase price", "purchased for", "acquired for", "bought it for", "cost basis", "cost", "acquisition price", "original basis", "we paid", "i paid", "buying at"];

#[rustfmt::skip]
pub(crate) static SALE_GAIN: Form = Form {
    name: "gain_of_sale",
    is: |words| {
        let gain = words.says(&["capital gain", "taxable gain", "gain on sale", "gain on the sale", "total gain", "realized gain", "realised gain", "gain for tax"]);
        let sold = words.says(SOLD);
        let cost = words.says(BOUGHT) || words.says(&["adjusted basis"]);
        gain && sold && cost && !words.has(&["1031", "boot", "exchange", "noi", "cap", "irr"]) && !words.says(&["tax on", "tax rate", "taxes on", "how much tax", "like kind", "capital gains tax", "tax due", "tax bill"])
    },
    goals: &[(RealizedGain, &["capital gain", "gain", "taxable gain", "gain on sale", "realized gain", "realised gain", "total gain", "gain on the sale"]), (AdjustedBasis, &["adjusted basis"])],
    inputs: &[
        (SalePrice, SOLD),
        (Price, BOUGHT),
        (AdjustedBasis, &["adjusted basis"]),
        (CapitalWorks, &["improvements", "capital improvements", "capex", "renovations", "renovation", "improvement", "capital expenditures", "works"]),
        (WrittenOff, &["depreciation", "depreciation taken", "accumulated depreciation", "of depreciation", "depreciation claimed"]),
        (SaleCostShare, COSTS),
        (SellingCosts, COSTS),
    ],
    leads: &[(SalePrice, SOLD), (Price, BOUGHT), (CapitalWorks, &["spent", "put"])],
    bare: &[],
    sums: &[CapitalWorks],
    settle: settle_gain,
};

#[rustfmt::skip]
const COSTS: &[&str] = &["costs", "selling costs", "sale costs", "closing costs", "commission", "costs of sale", "cost of sale", "selling expenses", "transaction costs", "broker", "commissions", "fees", "broker fee"];

fn settle_gain(_: &Words, sheet: &mut Sheet) {
    if let (Some(share), Some(sale), false) = (
        sheet.value(SaleCostShare),
        sheet.value(SalePrice),
        sheet.has(SellingCosts),
    ) {
        sheet.deal.values.remove(&SaleCostShare);
        sheet.put(SellingCosts, share * sale);
        sheet.remark("The selling costs are their share × the sale price.");
    }
    sheet.assume(
        SellingCosts,
        0.0,
        "No selling costs are given, so none are counted.",
    );
    if !sheet.has(AdjustedBasis) {
        for (part, name) in [(CapitalWorks, "improvements"), (WrittenOff, "depreciation")] {
            sheet.assume(part, 0.0, &format!("No {name} given, so none counted."));
        }
        if !sheet.has(Price) {
            sheet.deal.missing.push(Price);
        }
    }
    sheet.remark("This is a calculation, not tax advice.");
}
