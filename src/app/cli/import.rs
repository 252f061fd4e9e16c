//! `corbel admin portfolio import`: imports the files of a folder into the portfolio and lists errors and warnings.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::json;

use crate::app::cli::args::Import;
use crate::app::cli::lookup::ME;
use crate::app::cli::report::Report;
use crate::base::error::{Error, Result};
use crate::portfolio::import::finding::{Finding, Severity};
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::listing::Mapping;
use crate::portfolio::import::opening::is_table;
use crate::portfolio::import::run::{ImportOptions, Outcome};
use crate::portfolio::import::sheet::{InputFile, MAX_FILE_BYTES};
use crate::services::Services;
use tables::headers::normalized;

/// Most findings in the text output; `--json` has more.
const SHOWN: usize = 40;

pub async fn run(services: &Services, args: Import) -> Result<Report> {
    let org = services.accounts.org(&args.org).await?;
    let files = files(&args.dir)?;
    let wish = ImportOptions {
        source: args.source,
        dry_run: args.dry_run,
        partial: args.partial,
        day_first: args.day_first.then_some(true),
        mapping: mapping(&args.map)?,
        building: args.building,
    };
    let outcome = services.imports.import(ME, org.id, files, wish).await?;
    report(&outcome)
}

/// The files of a folder in the order of their names, or one file.
fn files(dir: &Path) -> Result<Vec<InputFile>> {
    let unreadable = |path: &Path, error: &std::io::Error| {
        Error::invalid("dir", format!("{} cannot be read: {error}", path.display()))
    };
    let mut paths = Vec::new();
    if dir.is_dir() {
        for entry in std::fs::read_dir(dir).map_err(|error| unreadable(dir, &error))? {
            let path = entry.map_err(|error| unreadable(dir, &error))?.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let accepted =
                name.is_some_and(|name| is_table(&name) || name.to_ascii_lowercase().ends_with(".zip"));
            if path.is_file() && accepted {
                paths.push(path);
            }
        }
        paths.sort();
        if paths.is_empty() {
            return Err(Error::invalid(
                "dir",
                format!("{} has no .csv, .tsv, .txt, .xlsx or .zip file", dir.display()),
            ));
        }
    } else {
        paths.push(dir.to_owned());
    }
    let mut files = Vec::new();
    for path in paths {
        let size = std::fs::metadata(&path)
            .map_err(|error| unreadable(&path, &error))?
            .len();
        // A file that is too large is not read: the import reports its size.
        let bytes = if size > u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX) {
            vec![0; MAX_FILE_BYTES + 1]
        } else {
            std::fs::read(&path).map_err(|error| unreadable(&path, &error))?
        };
        let name = path.file_name().unwrap_or(path.as_os_str());
        files.push(InputFile {
            name: name.to_string_lossy().into_owned(),
            bytes,
        });
    }
    Ok(files)
}

fn mapping(arguments: &[String]) -> Result<Mapping> {
    let mut mapping = Mapping::default();
    for one in arguments {
        let parts = one
            .split_once(':')
            .and_then(|(kind, rest)| rest.rsplit_once('=').map(|(header, field)| (kind, header, field)));
        let known = parts.and_then(|(kind, header, field)| {
            let kind = Kind::parse(kind)?;
            Some((kind, normalized(header), kind.field(field)?.name))
        });
        let Some((kind, header, field)) = known else {
            let why =
                format!("{one:?}: write KIND:HEADER=FIELD, for instance rent_roll:Apartment=unit_number");
            return Err(Error::invalid("map", why));
        };
        mapping.fields.insert((kind, header), field.to_owned());
    }
    Ok(mapping)
}

fn report(outcome: &Outcome) -> Result<Report> {
    let coverage = outcome.coverage.map(|coverage| {
        json!({ "asOf": coverage.as_of, "firstMonth": coverage.first_month, "lastMonth": coverage.last_month })
    });
    let body = json!({
        "imported": outcome.number.is_some(),
        "import": outcome.number,
        "dryRun": outcome.dry_run,
        "files": outcome.files,
        "counts": outcome.counts,
        "errors": outcome.findings,
        "errorCounts": outcome.errors,
        "warningCounts": outcome.warnings,
        "coverage": coverage,
    });
    let mut report = Report::new(body, text(outcome)?);
    report.success = outcome.acceptable;
    Ok(report)
}

fn text(outcome: &Outcome) -> Result<String> {
    let mut text = String::new();
    write_text(outcome, &mut text).map_err(Error::internal)?;
    Ok(text.trim_end().to_owned())
}

fn write_text(outcome: &Outcome, text: &mut String) -> std::fmt::Result {
    for file in &outcome.files {
        write!(text, "{} ({}): {} rows", file.file, file.kind, file.rows)?;
        if let Some(read) = file.read.as_object() {
            let read: Vec<String> = read
                .iter()
                .map(|(name, value)| format!("{name} {value}"))
                .collect();
            write!(text, "; {}", read.join(", "))?;
        }
        writeln!(text)?;
        writeln!(text, "    {}.", file.account.sentence())?;
    }
    writeln!(text)?;
    for (table, count) in &outcome.counts {
        writeln!(
            text,
            "{table:<20} {:>7} added {:>7} changed {:>7} unchanged {:>5} ended",
            count.added, count.changed, count.unchanged, count.ended
        )?;
    }
    let sum = |counts: &std::collections::BTreeMap<&str, usize>| counts.values().sum::<usize>();
    let (errors, warnings) = (sum(&outcome.errors), sum(&outcome.warnings));
    if errors + warnings > 0 {
        writeln!(text, "\n{errors} errors, {warnings} warnings")?;
        let order = |severity| {
            outcome
                .findings
                .iter()
                .filter(move |one| one.severity == severity)
        };
        let shown = order(Severity::Error).chain(order(Severity::Warning));
        for finding in shown.take(SHOWN) {
            line(finding, text)?;
        }
        if errors + warnings > SHOWN {
            writeln!(text, "… and more; --json lists up to 500")?;
        }
    }
    let end = match (outcome.number, outcome.dry_run, outcome.acceptable) {
        (Some(number), ..) => format!("\nImported as import {number}."),
        (None, true, true) => "\nDry run: the files can be imported. Nothing was changed.".to_owned(),
        (None, true, false) => "\nDry run: the files cannot be imported. Nothing was changed.".to_owned(),
        (None, false, _) => {
            "\nNothing was imported. Fix the rows above, or import the others with --partial.".to_owned()
        }
    };
    write!(text, "{end}")
}

fn line(finding: &Finding, text: &mut String) -> std::fmt::Result {
    write!(text, "  {}", finding.file)?;
    if let Some(row) = finding.row {
        write!(text, ":{row}")?;
    }
    if let Some(column) = &finding.column {
        write!(text, " {column}")?;
    }
    if let Some(value) = &finding.value {
        write!(text, " {value:?}")?;
    }
    writeln!(text, ": {} [{}]", finding.detail, finding.code.as_str())
}
