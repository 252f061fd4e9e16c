//! Texts of any length with which growth is measured, shared by the tests of all crates.
//!
//! A shape is a text that is repeated, after an opening that is not. In it `#` is a number and `@` a name of four
//! letters that differ from one repetition to the next.

/// What comes before the repetitions: openings lead to different readers.
pub const OPENINGS: &[&str] = &[
    "",
    "NOI\n",
    "What is the cap rate if the NOI is $500,000 and the price is 10 million? ",
    "What is the total rent by tenant?\n\nUnit,Tenant,Rent,Lease end\n1,Acme,1200,2027-01-31\n",
];

/// What is repeated.
#[rustfmt::skip]
pub const REPEATED: &[&str] = &[
    // Signs alone.
    ",", ";", "\n", " ", "\t", "|", "(", ")", "[", "{", "\"", "'", "`", "*", "_", "-", "/", "\\", "<", ">", "&",
    "=", "%",
    "$", "€", "?", ".", "!", ":", "#", "7", "+", "~", "^", "@", "a", "é", "\u{301}", "\u{200d}", "👩\u{200d}👧",
    "\u{202e}",
    "\u{feff}", "\u{a0}", "ß", "İ",
    // Signs in lines.
    ",\n", ";\n", "|\n", "a|b\n", "a\tb\n", "a  b\n", "---|---\n", "(,[\n", "\",a\n", "7\n", "x\n", "\r\n",
    "a,b\na,b\n1,2\n",
    "a,1\n\n", "7,7\n", "- \n", "* @\n", "1. @ #\n", "> @\n", "# @\n", "```\n", "| @ | # |\n", "@ #\n", "@,#\n",
    // Brackets, quotations and dashes.
    "()", "[](", "(a", "a)", "((a))", "[@](http://@.com) ", "\"a\" ", "'a ", "(5) ", "-5 ", "- ", "-- ", "5-",
    "5/", "a/b ", "a - b ",
    "<@U#> ", "<http://@.com|@> ", ":a: ", ":@: :#:", "~#~ ", "~~", "~a ", "5\u{20e3}",
    "&amp;", "**a** ", "_a_ ", "~a~", "`a` ", "```a```", "{\"a\":", "[1,",
    "{\"@\":#},",
    // Numbers, dates and units.
    "5 ", "5% ", "$5 ", "5%", "$", "1,000 ", "1,000,", "1.5.", "1.2.3 ", "5k ", "$5m ", "5 million ", "five ",
    "twenty five ",
    "one hundred and ", "half ", "two thirds ", "1/2 ", "5 bps ", "3x ", "12 months ", "5 years ", "2020-01 ",
    "2020-01-31 ",
    "1/31/2020 ", "Jan 2020 ", "January 5, 2020 ", "Q1 2020 ", "year 1 ", "years 1 to 5 ", "month # ", "5 sf ",
    "$5 psf ",
    "$5 per year ", "5 units ", "# ", "$# ", "#% ", "# units at $# ", "0 ", "1e9 ", "(5%) ", "-$5 ",
    "$1,234.56 ", "5 + ", "5 * 5 ",
    "= ", "5 - 5 ", "year #: $# ", "Year # $#, ", "#: #, ", "-#, ", "$#m in year #, ", "2020: #, ",
    // Words.
    "a ", "the ", "and ", "or ", "not ", "if ", "of ", "to ", "by ", "with ", "what ", "then ", "@ ", "rent ",
    "NOI ", "cap ", "rate ",
    "price ", "NOI and ", "cap rate 5% ", "NOI is 5 ", "NOI of $# ", "cap rate and price and ", "loan ", "LTV ",
    "DSCR ",
    "debt service ", "equity multiple ", "IRR ", "NPV ", "cash flow ", "cash flows ", "interest rate ",
    "vacancy ", "occupancy ",
    "tenant ", "tenants ", "lease ", "unit ", "units ", "building ", "property ", "month ", "monthly ", "year ",
    "per ", "per year ",
    "between ", "from ", "until ", "before ", "after ", "more than ", "less than ", "at least ", "except ",
    "excluding ", "without ",
    "compared to ", "instead of ", "growing at 3% ", "annual ", "total ", "average ", "percent ", "million ",
    "use it ", "it ",
    "amortization ", "refinance ", "waterfall ", "pref ", "hurdle ", "split ", "expenses ", "taxes ",
    "insurance ", "reserves ",
    "how many ", "how much ", "what is ", "what is the ", "which ", "list ", "show me ", "sum ", "each ",
    "every ", "all ", "none ",
    "also ", "but ", "say ", "suppose ", "assume ", "note ", "policy ", "January ", "today ", "today's ",
    "don't ", "vs ",
    // Clauses, sentences, lines.
    "what is the NOI? ", "what is the NOI and ", "is it 5%? ", "The cap rate is 5%. ", "NOI: $#\n",
    "Price: $5m, ", "NOI = #; ",
    "the price of @ is $# ", "@ pays $# a month, ", "@, ", "@ and ", "@: ", "@ is ", "@'s ", "@-", "@.",
    "@ (@) ", "not @, ",
    "The tenant, a bakery, pays # dollars, due monthly. ", "@ is the tenant of unit #. ", "Repairs @ # ",
    "rent of @ and ",
    "if the price is $# then ", "and the rent of unit # is $# and ", "loan of $# at 5% for 30 years ",
    "what about @? ",
    "how many tenants in @ pay more than $#? ", "which buildings have vacancy above #%? ",
    "100 units at $1,000 and ",
    "Year #: -# ", "-1000, 200, 300, ", "-$1,000 at close, ", "Unit # ", "unit #, ", "Building @ ", "Acme ",
    "the tenants of @ and ",
    "pays $5 in 2020-01 and ", "5% of NOI ", "5% of rent of ", "rent @ # rent ", "https://example.com/@?a=# ",
    "@@@@@@.com/",
    "QUJDREVGRw==", "eyJhIjog", "[[[[1]]]],", "user@example.com ", "e\u{301}\u{301}\u{301} ", "n\u{303},",
    "\u{627}\u{628} ",
    "租金 ", "租", "# @\n\n@ pays.\n\n", "* a\n  * b\n", "1) a\n", "• @: $#\n", "Total 5\n", "Total @,#\n",
    "Taxes #\n", "Taxes @ -\n",
    "Rent,#\nTotal,#\n", "Jan 2020\t#\n", "2020-01-31,#\n", "Year #,#\n", "Unit,Tenant,Rent\n#,@,10\n",
    "#,@,1200,2027-01-31\n",
    "#,@,#,2027-01-31\n", "#,Acme,1200,\n", ",,#\n", "Part @,,\n", "Total @,,#,\n", "1|2|3\n", "@|#|#\n",
    "a,a,a,a\n", "# NOI\n",
    "Unit,Rent\n#,5\n#,6\n\nText\n\n", "|a|b|\n|-|-|\n|1|2|\n\n", "@,5\n@,6\n\n", "$5 sqm 6 EUR ", "m2 M2 ",
    "in EUR ",
];

/// A name of four letters, different for each number.
pub fn name(at: usize) -> String {
    let letter = |power: u32| char::from(b'a' + u8::try_from(at / 26_usize.pow(power) % 26).unwrap());
    format!("{}{}{}{}", letter(3), letter(2), letter(1), letter(0))
}

/// The opening and as many repetitions as come to about the number of bytes.
pub fn text(opening: &str, repeated: &str, bytes: usize) -> String {
    let mut text = opening.to_owned();
    for at in 0.. {
        if text.len() >= bytes {
            break;
        }
        if repeated.len() > 1 {
            text.push_str(&repeated.replace('#', &at.to_string()).replace('@', &name(at)));
        } else {
            text.push_str(repeated);
        }
    }
    text
}
