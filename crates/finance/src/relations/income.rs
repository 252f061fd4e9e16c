//! Relations of an income statement, from potential rent to net operating income.

use crate::fault::Fault;
use crate::fault::finite;
use crate::income::Statement;
use crate::relations::relation::{Form, Relation, form, two};
use crate::variable::Variable::*;

pub(crate) static INCOME: &[Relation] = &[
    Relation {
        definition: "Vacancy in percent is taken of gross potential rent.",
        assumption: false,
        forms: &[
            form!(VacancyLoss = "vacancy share × gross potential rent"; VacancyShare, Gpr;
                |v| two(v, |share, rent| finite(share * rent))),
            form!(VacancyLoss = "vacancy share × potential gross income"; VacancyShare, Pgi;
                |v| two(v, |share, income| finite(share * income))),
        ],
    },
    Relation {
        definition: "Bad debt in percent is taken of gross potential rent.",
        assumption: false,
        forms: &[
            form!(BadDebt = "bad debt share × gross potential rent"; BadDebtShare, Gpr;
                |v| two(v, |share, rent| finite(share * rent))),
        ],
    },
    Relation {
        definition: "Net rental income = gross potential rent − loss to lease − vacancy − non-revenue units \
                     − concessions − bad debt.",
        assumption: false,
        forms: &[
            form!(NetRentalIncome = "GPR − loss to lease − vacancy − non-revenue − concessions − bad debt";
                Gpr, LeaseLoss, VacancyLoss, NonRevenue, Concessions, BadDebt;
                |v| finite(statement(v)?.net_rental_income())),
        ],
    },
    Relation {
        definition: "EGI = net rental income + recoveries + other income.",
        assumption: false,
        forms: &[
            form!(Egi = "net rental income + recoveries + other income"; NetRentalIncome, Recoveries, OtherIncome;
                |v| if v.is_empty() { Err(Fault::NotFinite) } else { finite(v.iter().sum()) }),
        ],
    },
    Relation {
        definition: "Economic occupancy = net rental income ÷ gross potential rent.",
        assumption: false,
        forms: &[
            form!(EconomicOccupancy = "net rental income ÷ gross potential rent";
                Gpr, LeaseLoss, VacancyLoss, NonRevenue, Concessions, BadDebt; |v| statement(v)?.economic_occupancy()),
        ],
    },
    Relation {
        definition: "The management fee in percent is taken of EGI.",
        assumption: false,
        forms: &[
            form!(Management = "share × EGI"; ManagementShare, Egi; |v| two(v, |share, egi| finite(share * egi))),
        ],
    },
    Relation {
        definition: "Operating expenses in percent are taken of EGI.",
        assumption: false,
        forms: &[form!(Opex = "share × EGI"; OpexShare, Egi; |v| two(v, |share, egi| finite(share * egi)))],
    },
    Relation {
        definition: "Operating expenses = the operating lines; reserves, debt service, depreciation, income \
                     tax, capital works, improvements and commissions are never among them.",
        assumption: false,
        forms: &[form!(Opex =
                "taxes + insurance + utilities + repairs + payroll + management + administration + marketing + other";
                PropertyTaxes, Insurance, Utilities, Repairs, Payroll, Management, Administration, Marketing,
                OtherExpenses;
                |v| if v.is_empty() { Err(Fault::NotFinite) } else { finite(v.iter().sum()) })],
    },
];

fn statement(v: &[f64]) -> Result<Statement, Fault> {
    if let &[
        potential_rent,
        loss_to_lease,
        vacancy,
        non_revenue,
        concessions,
        bad_debt,
    ] = v
    {
        Ok(Statement {
            potential_rent,
            loss_to_lease,
            vacancy,
            non_revenue,
            concessions,
            bad_debt,
            ..Statement::default()
        })
    } else {
        Err(Fault::NotFinite)
    }
}
