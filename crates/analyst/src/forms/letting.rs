//! What letting takes and brings, in plain terms: the units that an occupancy needs, the rent that vacancy costs, one
//! tenant's part of the rent, commissions and improvements in dollars.

use crate::forms::form::{Form, Sheet};
use crate::forms::words::Words;
use crate::words::scan::{Base, Number, Per, Shape, Sign};
use finance::variable::Variable::*;

fn shares(words: &Words) -> usize {
    words
        .numbers()
        .filter(|at| {
            words
                .number(*at)
                .is_some_and(|number| number.shape == Shape::Percent)
        })
        .count()
}

/// "How many of 240 units must be occupied for 93%": how many it takes, not how many there are.
#[rustfmt::skip]
pub(crate) static NEEDED: Form = Form {
    name: "units_needed",
    is: |words| {
        let asks = words.says(&["how many"]);
        let takes = words.says(&["must", "need", "needs", "needed", "required", "have to", "has to", "should", "to reach", "to hit", "to get to", "to be at", "take", "takes", "for"]);
        let let_out = words.has(&["occupied", "occupancy", "leased", "let", "rented", "filled"]);
        let other = words.has(&["vacant", "vacancy", "empty", "noi", "egi", "gpr", "rent", "rents", "income", "economic", "opex", "expenses", "break", "breakeven", "debt", "dscr", "more", "additional", "another", "extra", "currently", "portfolio", "properties", "buildings", "down", "model", "months", "year", "years"]);
        asks && takes && let_out && !other && shares(words) == 1 && words.numbers().count() == 2
    },
    goals: &[(UnitsNeeded, &["how many"])],
    inputs: &[
        (OccupiedShare, &["occupancy", "occupied", "leased", "let", "rented", "physical occupancy", "occupancy rate", "full"]),
        (TotalUnits, &["units", "apartments", "homes", "doors", "flats"]),
    ],
    leads: &[(OccupiedShare, &["for", "reach", "hit", "to", "at"]), (TotalUnits, &["of", "of our", "of the", "of its"])],
    bare: &[OccupiedShare, TotalUnits],
    sums: &[],
    settle: |_, sheet: &mut Sheet| {
        sheet.goals = vec![UnitsNeeded];
        if sheet.value(OccupiedShare).is_some_and(|share| share > 1.0) {
            sheet.doubt("More than all units cannot be occupied. Please check the occupancy.");
        }
    },
};

/// The rent that vacancy costs, from what the whole would bring and a rate.
#[rustfmt::skip]
pub(crate) static VACANCY_LOSS: Form = Form {
    name: "vacancy_loss",
    is: |words| {
        let asks = words.says(LOSS);
        let other = words.has(&["noi", "egi", "credit", "collection", "opex", "expenses", "collected", "economic", "concessions", "other", "dscr", "cap", "value", "per", "month", "monthly", "quarter", "effective", "lease", "bad", "debt", "net", "occupied", "units"]);
        asks && !other && shares(words) == 1 && words.numbers().count() == 2
    },
    goals: &[(VacancyLoss, LOSS)],
    inputs: &[
        (Gpr, &["gpr", "gross potential rent", "potential rent", "gross potential rents", "potential gross rent", "gross scheduled rent", "scheduled rent"]),
        (Pgi, &["pgi", "gpi", "potential gross income", "gross potential income", "potential income"]),
        (VacancyShare, &["vacancy", "vacancy rate", "vacancy allowance", "vacancy factor", "physical vacancy", "vacant"]),
        (OccupiedShare, &["occupancy", "physical occupancy", "occupancy rate", "occupied", "leased", "let"]),
    ],
    leads: &[(VacancyShare, &["at"])],
    bare: &[],
    sums: &[],
    settle: |_, sheet: &mut Sheet| {
        sheet.goals = vec![VacancyLoss];
        if let Some(share) = sheet.value(OccupiedShare) {
            sheet.deal.values.remove(&OccupiedShare);
            sheet.put(VacancyShare, 1.0 - share);
            sheet.remark("Vacancy is what the occupancy leaves.");
        }
    },
};

#[rustfmt::skip]
const LOSS: &[&str] = &["vacancy loss", "loss to vacancy", "loss from vacancy", "lost to vacancy", "vacancy in dollars", "vacancy loss in dollars", "dollar vacancy", "vacancy cost", "vacancy deduction"];

/// Numbers that can be amounts of money, all alike in their period.
fn amounts_alike(words: &Words) -> Option<Vec<(usize, f64)>> {
    let found: Vec<(usize, &Number)> = words
        .numbers()
        .filter_map(|at| words.number(at).map(|number| (at, number)))
        .collect();
    let money = |number: &Number| {
        (number.shape == Shape::Money || number.shape == Shape::Plain && number.value >= 100.0)
            && number.base.is_none()
            && number.sign == Sign::None
            && !number.doubtful
            && !number.foreign
    };
    let mut periods: Vec<Per> = found.iter().filter_map(|(_, number)| number.per).collect();
    periods.dedup();
    let alike = periods.len() <= 1 && !(words.has(&["monthly"]) && words.has(&["annual", "yearly"]));
    (alike && found.iter().all(|(_, number)| money(number)))
        .then(|| found.iter().map(|(at, number)| (*at, number.value)).collect())
}

/// What part of the rent one tenant pays: the smaller of two amounts is the tenant's.
#[rustfmt::skip]
pub(crate) static SHARE_OF_RENT: Form = Form {
    name: "share_of_rent",
    is: |words| {
        let asks = words.says(&["share of the rent", "share of rent", "share of total rent", "share of the total rent", "percentage of rent", "percentage of the rent", "percentage of total rent", "percentage of the total rent", "percent of rent", "percent of the rent", "percent of total rent", "percent of the total rent", "proportion of the rent", "proportion of rent", "part of the rent"]) || (words.tokens.iter().any(|token| token.is_mark('%')) && words.says(&["of the rent", "of total rent", "of the total rent"]));
        let other = words.has(&["market", "sales", "loss", "area", "sf", "units", "commission", "vacancy", "expenses", "opex", "cap", "noi", "egi", "gpr", "price", "collected", "holdover", "income", "revenue", "potential", "budget", "old", "new", "rise", "increase", "our", "portfolio"]);
        asks && !other && amounts_alike(words).is_some_and(|found| found.len() == 2)
    },
    goals: &[(RentShare, &["share of the rent"])],
    inputs: &[],
    leads: &[],
    bare: &[],
    sums: &[],
    settle: |words, sheet: &mut Sheet| {
        sheet.goals = vec![RentShare];
        if let Some([(one, a), (other, b)]) = amounts_alike(words).as_deref() {
            sheet.take(*one);
            sheet.take(*other);
            sheet.put(PartRent, a.min(*b));
            sheet.put(WholeRent, a.max(*b));
        }
    },
};

/// A commission in percent of a rent that is told in all.
#[rustfmt::skip]
pub(crate) static COMMISSION_OF_RENT: Form = Form {
    name: "commission_of_rent",
    is: |words| {
        let of = words.says(&["total rent", "aggregate rent", "total base rent", "rent over the term", "total lease value", "aggregate base rent", "gross rent over the term", "base rent over the term", "total rental", "total rents"]);
        words.has(&["commission", "commissions"]) && of && shares(words) == 1 && words.numbers().count() == 2 && !words.has(&["effective", "ner", "split", "half", "per", "psf", "sf", "month", "monthly", "year", "annual", "sale"])
    },
    goals: &[(LeaseCommission, &["commission", "leasing commission"])],
    inputs: &[
        (CommissionShare, &["commission", "leasing commission", "commissions", "broker"]),
        (WholeRent, &["total rent", "aggregate rent", "total base rent", "rent over the term", "total lease value", "aggregate base rent", "total rent over the term", "total rental", "total rents"]),
    ],
    leads: &[(WholeRent, &["of", "on"])],
    bare: &[CommissionShare],
    sums: &[],
    settle: |_, sheet: &mut Sheet| sheet.goals = vec![LeaseCommission],
};

/// Improvements in dollars from an amount for each foot and the area.
#[rustfmt::skip]
pub(crate) static IMPROVEMENTS: Form = Form {
    name: "improvements_total",
    is: |words| {
        let named = words.says(&["ti", "tis", "tenant improvement", "tenant improvements", "ti allowance", "improvement allowance", "fit out allowance"]);
        let each = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.base == Some(Base::Area) && number.every.is_none() && number.per.is_none_or(|per| per == Per::Other))).count();
        let areas = words.numbers().filter(|at| words.number(*at).is_some_and(|number| number.shape == Shape::Area)).count();
        named && each == 1 && areas == 1 && words.numbers().count() == 2 && !words.has(&["rent", "effective", "amortized", "amortised", "commission", "free", "years", "term", "per-year"])
    },
    goals: &[(Improvement, &["ti", "tenant improvements", "allowance"])],
    inputs: &[(ImprovementPsf, &["ti", "tis", "tenant improvement", "tenant improvements", "ti allowance", "allowance", "improvement allowance", "tenant improvement allowance", "fit out allowance"])],
    leads: &[],
    bare: &[Area, ImprovementPsf],
    sums: &[],
    settle: |_, sheet: &mut Sheet| sheet.goals = vec![Improvement],
};
