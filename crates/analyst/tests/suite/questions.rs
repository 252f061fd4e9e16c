//! Questions as people ask them, and the figure each must get; questions that must not get one.

use analyst::answer::draft;
use analyst::contract::brief::{Brief, Tone};
use analyst::contract::draft::Draft;

use super::asking::{ask, assert_asks, assert_figure, brief};

const PAYMENT: f64 = 50_144.979_405_239_27;
const BALANCE: f64 = 7_084_580.841_192;

#[test]
fn paraphrases_get_their_figure() {
    let cases: &[(&str, &str, f64)] = &[
        ("NOI of 918k at a 6.25 cap, value?", "value", 14_688_000.0),
        ("At 6.25% what is 918k of NOI worth?", "value", 14_688_000.0),
        (
            "Value at a six and a quarter cap with nine hundred eighteen thousand of NOI",
            "value",
            14_688_000.0,
        ),
        ("6 3/8% cap, NOI $510,000, what's it worth?", "value", 8_000_000.0),
        (
            "what can we pay at a six and three-eighths cap on 510k of NOI?",
            "value",
            8_000_000.0,
        ),
        (
            "we're paying 12.4mm, NOI's 731.6k, what's the going-in?",
            "going_in_cap_rate",
            0.059,
        ),
        (
            "Purchase price 12.4M, year-1 NOI 731.6K - going in cap rate please",
            "going_in_cap_rate",
            0.059,
        ),
        (
            "NOI is 900k and they want 15m. Implied cap?",
            "going_in_cap_rate",
            0.06,
        ),
        (
            "If NOI is 60,000 a month and we pay 12 million, what's the cap?",
            "going_in_cap_rate",
            0.06,
        ),
        (
            "annual debt service 968k and NOI 1.285m, what is the coverage",
            "dscr",
            1.327_479_3,
        ),
        (
            "NOI 107k a month, debt service 80k a month, DSCR?",
            "dscr",
            1.3375,
        ),
        ("NOI is 1.2m, debt service 80k a month. DSCR?", "dscr", 1.25),
        (
            "dscr on an 8.5 million loan at 5.85%, 30-year amortization, with 800k NOI",
            "dscr",
            1.329_478_4,
        ),
        (
            "What NOI do I need for a 1.25x DSCR on 968k of debt service?",
            "noi",
            1_210_000.0,
        ),
        (
            "lender quotes 871k UW NOI on a 9.75MM loan, debt yield?",
            "debt_yield",
            0.089_333_33,
        ),
        (
            "what's the LTV if the loan is 6.42mm and value is 10.7mm",
            "ltv",
            0.6,
        ),
        (
            "If I borrow 7.5m against a property worth 12m, what's my LTV?",
            "ltv",
            0.625,
        ),
        (
            "65% LTV on a 20 million value, what loan?",
            "loan_amount",
            13_000_000.0,
        ),
        ("Total cost 26M, loan 18.2M, LTC?", "ltc", 0.7),
        (
            "Land is 4.5 million, hard cost 17 million, soft 3.1 million, financing 1.4 million; we're borrowing 18.2 million. What's the LTC?",
            "ltc",
            0.7,
        ),
        (
            "Monthly payment: 8.5 million loan, 5.85% rate, 30-yr am",
            "payment",
            PAYMENT,
        ),
        ("P&I on $8.5M, 5.85%, 30 years?", "payment", PAYMENT),
        (
            "what are the monthly payments on $10k at 8% over 10 months",
            "payment",
            1_037.032_089,
        ),
        (
            "what do we still owe after 10 years on an 8.5M loan at 5.85% with a 30 year amortization",
            "balloon",
            BALANCE,
        ),
        (
            "remaining balance after 120 payments on 8.5 million, 5.85 percent, thirty year amortization",
            "balloon",
            BALANCE,
        ),
        (
            "balloon at the end of a 10-year term, $8.5M, 5.85%, 30-year am",
            "balloon",
            BALANCE,
        ),
        (
            "how much interest in year 2 on a 125k mortgage at 9% over 30 years",
            "interest_paid",
            11_135.232_131,
        ),
        (
            "interest over the first five years, 125k loan at 9%, 30 year am",
            "interest_paid",
            55_196.866_6,
        ),
        (
            "31 days of interest on 7.2 million at 5.4% actual/360",
            "interest",
            33_480.0,
        ),
        ("February interest on 7.2m at 5.4%, 30/360", "interest", 32_400.0),
        (
            "6 million loan at 6.1%, 2 years IO then amortizing over 28 years - monthly payment after the IO period?",
            "payment",
            37_286.686_65,
        ),
        (
            "Interest-only payment on 6 million at 6.1%?",
            "io_payment",
            30_500.0,
        ),
        (
            "mortgage constant at 6.5%, 25 year amortization",
            "mortgage_constant",
            0.081_024_86,
        ),
        (
            "what rate am I paying on an 800k loan with payments of 5,200 a month over 25 years?",
            "annual_rate",
            0.060_930_3,
        ),
        (
            "cash on cash: 640k NOI, 455k of debt service, 25k reserves, 2.3m equity",
            "cash_on_cash",
            0.069_565_2,
        ),
        (
            "breakeven occupancy with 512k opex, 688k debt service and 1.46m PGI",
            "breakeven_occupancy",
            0.821_917_8,
        ),
        (
            "NOI 1.15 million, value 20 million. Lender does 65% LTV max, 1.25x DSCR minimum and 9% debt yield at 6.25% with 30-year amortization. How much can we borrow?",
            "max_loan",
            12_451_603.855,
        ),
        (
            "Equity of 4m in, then distributions of 210k, 260k, 300k, 330k and 6.4m. What's the multiple?",
            "equity_multiple",
            1.875,
        ),
        (
            "equity multiple if we put in 2m and get 3.4m back",
            "equity_multiple",
            1.7,
        ),
        (
            "I invest 1,000,000 and receive 80,000 a year for 5 years and sell for 1.2 million at the end of year 5. IRR?",
            "irr",
            0.111_987_4,
        ),
        (
            "cash flows are (70,000), 12,000, 15,000, 18,000, 21,000, 26,000. IRR?",
            "irr",
            0.086_630_9,
        ),
        ("IRR: year 0 -100, year 1 60, year 2 70", "irr", 0.188_819_4),
        (
            "What's the IRR if I invest $1M today and get $2M back in 5 years?",
            "irr",
            0.148_698_4,
        ),
        (
            "Buy for 1m today, 100k a year for ten years, NPV at 7%?",
            "npv",
            -297_641.845_9,
        ),
        (
            "discount 8%: -250000 then 60000 60000 60000 60000 100000 npv",
            "npv",
            16_785.930_1,
        ),
        (
            "NPV at 8% of -1000, 500, 600, 700 using Excel's NPV function",
            "npv",
            493.563_7,
        ),
        (
            "MIRR of -120000, 39000, 30000, 21000, 37000, 46000, finance rate 10%, reinvestment rate 12%",
            "mirr",
            0.126_094_1,
        ),
        (
            "effective rate on 6% compounded monthly?",
            "effective_rate",
            0.061_677_8,
        ),
        (
            "GRM on a 1.05 million fourplex with rents of 7,000 a month",
            "grm",
            12.5,
        ),
        (
            "what can we pay at a six and three-eighths cap on 510k of NOI?",
            "value",
            8_000_000.0,
        ),
        ("-1m, 100k, 100k, 1.1m: irr and equity multiple?", "irr", 0.1),
        (
            "net present value, 10% discount, flows 0: -10000 1: 3000 2: 4200 3: 6800",
            "npv",
            1_307.287_75,
        ),
        (
            "If I put in 250k and get 20k annually for 7 years plus 300k back at the end of year 7, what's my irr",
            "irr",
            0.101_015_45,
        ),
        ("EGI 1.4m, opex 560k, what's the NOI?", "noi", 840_000.0),
    ];
    for (question, name, value) in cases {
        assert_figure(&ask(question), question, name, *value);
    }
}

#[test]
fn several_internal_rates_are_all_named() {
    let draft = ask("-100, 230, -132 irr");
    assert!(draft.success, "{}", draft.quick_reply);
    assert_eq!(draft.figures[0].name, "irr_roots");
    let roots: Vec<f64> = draft.figures[0]
        .value
        .as_array()
        .unwrap()
        .iter()
        .filter_map(serde_json::Value::as_f64)
        .collect();
    assert!((roots[0] - 0.1).abs() < 1e-6 && (roots[1] - 0.2).abs() < 1e-6);
    assert!(draft.quick_reply.contains("10.00%") && draft.quick_reply.contains("20.00%"));
}

#[test]
fn amounts_are_read_in_other_notations() {
    for question in [
        "12,4 million price, NOI 731600, cap?",
        "price €12.4m, NOI 731,600, cap?",
        "price €12.400.000, NOI €731.600, what is the cap? NOI is EUR 731,600",
        "NOI CHF 731'600, price CHF 12'400'000: cap rate?",
        "price £12 400 000, NOI £731,600, cap rate?",
    ] {
        let draft = ask(question);
        let cap = draft.figures.first().and_then(|figure| figure.value.as_f64());
        let right = cap.is_some_and(|cap| (cap - 0.059).abs() < 1e-9);
        assert!(right || !draft.success, "{question}: {}", draft.quick_reply);
        assert!(
            right || question.contains(".600"),
            "{question}: {}",
            draft.quick_reply
        );
    }
}

#[test]
fn what_cannot_be_known_is_asked() {
    let questions = [
        "what's the cap rate?",
        "NOI 731,600, what's the cap?",
        "NOI 500k, LTV?",
        "Payment on 5m over 30 years?",
        "interest on 7.2m at 5.4% for 31 days",
        "NOI 107k a month, debt service 80k, DSCR?",
        "What's the cap at 12.4 and 731.6 NOI?",
        "NOI of 900k to 950k at a 6% cap, value?",
        "value at a 5.5-6% cap on 900k NOI",
        "a 500k TI budget, NOI 600k, what's the cap?",
        "payment on 5m at 6% for 10-year loan?",
        "$6M, 6.1%, two years interest only and then 28-year amortization. Monthly payment?",
        "$6M at 6.1%, 30-year loan, 2 years IO, payment after the IO period?",
        "price 12,4, NOI 731600, cap?",
        "NOI 900k, reserves 50k, debt service 700k, DSCR?",
        "What is the IRR on 100, 200 and 300?",
        "NPV of -1000, 500, 700?",
        "Whats the NPV of 500k today then 90k a year for 8 years",
        "IRR: invest 1m, get 210k, 260k, 300k, then sell for 1.5m",
        "NPV at 8% of 100, 200, 300",
        "price €12.4m, NOI $731,600, cap?",
        "NOI 900k growing 3%, exit at a 6% cap in 5 years, value at 8%?",
        "What is a building with 918k of gross income worth at a 6.25% cap?",
        "value of a property generating $50,000 monthly with cap rate 6%",
        "5 million at 6 percent for 30 years, payments quarterly?",
        "I put 70 grand in. Years 1-5 gave me 12, 15, 18, 21 and 26 thousand. irr?",
        "irr for monthly flows -1000, 100, 100, 1000",
        "LTV on 6.4m loan, purchase price 10m, appraisal 10.7m?",
        "LTV with first mortgage of 6m and second mortgage of 1m on 10m value",
        "cap rate on 10 units at 150k per unit with NOI 90k",
        "write me a poem",
        "who will win the election",
        "where will cap rates be next year?",
        "Can you book me a table for four tonight?",
        "hello",
        "",
        "???",
    ];
    for question in questions {
        assert_asks(&ask(question), question);
    }
}

#[test]
fn missing_inputs_are_named() {
    let words = |draft: &Draft| {
        draft
            .missing
            .iter()
            .map(|item| item.name.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(words(&ask("NOI 731,600, what's the cap?")), ["price"]);
    assert_eq!(words(&ask("Payment on 5m over 30 years?")), ["annual_rate"]);
    assert_eq!(words(&ask("DSCR with NOI of 900k")), ["debt_service"]);
    assert_eq!(
        words(&ask("DSCR with NOI of 900k on an 8m loan at 6%")),
        ["amortization_years"]
    );
    assert_eq!(words(&ask("NPV of -1000, 500, 700?")), ["discount_rate"]);
}

#[test]
fn facts_are_said_instead_of_numbers() {
    let cases = [
        ("DSCR with no debt, NOI 500k?", "not defined"),
        ("DSCR: NOI 500k, debt service 0", "not defined"),
        ("cap rate with NOI 500k and price of $0", "zero"),
        (
            "what amortization do I need to pay off 800k at 6.5% with payments of 4,000 a month?",
            "never amortizes",
        ),
        ("What is the IRR on 100, 200 and 300?", "at least one outflow"),
        ("What is the irr of -100, 230, -140?", "no real IRR"),
        (
            "price 12.4m, NOI 731,600, cap 6.5%, what's the value?",
            "do not agree",
        ),
        (
            "loan 6m, value 10m, LTV 65%, debt yield with NOI of 600k?",
            "do not agree",
        ),
    ];
    for (question, words) in cases {
        let draft = ask(question);
        assert_asks(&draft, question);
        assert!(
            draft.quick_reply.contains(words),
            "{question}: {}",
            draft.quick_reply
        );
    }
}

#[test]
fn tone_touches_words_only() {
    let plain = ask("NOI of 918k at a 6.25 cap, value?");
    for tone in [
        Tone::Friendly,
        Tone::Funny,
        Tone::Authoritative,
        Tone::Consultative,
    ] {
        let toned = draft(&Brief {
            tone,
            ..brief("NOI of 918k at a 6.25 cap, value?")
        });
        assert_eq!(toned.figures, plain.figures);
        assert!(toned.quick_reply.contains("$14,688,000"));
    }
}
