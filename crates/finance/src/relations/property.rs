//! Relations of a property: income, value, occupancy, costs, cash to equity, the exit.

use crate::fault::{finite, ratio};
use crate::relations::relation::{Form, Relation, form, one, sum, three, two};
use crate::variable::Variable::*;

pub(crate) static PROPERTY: &[Relation] = &[
    Relation {
        definition: "NOI = effective gross income − operating expenses.",
        assumption: false,
        forms: &[
            form!(Noi = "EGI − operating expenses"; Egi, Opex; |v| two(v, |egi, opex| finite(egi - opex))),
            form!(Opex = "EGI − NOI"; Egi, Noi; |v| two(v, |egi, noi| finite(egi - noi))),
            form!(Egi = "NOI + operating expenses"; Noi, Opex; |v| two(v, |noi, opex| finite(noi + opex))),
        ],
    },
    Relation {
        definition: "Going-in cap rate = annual NOI ÷ purchase price.",
        assumption: false,
        forms: &[
            form!(CapRate = "NOI ÷ price"; Noi, Price; |v| two(v, |noi, price| ratio(noi, price, "purchase price"))),
        ],
    },
    Relation {
        definition: "Direct capitalization: value = annual NOI ÷ cap rate.",
        assumption: false,
        forms: &[
            form!(Value = "NOI ÷ cap rate"; Noi, CapRate; |v| two(v, |noi, cap| ratio(noi, cap, "cap rate"))),
            form!(Noi = "value × cap rate"; Value, CapRate; |v| two(v, |value, cap| finite(value * cap))),
            form!(CapRate = "NOI ÷ value"; Noi, Value; |v| two(v, |noi, value| ratio(noi, value, "property value"))),
        ],
    },
    Relation {
        definition: "The purchase price is taken as the value.",
        assumption: true,
        forms: &[form!(Value = "price"; Price; |v| one(v, finite))],
    },
    Relation {
        definition: "Interest-only payment = loan × annual rate ÷ 12.",
        assumption: false,
        forms: &[
            form!(IoPayment = "loan × rate ÷ 12"; Loan, Rate; |v| two(v, |loan, rate| finite(loan * rate / 12.0))),
        ],
    },
    Relation {
        definition: "Total project cost = land + hard + soft + financing costs.",
        assumption: false,
        forms: &[
            form!(TotalCost = "land + hard + soft + financing"; LandCost, HardCost, SoftCost, FinancingCost; sum),
        ],
    },
    Relation {
        definition: "Cash-on-cash = annual cash flow after debt service ÷ equity invested.",
        assumption: false,
        forms: &[form!(CashOnCash = "cash flow ÷ equity"; CashFlow, Equity;
                |v| two(v, |cash, equity| ratio(cash, equity, "equity invested")))],
    },
    Relation {
        definition: "Cash flow = NOI − debt service − reserves.",
        assumption: false,
        forms: &[
            form!(CashFlow = "NOI − debt service − reserves"; Noi, DebtService, Reserves;
            |v| three(v, |noi, service, reserves| finite(noi - service - reserves))),
        ],
    },
    Relation {
        definition: "Cash flow after debt service = NOI − debt service.",
        assumption: false,
        forms: &[
            form!(CashFlow = "NOI − debt service"; Noi, DebtService; |v| two(v, |noi, service| finite(noi - service))),
        ],
    },
    Relation {
        definition: "Equity multiple = total distributions ÷ total contributions.",
        assumption: false,
        forms: &[
            form!(EquityMultiple = "distributions ÷ equity"; Distributions, Equity;
            |v| two(v, |out, paid| ratio(out, paid, "equity invested"))),
        ],
    },
    Relation {
        definition: "Break-even occupancy = (operating expenses + debt service) ÷ potential gross income.",
        assumption: false,
        forms: &[
            form!(Breakeven = "(opex + debt service) ÷ potential gross income"; Opex, DebtService, Pgi;
            |v| three(v, |opex, service, income| ratio(opex + service, income, "potential gross income"))),
        ],
    },
    Relation {
        definition: "Gross potential rent is taken as the potential gross income.",
        assumption: true,
        forms: &[form!(Pgi = "gross potential rent"; Gpr; |v| one(v, finite))],
    },
    Relation {
        definition: "Operating expense ratio = operating expenses ÷ effective gross income.",
        assumption: false,
        forms: &[form!(OpexRatio = "operating expenses ÷ EGI"; Opex, Egi;
            |v| two(v, |opex, egi| ratio(opex, egi, "effective gross income")))],
    },
    Relation {
        definition: "GRM = price ÷ annual gross rent.",
        assumption: false,
        forms: &[
            form!(Grm = "price ÷ annual gross rent"; Price, GrossRent;
                |v| two(v, |price, rent| ratio(price, rent, "gross rent"))),
            form!(GrossRent = "units × average monthly rent × 12"; TotalUnits, AverageRent;
                |v| two(v, |units, rent| finite(units * rent * 12.0))),
            form!(GrossRent = "price ÷ GRM"; Price, Grm; |v| two(v, |price, grm| ratio(price, grm, "GRM"))),
        ],
    },
    Relation {
        definition: "Value by gross rent = GRM × annual gross rent.",
        assumption: false,
        forms: &[
            form!(Value = "GRM × annual gross rent"; Grm, GrossRent; |v| two(v, |grm, rent| finite(grm * rent))),
        ],
    },
    Relation {
        definition: "Economic occupancy = rent collected ÷ gross potential rent, over the same period.",
        assumption: false,
        forms: &[
            form!(EconomicOccupancy = "rent collected ÷ gross potential rent"; Collections, Gpr;
            |v| two(v, |got, rent| ratio(got, rent, "gross potential rent"))),
        ],
    },
    Relation {
        definition: "Physical occupancy = what is occupied ÷ what is rentable, by units or by area.",
        assumption: false,
        forms: &[
            form!(PhysicalOccupancy = "occupied units ÷ total units"; OccupiedUnits, TotalUnits;
            |v| two(v, |occupied, all| ratio(occupied, all, "number of units"))),
            form!(PhysicalOccupancy = "occupied area ÷ rentable area"; OccupiedArea, TotalArea;
            |v| two(v, |occupied, all| ratio(occupied, all, "rentable area"))),
        ],
    },
    Relation {
        definition: "Exit value = NOI of the year after the sale ÷ exit cap rate.",
        assumption: false,
        forms: &[
            form!(GrossSale = "NOI of the next year ÷ exit cap"; ExitNoi, ExitCap;
            |v| two(v, |noi, cap| ratio(noi, cap, "exit cap rate"))),
        ],
    },
    Relation {
        definition: "Net sale proceeds before debt = exit value × (1 − sale costs).",
        assumption: false,
        forms: &[
            form!(NetSale = "exit value × (1 − sale costs)"; GrossSale, SaleCostShare;
            |v| two(v, |sale, cost| finite(sale * (1.0 - cost)))),
        ],
    },
    Relation {
        definition: "The gross sale price is the price given.",
        assumption: false,
        forms: &[form!(GrossSale = "sale price"; SalePrice; |v| one(v, finite))],
    },
    Relation {
        definition: "Net sale proceeds before debt = sale price − selling costs.",
        assumption: false,
        forms: &[
            form!(NetSale = "sale price − selling costs"; GrossSale, SellingCosts;
                |v| two(v, |sale, costs| finite(sale - costs))),
        ],
    },
    Relation {
        definition: "Net proceeds to the equity = net sale proceeds − loan payoff.",
        assumption: false,
        forms: &[
            form!(EquityProceeds = "net sale proceeds − loan payoff"; NetSale, Payoff;
                |v| two(v, |net, debt| finite(net - debt))),
        ],
    },
    Relation {
        definition: "Change of value at a constant NOI: NOI ÷ the one cap rate against NOI ÷ the other.",
        assumption: false,
        forms: &[
            form!(ValueLoss = "NOI ÷ first cap rate − NOI ÷ second cap rate"; Noi, StartCap, EndCap;
            |v| three(v, |noi, start, end|
                finite(ratio(noi, start, "first cap rate")? - ratio(noi, end, "second cap rate")?))),
            form!(ValueGain = "NOI ÷ second cap rate − NOI ÷ first cap rate"; Noi, StartCap, EndCap;
            |v| three(v, |noi, start, end|
                finite(ratio(noi, end, "second cap rate")? - ratio(noi, start, "first cap rate")?))),
        ],
    },
    Relation {
        definition: "Closing costs in percent are taken of the purchase price.",
        assumption: false,
        forms: &[form!(ClosingCosts = "share × price"; ClosingShare, Price;
                |v| two(v, |share, price| finite(share * price)))],
    },
    Relation {
        definition: "Occupied units needed = occupancy × all units, rounded up to a whole unit.",
        assumption: false,
        forms: &[
            // A product such as 0.95 × 200 may be slightly above the whole number because of rounding.
            form!(UnitsNeeded = "⌈occupancy × all units⌉"; OccupiedShare, TotalUnits;
                |v| two(v, |share, units| finite((share * units - 1e-9).ceil()))),
        ],
    },
    Relation {
        definition: "Equity = price + closing costs − loan.",
        assumption: false,
        forms: &[
            form!(Equity = "price + closing costs − loan"; Price, ClosingCosts, Loan;
            |v| three(v, |price, costs, loan| finite(price + costs - loan))),
        ],
    },
    Relation {
        definition: "NOI margin = NOI ÷ effective gross income.",
        assumption: false,
        forms: &[
            form!(NoiMargin = "NOI ÷ EGI"; Noi, Egi; |v| two(v, |noi, egi| ratio(noi, egi, "effective gross income"))),
        ],
    },
    Relation {
        definition: "Net cash flow (the lender's NCF) = NOI − reserves.",
        assumption: false,
        forms: &[
            form!(NetCashFlow = "NOI − reserves"; Noi, Reserves; |v| two(v, |noi, reserves| finite(noi - reserves))),
        ],
    },
    Relation {
        definition: "The equity is taken as the price less the loan: no closing costs are given.",
        assumption: true,
        forms: &[
            form!(Equity = "price − loan"; Price, Loan; |v| two(v, |price, loan| finite(price - loan))),
            form!(Equity = "total cost − loan"; TotalCost, Loan; |v| two(v, |cost, loan| finite(cost - loan))),
        ],
    },
];
