//! Statements of twelve months as different systems print them.

use chrono::{Months as Span, NaiveDate};

use super::ledger::{Book, Group, Ledger, Side, ledger};
use super::random::Random;
use super::style::{MONTHS, Months, Style, foreign};
use super::tables::{Mutation, Page, Period, Question, footer};

/// How a maker lays out the lines of a statement.
pub struct Layout {
    pub name: &'static str,
    pub titles: &'static [&'static str],
    /// Headers before the amounts.
    pub labels: &'static [&'static str],
    /// Account numbers are in their own column, or before the names, or not there.
    pub codes: Codes,
    /// A heading above all lines.
    pub above: &'static str,
    /// The lines that begin and end income, expenses and what is below.
    pub income: [&'static str; 2],
    pub expense: [&'static str; 2],
    pub noi: &'static str,
    /// Groups have a heading and a total.
    pub grouped: bool,
    pub indent: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Codes {
    None,
    Own,
    Before,
}

pub const LAYOUTS: &[Layout] = &[
    Layout {
        name: "account and description",
        titles: &["{name}", "Income Statement - 12 Month", "Period = {from}-{to}"],
        labels: &["Account", "Description"],
        codes: Codes::Own,
        above: "",
        income: ["INCOME", "TOTAL INCOME"],
        expense: ["OPERATING EXPENSES", "TOTAL OPERATING EXPENSES"],
        noi: "NET OPERATING INCOME",
        grouped: true,
        indent: false,
    },
    Layout {
        name: "account name",
        titles: &[
            "Income Statement - 12 Month",
            "Properties: {name}",
            "Period Range: {from} to {to}",
        ],
        labels: &["Account Name"],
        codes: Codes::None,
        above: "Operating Income & Expense",
        income: ["Income", "Total Operating Income"],
        expense: ["Expense", "Total Operating Expense"],
        noi: "NOI - Net Operating Income",
        grouped: false,
        indent: true,
    },
    Layout {
        name: "bookkeeping program",
        titles: &["{name}", "Profit & Loss", "{from} through {to}"],
        labels: &[""],
        codes: Codes::None,
        above: "",
        income: ["Income", "Total Income"],
        expense: ["Expense", "Total Expense"],
        noi: "Net Operating Income",
        grouped: true,
        indent: true,
    },
    Layout {
        name: "numbers before names",
        titles: &["{name}", "Trailing Twelve Months"],
        labels: &["Category"],
        codes: Codes::Before,
        above: "",
        income: ["REVENUE", "TOTAL REVENUE"],
        expense: ["OPERATING EXPENSES", "TOTAL OPERATING EXPENSES"],
        noi: "NET OPERATING INCOME (NOI)",
        grouped: true,
        indent: true,
    },
    Layout {
        name: "plain sheet",
        titles: &[],
        labels: &["Account"],
        codes: Codes::None,
        above: "",
        income: ["Income", "Total Income"],
        expense: ["Expenses", "Total Expenses"],
        noi: "Net Operating Income",
        grouped: false,
        indent: false,
    },
    Layout {
        name: "broker's sheet",
        titles: &["{name} - T12"],
        labels: &["Line Item"],
        codes: Codes::None,
        above: "",
        income: ["Revenue", "Effective Gross Income"],
        expense: ["Expenses", "Total Expenses"],
        noi: "NOI",
        grouped: false,
        indent: false,
    },
    Layout {
        name: "ledger numbers",
        titles: &["12 Month Operating Statement", "{name}", "{from} - {to}"],
        labels: &["GL Account", "GL Name"],
        codes: Codes::Own,
        above: "",
        income: ["Revenues", "Total Revenues"],
        expense: ["Operating Expenses", "Total Operating Expenses"],
        noi: "Net Operating Income",
        grouped: true,
        indent: true,
    },
];

/// The amounts of one printed row: one for each column.
pub type Amounts<'a> = &'a dyn Fn(&dyn Fn(Book, &[usize]) -> i64) -> Vec<String>;

/// Writes the lines of a ledger in a layout; the columns belong to the caller.
pub struct Lines<'a> {
    pub layout: &'a Layout,
    pub ledger: &'a Ledger,
    pub twice: bool,
    /// A group of which only the total is printed.
    pub collapsed: Option<&'static str>,
    pub amounts: Amounts<'a>,
}

impl<'a> Lines<'a> {
    /// The lines as a mutation changes them.
    pub fn of(
        layout: &'a Layout,
        ledger: &'a Ledger,
        mutation: Mutation,
        random: &mut Random,
        amounts: Amounts<'a>,
    ) -> Self {
        let expenses = ledger.groups.iter().filter(|group| group.side == Side::Expense);
        let names: Vec<&'static str> = expenses.map(|group| group.name).collect();
        Self {
            layout,
            ledger,
            twice: mutation == Mutation::TotalsTwice,
            collapsed: (mutation == Mutation::GroupCollapsed).then(|| names[random.below(names.len())]),
            amounts,
        }
    }

    pub fn rows(&self) -> Vec<Vec<String>> {
        let mut rows = Vec::new();
        if !self.layout.above.is_empty() {
            rows.push(self.labelled(0, None, self.layout.above));
        }
        self.block(&mut rows, Side::Income, self.layout.income);
        self.block(&mut rows, Side::Expense, self.layout.expense);
        let ledger = self.ledger;
        self.total(&mut rows, 0, self.layout.noi, &|book, months| {
            ledger.noi(book, months)
        });
        for group in ledger.groups.iter().filter(|group| group.side == Side::Below) {
            self.group(&mut rows, group, true);
        }
        if ledger.groups.iter().any(|group| group.side == Side::Below) {
            self.total(&mut rows, 0, "Net Cash Flow", &|book, months| {
                ledger.noi(book, months) - ledger.side(Side::Below, book, months)
            });
        }
        rows
    }

    fn block(&self, rows: &mut Vec<Vec<String>>, side: Side, [head, total]: [&str; 2]) {
        rows.push(self.labelled(0, None, head));
        let ledger = self.ledger;
        for group in ledger.groups.iter().filter(|group| group.side == side) {
            self.group(rows, group, self.layout.grouped);
        }
        self.total(rows, 0, total, &|book, months| ledger.side(side, book, months));
    }

    fn group(&self, rows: &mut Vec<Vec<String>>, group: &Group, framed: bool) {
        let collapsed = self.collapsed == Some(group.name);
        if framed && !collapsed {
            rows.push(self.labelled(1, None, group.name));
        }
        for line in group.lines.iter().filter(|_| !collapsed) {
            let depth = if framed { 2 } else { 1 };
            let mut cells = self.labelled(depth, Some(line.code), line.name);
            cells.extend((self.amounts)(&|book, months| line.sum(book, months)));
            rows.push(cells);
        }
        if framed || collapsed {
            let own = format!("Total {}", group.name);
            self.total(rows, 1, &own, &|book, months| group.sum(book, months));
        }
    }

    fn total(
        &self,
        rows: &mut Vec<Vec<String>>,
        depth: usize,
        label: &str,
        sum: &dyn Fn(Book, &[usize]) -> i64,
    ) {
        let mut cells = self.labelled(depth, None, label);
        cells.extend((self.amounts)(sum));
        if self.twice {
            rows.push(cells.clone());
        }
        rows.push(cells);
    }

    fn labelled(&self, depth: usize, code: Option<i64>, name: &str) -> Vec<String> {
        let indent = if self.layout.indent {
            "  ".repeat(depth)
        } else {
            String::new()
        };
        let number = code.map(|code| format!("{code}-0000"));
        match (self.layout.codes, number) {
            (Codes::Own, number) => vec![number.unwrap_or_default(), format!("{indent}{name}")],
            (Codes::Before, Some(number)) => vec![format!("{indent}{number} - {name}")],
            _ => vec![format!("{indent}{name}")],
        }
    }
}

/// A month of the year that a statement has a column for: its place in the ledger.
struct Run {
    columns: Vec<usize>,
    headings: Vec<String>,
    first: NaiveDate,
}

pub fn page(random: &mut Random, mutation: Mutation) -> Page {
    let ledger = ledger(random);
    let layout = &LAYOUTS[random.below(LAYOUTS.len())];
    let cents = ledger
        .groups
        .iter()
        .any(|group| group.lines.iter().any(|line| line.actual[0] % 100 != 0));
    let style = Style::any(random, cents);
    let style = mutation.styled(style, random);
    let run = run(random, mutation);
    // Every month once, in the order of the ledger.
    let mut covered = run.columns.clone();
    covered.dedup();
    let totalled = random.chance(60);
    let amounts: Amounts = &|sum| {
        let mut cells: Vec<String> = run
            .columns
            .iter()
            .map(|month| style.money(sum(Book::Actual, &[*month])))
            .collect();
        if totalled {
            cells.push(style.money(sum(Book::Actual, &covered)));
        }
        cells
    };
    let lines = Lines::of(layout, &ledger, mutation, random, amounts);
    let name = random.pick(&["Lantern Court", "Quarry Lofts", "Alder Row", "Tanner Yard"]);
    let mut header: Vec<String> = layout.labels.iter().map(|label| (*label).to_owned()).collect();
    header.extend(run.headings.iter().cloned());
    if totalled {
        header.push(random.pick(&["Total", "TOTAL"]).to_owned());
    }
    let width = header.len();
    let mut rows = titles(layout, name, &run);
    rows.push(header);
    rows.extend(lines.rows());
    if mutation == Mutation::Footer {
        rows.extend(footer(random, name, width));
    }
    Page {
        maker: layout.name,
        rows,
        style,
        questions: questions(&ledger, &covered, &run, mutation),
        period: Some(Period {
            months: covered.iter().map(|month| at(run.first, *month)).collect(),
        }),
    }
}

fn at(first: NaiveDate, month: usize) -> NaiveDate {
    first
        .checked_add_months(Span::new(u32::try_from(month).unwrap()))
        .unwrap()
}

fn titles(layout: &Layout, name: &str, run: &Run) -> Vec<Vec<String>> {
    let month = |place: usize| at(run.first, place).format("%b %Y").to_string();
    let (from, to) = (month(run.columns[0]), month(*run.columns.last().unwrap()));
    let filled = |title: &&str| {
        let title = title.replace("{name}", name).replace("{from}", &from);
        vec![title.replace("{to}", &to)]
    };
    layout.titles.iter().map(filled).collect()
}

fn run(random: &mut Random, mutation: Mutation) -> Run {
    let first = NaiveDate::from_ymd_opt(2025, 11, 1).unwrap();
    let mut form = random.one(&MONTHS);
    if matches!(mutation, Mutation::MonthMarked) && !form.named() {
        form = Months::Short;
    }
    let mut columns: Vec<usize> = (0..12).collect();
    match mutation {
        Mutation::MonthDropped => {
            // Within the year, or at its end.
            columns.remove(random.one(&[2, 4, 5, 7, 9, 11]));
        }
        Mutation::MonthRepeated => {
            let month = random.below(12);
            columns.insert(month, month);
        }
        _ => {}
    }
    let language = random.below(5);
    let marked = random.below(12);
    let mark = random.pick(&["*", " (prelim.)", " (est.)", " †", " **"]);
    let headings = columns
        .iter()
        .map(|month| {
            let heading = form.heading(at(first, *month));
            match mutation {
                Mutation::MonthTranslated => foreign(language, at(first, *month)),
                Mutation::MonthMarked if *month == marked => format!("{heading}{mark}"),
                _ => heading,
            }
        })
        .collect();
    Run {
        columns,
        headings,
        first,
    }
}

fn questions(ledger: &Ledger, covered: &[usize], run: &Run, mutation: Mutation) -> Vec<Question> {
    let gap = (0..*covered.last().unwrap()).find(|month| !covered.contains(month));
    let says = gap.map_or(Vec::new(), |month| {
        let missing = at(run.first, month);
        let forms = ["%b %Y", "%B %Y", "%Y-%m", "%b-%y", "%m/%Y"];
        let mut words: Vec<String> = forms
            .iter()
            .map(|form| missing.format(form).to_string())
            .collect();
        words.extend(["missing", "11 months", "eleven", "not there", "gap"].map(str::to_owned));
        words
    });
    let open = matches!(
        mutation,
        Mutation::MonthDropped | Mutation::MonthRepeated | Mutation::MonthTranslated
    );
    let own = |text: &str, value: i64| Question {
        open,
        says: says.clone(),
        ..Question::money(text, value)
    };
    let sum = |side: Side| ledger.side(side, Book::Actual, covered);
    let utilities = ledger.group("Utilities").unwrap();
    vec![
        own("What is the NOI?", ledger.noi(Book::Actual, covered)),
        own("What are total operating expenses?", sum(Side::Expense)),
        own("What is the effective gross income?", sum(Side::Income)),
        own(
            "What were utilities in total?",
            utilities.sum(Book::Actual, covered),
        ),
    ]
}
