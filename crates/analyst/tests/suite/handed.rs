//! Questions whose numbers stand partly in the sentence and partly in one file: answered with both, the file named as
//! the origin of what is its own; a part of the file, another period or a doubtful sum is asked back.

use analyst::answer::draft;
use analyst::contract::brief::{Brief, FileFrom};
use analyst::contract::draft::Draft;

use super::asking::brief;
use super::sheets::file;

fn ask(question: &str, (name, text): (&str, &str)) -> Draft {
    draft(&Brief {
        files: vec![file(name, text, FileFrom::Question)],
        ..brief(question)
    })
}

const YEAR: (&str, &str) = (
    "t12.csv",
    "Line item,T-12\nGross potential rent,1000000\nVacancy,-60000\nOther income,20000\nTaxes,-110000\nInsurance,-40000\n\
     Repairs,-90000\nManagement,-30000\nReplacement reserves,-25000\nDebt service,-400000\n",
);
const SUMMARY: (&str, &str) = (
    "year_one.csv",
    "Item,Year 1\nEffective gross income,1000000\nOperating expenses,-420000\nDebt service,-380000\nCapital reserves,-20000\n",
);
const MONTH: (&str, &str) = (
    "pl.csv",
    "Account,March 2026\nRental income,90000\nTaxes,-15000\nInsurance,-4000\nRepairs,-9000\n",
);
const QUARTERS: (&str, &str) = (
    "pl.csv",
    "Account,Q1,Q2,Q3,Q4\nRent,100000,101000,102000,103000\nTaxes,-10000,-10000,-10000,-10000\nInsurance,-3000,-3000,-3000,-3000\n\
     Repairs,-7000,-8000,-6000,-9000\n",
);
const BUDGET: (&str, &str) = (
    "budget.csv",
    "Line Item,Budget\nLand,2150000\nHard Costs,9400000\nHard Cost Contingency,470000\nSoft costs,1000000\n\
     Financing Costs,540000\nDeveloper Fee,440000\nTotal,14000000\n",
);
const BUDGET_OFF: (&str, &str) = (
    "budget.csv",
    "Item,Amount\nLand,2000000\nHard costs,6000000\nSoft costs,1000000\nTotal uses,9500000\n",
);
const TERMS: (&str, &str) = (
    "loan.csv",
    "Field,Value\nLoan amount,7200000\nInterest rate,5.85%\nAmortization (years),30\nPayments per year,12\n",
);
const WITH_INTEREST_ONLY: (&str, &str) = (
    "loan.csv",
    "item,value\nloan_amount,7200000\ninterest_rate,0.0585\namortization_years,30\nio_months,24\nlender,First State\n",
);
const DEAL: (&str, &str) = (
    "deal.csv",
    "Item,Value\nPurchase price,12000000\nNOI,720000\nLoan amount,8400000\nInterest rate,6.25%\nAmortization (years),30\n\
     Equity,3600000\nUnits,84\n",
);
const INCOMES: (&str, &str) = (
    "noi.csv",
    "Year,NOI\n1,500000\n2,515000\n3,530000\n4,545000\n5,560000\n6,575000\n",
);
const INDEX: (&str, &str) = (
    "cpi.csv",
    "Year,CPI change\n2021,4.7%\n2022,8.0%\n2023,4.1%\n2024,2.9%\n",
);
const FLOWS: (&str, &str) = (
    "cf.csv",
    "Year,Net Cash Flow\n0,-1000000\n1,80000\n2,90000\n3,1200000\n",
);
const ROLL: (&str, &str) = (
    "roll.csv",
    "Unit,Status,SF,Market Rent,Lease Rent\n1,Occupied,700,1400,1350\n2,Vacant,700,1400,\n3,Occupied,900,1800,1750\n\
     4,Occupied,900,1800,1850\n",
);
const MIX: (&str, &str) = (
    "mix.csv",
    "Unit Type,Units,Market Rent\nStudio,12,1150\n1BR,24,1350\n2BR,16,1775\n",
);
const SUITES: (&str, &str) = (
    "suites.csv",
    "Suite,SF,Years Remaining\nA,12500,2.5\nB,7200,6\nC,3900,0.75\nD,5600,4.25\n",
);
const SECTION: (&str, &str) = (
    "q3_rents.csv",
    "Account,Amount\nGross Potential Rent,1000000\nLoss to Lease,-20000\nVacancy Loss,-60000\nConcessions,-10000\n\
     Bad Debt,-10000\n",
);

#[test]
fn amounts_of_the_file_enter_with_those_of_the_sentence() {
    let cases: &[(&str, (&str, &str), &str, f64)] = &[
        (
            "DSCR on the T12 with new debt service of $450,000?",
            YEAR,
            "dscr",
            690.0 / 450.0,
        ),
        (
            "Quote: $5M at 6.1%, 30-year amortization. DSCR on the attached T12?",
            YEAR,
            "dscr",
            1.897_706,
        ),
        (
            "LTV of a $7M loan if we cap the attached NOI at 6%?",
            YEAR,
            "ltv",
            7_000_000.0 / 11_500_000.0,
        ),
        (
            "Equity is $2.5M. Cash on cash after reserves from the attached T12?",
            YEAR,
            "cash_on_cash",
            0.106,
        ),
        (
            "Break-even occupancy if annual debt service is $450,000? Statement attached.",
            YEAR,
            "breakeven_occupancy",
            720.0 / 1020.0,
        ),
        (
            "The budget of year one is attached and equity invested is $2 million. What is the cash-on-cash after reserves?",
            SUMMARY,
            "cash_on_cash",
            0.09,
        ),
        (
            "Construction loan is 9.1M against the budget in the file. LTC?",
            BUDGET,
            "ltc",
            0.65,
        ),
        (
            "What loan is 65% LTC on the attached budget?",
            BUDGET,
            "loan_amount",
            9_100_000.0,
        ),
        (
            "Stabilized NOI will be 1.05M. Yield on cost against the attached budget?",
            BUDGET,
            "yield_on_cost",
            0.075,
        ),
        (
            "Monthly payment on the loan in the file?",
            TERMS,
            "payment",
            42_475.75,
        ),
        (
            "Loan terms are in the attachment. Balance after 60 payments?",
            TERMS,
            "balloon",
            6_687_372.78,
        ),
        (
            "Balance after 60 payments for the attached loan",
            WITH_INTEREST_ONLY,
            "balloon",
            6_910_517.0,
        ),
        (
            "What's the cap rate in the attached?",
            DEAL,
            "going_in_cap_rate",
            0.06,
        ),
        (
            "Cash-on-cash for the attached deal?",
            DEAL,
            "cash_on_cash",
            0.027_599,
        ),
        (
            "NOI projection attached. Sell at the end of year 5 on the year 6 NOI at a 6% cap, 8.5% discount rate. Value today?",
            INCOMES,
            "present_value",
            8_452_275.65,
        ),
        (
            "Base rent is $50,000 a year with CPI adjustments every year per the file, 5% cap. Annual rent after the 2023 adjustment?",
            INDEX,
            "annual_rent",
            57_221.17,
        ),
        ("IRR on the 3-yr hold attached?", FLOWS, "irr", 0.118_918),
        (
            "Net present value at 8%. Year 0 is today, not discounted.",
            FLOWS,
            "npv",
            103_833.26,
        ),
        (
            "NOI for the whole year from the quarterly P&L attached?",
            QUARTERS,
            "noi",
            324_000.0,
        ),
        ("NOI for Q2?", QUARTERS, "noi", 80_000.0),
        (
            "broker sent this RR, what occ is it at right now?",
            ROLL,
            "physical_occupancy",
            0.75,
        ),
        (
            "Phys occ by unit count off the attached rent roll?",
            ROLL,
            "physical_occupancy",
            0.75,
        ),
        (
            "Annual GPR, everything at market rent incl. the vacant ones?",
            ROLL,
            "gpr",
            76_800.0,
        ),
        (
            "What would this roll gross in a year if every unit, vacant ones too, paid market?",
            ROLL,
            "gpr",
            76_800.0,
        ),
        (
            "Unit mix with monthly market rents per unit is in the file. What's gross potential rent for a full year?",
            MIX,
            "gpr",
            895_200.0,
        ),
        (
            "Area weighted WALE in years from the attached?",
            SUITES,
            "wale_by_area",
            3.464_897,
        ),
        (
            "Third quarter rental income section is attached. Economic occupancy, defined as net rental income over gross \
             potential rent, please.",
            SECTION,
            "economic_occupancy",
            0.9,
        ),
    ];
    let mut wrong = Vec::new();
    for (question, own, figure, value) in cases {
        let draft = ask(question, *own);
        let found = draft.figures.first();
        let got = found.and_then(|figure| figure.value.as_f64());
        let near = got.is_some_and(|got| (got - value).abs() <= 2e-4 * value.abs());
        let named = found.is_some_and(|own| own.name == *figure);
        if !(near && named && draft.used_files.len() == 1) {
            wrong.push(format!("{question} -> {:?} {}", got, draft.quick_reply));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_of_the_file_is_named_so() {
    let draft = ask(
        "Construction loan is 9.1M against the budget in the file. LTC?",
        BUDGET,
    );
    let cost = draft.figures[0]
        .inputs
        .iter()
        .find(|input| input.name == "total_cost");
    assert_eq!(cost.unwrap().origin, "budget.csv");
    let loan = draft.figures[0]
        .inputs
        .iter()
        .find(|input| input.name == "loan_amount");
    assert_eq!(loan.unwrap().origin, "question");
}

#[test]
fn a_part_of_the_file_or_of_a_year_is_asked_back() {
    let cases: &[(&str, (&str, &str))] = &[
        (
            "DSCR on the attached if the debt service is $450,000 but without the management fee?",
            YEAR,
        ),
        ("NOI from the file excluding repairs, cap rate 6% - value?", YEAR),
        ("Cap rate at a $12M price if NOI in the T12 grows 3%?", YEAR),
        (
            "Using the 2025 NOI in the file and 450k debt service, DSCR?",
            YEAR,
        ),
        (
            "Debt yield on a $5M loan off the Q4 annualized NOI in the file?",
            YEAR,
        ),
        // Before or after reserves?
        ("Equity is $2.5M. Cash on cash from the attached T12?", YEAR),
        ("DSCR on the attached with annual debt service of 500,000?", MONTH),
        ("Value at a 6% cap from the attached?", MONTH),
        ("Debt yield on a $5M loan, P&L attached?", MONTH),
        ("Average quarterly NOI?", QUARTERS),
        (
            "Construction loan of 9.1M, LTC excluding land? budget attached",
            BUDGET,
        ),
        (
            "What's the LTC if costs overrun 5%? loan 9.1M, budget attached",
            BUDGET,
        ),
        (
            "IRR if we buy at 9M and sell at 12M in 5 years with the attached NOI flat?",
            YEAR,
        ),
        ("Loan is 9.1M. Loan to hard cost on the attached?", BUDGET),
        (
            "Loan 9.1M, budget attached but it is missing 300k of FF&E. LTC?",
            BUDGET,
        ),
        ("LTC of a 6M loan against the attached budget?", BUDGET_OFF),
        ("Going-in cap if we pay 11.5M instead? deal sheet attached", DEAL),
        (
            "Base rent is $50,000 a year with CPI adjustments every year per the file, 5% cap. Annual rent after the 2026 adjustment?",
            INDEX,
        ),
        ("IRR of the 5-year hold attached?", FLOWS),
        ("NPV at 8%, year 1 not discounted", FLOWS),
        ("IRR, yr 0 is closing, without the sale?", FLOWS),
        ("econ occ off this?", ROLL),
        ("What occ would we be at if unit 2 leased?", ROLL),
    ];
    let mut wrong = Vec::new();
    for (question, own) in cases {
        let draft = ask(question, *own);
        if draft.success || !draft.figures.is_empty() {
            wrong.push(format!("{question} -> {}", draft.quick_reply));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
