//! What is left of a cost after full years of straight-line depreciation, where no month of service counts.

use crate::forms::form::{Form, Sheet};
use finance::variable::Variable::*;

#[rustfmt::skip]
pub(crate) static FULL_YEARS: Form = Form {
    name: "full_years_of_depreciation",
    is: |words| {
        let basis = words.says(&["adjusted basis", "remaining basis", "accumulated depreciation", "book value"]);
        // Only where the question says itself that the convention of the law is left out.
        let whole = words.says(&["no mid month", "without mid month", "ignoring mid month", "ignore mid month", "not mid month", "no mid month convention", "without the mid month", "ignoring the mid month", "ignore the mid month", "full years of depreciation", "full years depreciation"]);
        basis && whole && !words.has(&["boot", "exchange", "1031", "bonus", "segregation", "gain", "improvements", "capex", "sold", "tax"])
    },
    goals: &[
        (RemainingBasis, &["adjusted basis", "remaining basis", "book value"]),
        (AccumulatedDepreciation, &["accumulated depreciation"]),
    ],
    inputs: &[
        (Price, &["price", "purchase price", "cost", "bought for", "paid", "basis"]),
        (LandCost, &["land", "land value", "of land", "land worth"]),
        (LandShare, &["land"]),
        (DepreciableBasis, &["depreciable basis", "building", "depreciable cost"]),
        (RecoveryYears, &["residential", "straight line", "recovery period", "over", "life", "nonresidential", "commercial", "schedule"]),
        (FullYears, &["full years", "after", "years of depreciation", "full"]),
    ],
    leads: &[(FullYears, &["after"]), (RecoveryYears, &["over"])],
    bare: &[],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        let own = if words.says(&["accumulated depreciation"]) && !words.says(&["adjusted basis", "remaining basis", "book value"]) { AccumulatedDepreciation } else { RemainingBasis };
        sheet.goals = vec![own];
        if words.says(&["without land", "excluding land", "no land", "ex land", "not counting land"]) && !sheet.has(LandCost) && !sheet.has(LandShare) {
            sheet.put(LandCost, 0.0);
        }
        if !sheet.has(RecoveryYears) {
            let home = words.has(&["residential", "apartments", "apartment", "multifamily"]);
            let trade = words.has(&["commercial", "nonresidential", "office", "retail", "warehouse", "industrial"]);
            match (home, trade) {
                (true, false) => sheet.put(RecoveryYears, 27.5),
                (false, true) => sheet.put(RecoveryYears, 39.0),
                _ => sheet.deal.missing.push(RecoveryYears),
            }
        }
        sheet.remark("Full years, without the mid-month convention, as you say. Not tax advice.");
    },
};
