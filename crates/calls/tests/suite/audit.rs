//! Numbers of an answer: invented ones are reported in every form, true ones in none.

use calls::audit::prose::numbers;
use calls::audit::readings::{Kind, Reading};
use calls::audit::trace::{Known, Untraced, mark, untraced};
use chrono::NaiveDate;

fn day(year: i32, month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(year, month, day).unwrap()
}

/// What the run of these tests was given.
pub fn known() -> Known {
    let mut known = Known::default();
    known.add_text(
        "We buy 48 units in a 1031 exchange for $7,200,000 at a 6.75 cap, with a 30-year loan at 6.25% and 65% LTV. \
         Closing is on March 15, 2026, NOI was 486k in FY2025, rent grows 3 1/2% a year, an 80/20 split.",
    );
    known.add_text(r#"{"debt_yield": 0.1038461, "rows": [[1, 31804.53], [14, 29117.08]]}"#);
    known.add_text("Rent roll\n23\u{202f}450 sf in suite 210\nexpires 2031-06-30");
    for (value, unit) in [
        (1.2734, "ratio"),
        (381_654.32, "USD"),
        (0.142_371, "percent"),
        (1.8312, "multiple"),
        (2.5, "years"),
        (4_680_000.0, "USD"),
        (150.0, "bps"),
        (-1_234_567.89, "USD"),
        (12.0, "count"),
        (25.0, "count"),
        (120.0, "count"),
    ] {
        known.add_figure(value, unit);
    }
    known.add_date(day(2026, 11, 27));
    known
}

fn texts(found: &[Untraced]) -> Vec<&str> {
    found.iter().map(|number| number.text.as_str()).collect()
}

/// Texts in which `«»` surrounds what is invented. The rest is true.
const PLANTED: &[(&str, &[&str])] = &[
    (
        "money",
        &[
            "The loan of $4,680,000 leaves «$2,250,000» of equity.",
            "Debt service is $381,654 and «$391,654» next year.",
            "It costs $7,200,000, that is «$7,210,000» with costs.",
            "Fees are «$5».",
            "«US$5,000» and «€750,000» and «GBP 12,500».",
            "NOI of 486,000 USD against «512,000 USD».",
            "A deposit of «50 dollars» for 48 units.",
            "Cash flow of -$1,234,568, not «-$1,243,568».",
        ],
    ),
    (
        "multiples",
        &[
            "$7.2m for the building and «$1.3m» for repairs.",
            "$4.68 million, then «$4.86 million».",
            "486k of income and «468k» before.",
            "«$1.2bn», «1.3MM», «$1,035k», «3 billion», «8.1 mil».",
            "«$7.21M» for $7.2M.",
            "NOI «0.6m».",
        ],
    ),
    (
        "percent",
        &[
            "14.2% IRR against «15.2%».",
            "6.25 percent and «6.35 percent», 65% LTV and «75 per cent».",
            "A cap rate of 6.75% and «8%» at the exit.",
            "«4.5 percentage points» above 6.25%.",
            "Vacancy of «5%» on 48 units.",
            "At «6.5 %» it is lower than 6.75 %.",
        ],
    ),
    (
        "basis points",
        &[
            "150 bps or «175 bps».",
            "A spread of «210 basis points» over 6.25%.",
            "625bps, «626bps».",
        ],
    ),
    (
        "ratios",
        &[
            "DSCR 1.27x, covenant «1.25x».",
            "1.27:1 and «1.35:1».",
            "1.83x, «4x», «1.91 to 1».",
        ],
    ),
    (
        "table cells",
        &[
            "| Year | Cash |\n|---|---|\n| 1 | 31,804.53 |\n| 14 | «29,171.08» |",
            "| Cap, % | 6.75 | «6.85» |",
            "| Loss | (1,234,568) | «(1,243,568)» |",
            "| a | «0.1138» | 0.1038 |",
        ],
    ),
    (
        "durations",
        &[
            "30 months or 2.5 years, not «3.5 years».",
            "A 30-year loan, a «26-month» term.",
            "«17 months» after a 30-year-old building; «40 yrs», «18 mo».",
        ],
    ),
    (
        "dates",
        &[
            "Closing on 15 March 2026, not «16 March 2026».",
            "Due «April 1, 2026», after 2026-03-15.",
            "03/15/2026 and «03/16/2026», «2027-01-31».",
            "March 2026 and «May 2026», Q1 2026 and «Q2 2026».",
            "FY2025 and «FY2024», 2026 and «2029».",
            "From today, November 27, 2026, to «Dec 2026».",
        ],
    ),
    (
        "words",
        &[
            "Forty-eight units, «forty-nine» leases.",
            "Twelve of them for «thirteen years».",
            "«Two million dollars» and «one hundred and thirty» tenants.",
            "«Nine percent» of 48.",
            "«A hundred thousand» and «one and a half million» in all.",
        ],
    ),
    (
        "ranges",
        &[
            "«$1.3»–«1.4m» for 48 units.",
            "«13»–«16%» a year.",
            "between «11» and «17%»",
            "«5» to «9%»",
            "«$3m» to «$6m»",
        ],
    ),
    (
        "fractions",
        &["6¼% is 6 1/4%, «6½%» and «6 3/8%» are not.", "3½% and «1/2%»."],
    ),
    (
        "approximate",
        &[
            "About $1,200,000, about «$1,500,000».",
            "~14% and ~«19%».",
            "roughly 7 million, nearly «9 million».",
        ],
    ),
    (
        "code",
        &[
            "`noi = 486000`, `tax = «91500»`",
            "```\nprice 7200000\ntax «93000»\n```",
        ],
    ),
    (
        "other digits",
        &[
            "«１２３» and «١٢٣»",
            "«१२,३४५» for 48",
            "«𝟏𝟕» of 48",
            "«Ⅻ» of 48",
            "«1\u{200b}7» and «1\u{301}7»",
        ],
    ),
    (
        "not read",
        &[
            "«1.2.3» and 48",
            "«10^6» for 48",
            "«1.2e6»",
            "«123456789012345678901234567890123456» and 48",
        ],
    ),
    (
        "groups",
        &[
            "«1'235'568» and 1'234'568",
            "1.234.567,89 and «1.234.667,89»",
            "«1\u{202f}334\u{202f}567»",
        ],
    ),
];

/// Honest ways to write what was given.
const HONEST: &[&str] = &[
    "The price is $7,200,000, $7.2m, $7.2 million, 7.2MM, US$7.2M, USD 7,200,000, 7,200k, $7.2mn or 7.20 million USD.",
    "Annual debt service is $381,654.32, $381,654, about $382k, ~$380,000, 0.38 million or roughly $400,000.",
    "The loan is **$4.68m** (65% LTV), `4680000`, *4.7 million dollars* or 4,680 thousand.",
    "DSCR is 1.27x, 1.273, 1.27:1, 1.27 to 1, **1.27**x, 1.3× or 127%.",
    "The IRR is 14.24%, 14.2 %, 14.2 percent, 0.1424, 1,424 bps, 14.2 percentage points or about 14%.",
    "An equity multiple of 1.83x, 1.8x or 1.8312.",
    "The debt yield is 10.38%, 10.4 per cent or 1,038 basis points.",
    "It is a 6.75% cap rate, 0.0675, 675bps; 6.75 in the table.",
    "| Cap rate (%) | 6.75 |\n|---|---|\n| IRR (%) | 14.24 |\n| LTV (%) | 65 |",
    "Rent grows 3.5%, 3½%, 3 1/2%, 3-1/2% or 350 bps a year.",
    "The loss is (1,234,568), -1,234,568, −$1,234,567.89, –1.23m, ($1.2m), -$1,234,568 or minus 1.2 million.",
    "1\u{2009}234\u{2009}568, 1\u{a0}234\u{a0}568, 1'234'568, 1’234’568, 1.234.567,89 and 1&nbsp;234&nbsp;568.",
    "A loan of 30 years, 360 months, a 30-year, 30 yr or 30-year-old term; thirty years.",
    "A hold of 2.5 years, 30 months, two and a half years, 2 and a half years, 2½ years or 10 quarters.",
    "Closing on 15 March 2026, March 15, 2026, 2026-03-15, 03/15/2026, 15/03/2026, 15.03.2026, Mar 15th, 2026.",
    "Closing in March 2026, Mar 2026, Mar-26, Mar '26, 2026-03, 03/2026, Q1 2026, 1Q26, Q1'26, H1 2026 or 2026.",
    "Closing on 15-Mar-2026, the 15th of March 2026, March 15, Mar. 15, 2026, or 2026-03-15T10:30:00Z.",
    "In FY2025, FY25, FY 2025 or 2025 the NOI was $486,000, $486k, 0.486m or $0.49 million.",
    "It expires on June 30, 2031, in June 2031, in Q2 2031 or in 2031. Today is 27 November 2026.",
    "There are 48 units, forty-eight units, ４８ units, ٤٨ units, 4\u{200b}8 units; 12 and twelve, 25 and twenty-five.",
    "One hundred and twenty, one hundred twenty, 120. About 50 units. Almost 50 of them.",
    "1. First\n2. Second\n12. Twelfth\n13) Thirteenth\n  14. Fourteenth\n- 15. Fifteenth\n**16.** Sixteenth",
    "## 12. Terms\n\n### 1.2.3 More terms\n\n#### 11. Notes\n\n> 17. Quoted",
    "The 1st, 2nd, third, 21st, 22nd, 43rd, 95th, twenty-first and 15**th** of them.",
    "T-12, T12, t-12, a 10-K, an 8-K, a 401(k), Unit 12B, unit 14K, Q3, A1, R2D2, COVID-19, 2BR, H2, v1.2.3, 4plex.",
    "See [r2.1], [n1], [f12], [d14]. At 10:30, 23:59:59, 11 am, 12pm or 11 p.m.",
    "Nothing: 0, 0%, $0, 0.00, zero. All: 100%, 100 percent, 100.0%. Few: 1, 2, three, 10, ten, 5 units, 7 years.",
    "A 1031 exchange, suite 210, 23,450 sf or 23,450sqft, an 80/20 split, 80% and 20%.",
    "Files: rents_2024.xlsx, 2024_rents.csv, [roll](files/91823.pdf), https://example.com/a/91823?x=12345 and T12.pdf.",
    "- **Price**: $7,200,000\n- **Loan**: **$4,680,000**\n- Rate: _6.25%_, ~~6.25%~~, **6.25** percent, $**7.2**m",
    "Between 6.25 and 6.75%, 6.25–6.75%, 6.25 to 6.75 percent, $4.68–7.2m, from 12 to 30 months, 2025–2026, 2025-26.",
    "The spread is 150 bps, 1.5%, 150 basis points or 1.50 percentage points; 1.5 points.",
    "Year 14: 29,117.08; $29,117; $29.1k. Year 1: 31,804.53, $31.8k. \\$31.8k, \\~$32k.",
    "$7.2m¹ and 6.25%² and m² and 48 units.³",
];

#[test]
fn invented_numbers_are_caught_in_every_form() {
    let known = known();
    let (mut planted, mut faults) = (0, Vec::new());
    for (form, cases) in PLANTED {
        for case in *cases {
            let invented: Vec<&str> = case
                .split('«')
                .skip(1)
                .map(|part| part.split('»').next().unwrap())
                .collect();
            let text = case.replace(['«', '»'], "");
            planted += invented.len();
            let found = untraced(&text, &known);
            let seen: Vec<String> = invented.iter().map(|text| (*text).to_owned()).collect();
            if texts(&found) != seen {
                faults.push(format!("{form}: {case:?} gives {:?}", texts(&found)));
            }
        }
    }
    println!("{planted} invented numbers");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(planted >= 60 && PLANTED.len() >= 12, "{planted}");
}

#[test]
fn honest_numbers_are_not_reported() {
    let known = known();
    let mut faults = Vec::new();
    for case in HONEST {
        let found = untraced(case, &known);
        if !found.is_empty() {
            faults.push(format!("{:?} in {case:?}", texts(&found)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let ways: usize = HONEST.iter().map(|case| numbers(case).len()).sum();
    println!("{ways} honest numbers");
    assert!(ways >= 60, "{ways}");
}

#[test]
fn marks_keep_markdown() {
    let known = Known::default();
    for (text, marked) in [
        ("It is **$1.2m**.", "It is **$1.2m** (unverified)."),
        (
            "It is **$1.2m** or *12%*",
            "It is **$1.2m** (unverified) or *12%* (unverified)",
        ),
        ("**12**th, **16**x", "**12**th, **16**x (unverified)"),
        ("**In all 12 units**", "**In all 12 (unverified) units**"),
        (
            "***12*** and ~~13~~",
            "***12*** (unverified) and ~~13~~ (unverified)",
        ),
        (
            "| 1,234 | (5,678) |",
            "| 1,234 (unverified) | (5,678) (unverified) |",
        ),
        ("`12` and `a = 13`", "`12 (unverified)` and `a = 13 (unverified)`"),
        ("[12%](https://a.b/1234)", "[12% (unverified)](https://a.b/1234)"),
        ("* 12 * 13", "* 12 (unverified) * 13 (unverified)"),
        ("12**bold**", "12 (unverified)**bold**"),
        ("NOI ($1.2m)", "NOI ($1.2m (unverified))"),
        ("\\$12\\*", "\\$12 (unverified)\\*"),
        ("12\u{301}\u{20e3}.", "12\u{301}\u{20e3} (unverified)."),
    ] {
        assert_eq!(mark(text, &untraced(text, &known)), marked);
    }
}

#[test]
fn readings_have_the_step_of_the_last_digit() {
    for (text, kind, value, step) in [
        ("$1.2m", Kind::Plain, 1_200_000.0, 100_000.0),
        ("about $1,200,000", Kind::Plain, 1_200_000.0, 100_000.0),
        ("6.51%", Kind::Share, 0.0651, 0.0001),
        ("651 bps", Kind::Share, 0.0651, 0.0001),
        ("6¼%", Kind::Share, 0.0625, 0.0001),
        ("two million", Kind::Plain, 2_000_000.0, 1_000_000.0),
        ("half a million", Kind::Plain, 500_000.0, 100_000.0),
        (
            "three hundred and five thousand and twenty-one",
            Kind::Plain,
            305_021.0,
            1.0,
        ),
        ("€6,5", Kind::Plain, 6.5, 0.1),
        ("1.234", Kind::Plain, 1.234, 0.001),
    ] {
        let found = numbers(text);
        let [number] = found.as_slice() else {
            panic!("{text}: {found:?}")
        };
        let Reading::Amount {
            kind: own,
            value: shown,
            step: last,
        } = number.readings[0]
        else {
            panic!("{text}")
        };
        let near = |a: f64, b: f64| (a - b).abs() <= b * 1e-9;
        assert!(
            own == kind && near(shown, value) && near(last, step),
            "{text}: {number:?}"
        );
    }
}
