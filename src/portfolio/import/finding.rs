//! Problems found by an import. Each finding refers to one position in one file and has a stable code. Errors
//! reject the import (or the row), warnings do not. Independent of the file formats and the database.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::base::text;

/// Maximum number of findings listed; the others are only counted.
pub const LISTED: usize = 500;
/// Maximum length of a quoted value, in characters.
const VALUE: usize = 120;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// The kind of problem, as a stable code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    MissingColumn,
    RequiredMissing,
    WrongColumnCount,
    InvalidDate,
    InvalidNumber,
    OutOfRange,
    UnknownReference,
    ReferenceMismatch,
    DuplicateKey,
    EndBeforeStart,
    UnknownValue,
    CurrencyMismatch,
    Encoding,
    FileTooLarge,
    AmbiguousDate,
    OverlappingLease,
    RentOutlier,
    AreaOutlier,
    GapInMonths,
    SubtotalMismatch,
    UnmappedAccount,
    FutureMonth,
    LeasePastEndNoMoveout,
}

impl Code {
    pub const fn severity(self) -> Severity {
        match self {
            Self::MissingColumn
            | Self::RequiredMissing
            | Self::WrongColumnCount
            | Self::InvalidDate
            | Self::InvalidNumber
            | Self::OutOfRange
            | Self::UnknownReference
            | Self::ReferenceMismatch
            | Self::DuplicateKey
            | Self::EndBeforeStart
            | Self::UnknownValue
            | Self::CurrencyMismatch
            | Self::Encoding
            | Self::FileTooLarge => Severity::Error,
            Self::AmbiguousDate
            | Self::OverlappingLease
            | Self::RentOutlier
            | Self::AreaOutlier
            | Self::GapInMonths
            | Self::SubtotalMismatch
            | Self::UnmappedAccount
            | Self::FutureMonth
            | Self::LeasePastEndNoMoveout => Severity::Warning,
        }
    }

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MissingColumn => "missing_column",
            Self::RequiredMissing => "required_missing",
            Self::WrongColumnCount => "wrong_column_count",
            Self::InvalidDate => "invalid_date",
            Self::InvalidNumber => "invalid_number",
            Self::OutOfRange => "out_of_range",
            Self::UnknownReference => "unknown_reference",
            Self::ReferenceMismatch => "reference_mismatch",
            Self::DuplicateKey => "duplicate_key",
            Self::EndBeforeStart => "end_before_start",
            Self::UnknownValue => "unknown_value",
            Self::CurrencyMismatch => "currency_mismatch",
            Self::Encoding => "encoding",
            Self::FileTooLarge => "file_too_large",
            Self::AmbiguousDate => "ambiguous_date",
            Self::OverlappingLease => "overlapping_lease",
            Self::RentOutlier => "rent_outlier",
            Self::AreaOutlier => "area_outlier",
            Self::GapInMonths => "gap_in_months",
            Self::SubtotalMismatch => "subtotal_mismatch",
            Self::UnmappedAccount => "unmapped_account",
            Self::FutureMonth => "future_month",
            Self::LeasePastEndNoMoveout => "lease_past_end_no_moveout",
        }
    }
}

/// A problem at one position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    pub file: String,
    /// The line of the file or row of the sheet, starting at 1. Absent if the finding is about the whole
    /// file.
    pub row: Option<usize>,
    /// The column's header as written in the file.
    pub column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    pub code: Code,
    pub severity: Severity,
    /// A description of the problem.
    pub detail: String,
    /// For a duplicate key, the row where it was first seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_row: Option<usize>,
}

impl Finding {
    pub fn new(file: &str, row: Option<usize>, code: Code, detail: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            row,
            column: None,
            value: None,
            code,
            severity: code.severity(),
            detail: detail.into(),
            first_row: None,
        }
    }

    #[must_use]
    pub fn at(mut self, column: &str, value: &str) -> Self {
        self.column = Some(column.to_owned());
        self.value = Some(text::shortened(value, VALUE));
        self
    }

    #[must_use]
    pub fn column(mut self, column: &str) -> Self {
        self.column = Some(column.to_owned());
        self
    }
}

/// All findings: a count for each code, and the first findings in full.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    errors: Vec<Finding>,
    warnings: Vec<Finding>,
    counts: BTreeMap<Code, usize>,
}

impl Findings {
    pub fn add(&mut self, finding: Finding) {
        *self.counts.entry(finding.code).or_default() += 1;
        // Kept separately, so that many warnings do not displace an error.
        let listed = match finding.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        if listed.len() < LISTED {
            listed.push(finding);
        }
    }

    pub fn any_error(&self) -> bool {
        self.counts.keys().any(|code| code.severity() == Severity::Error)
    }

    /// The number of findings per code, for one severity.
    pub fn counts(&self, severity: Severity) -> BTreeMap<&'static str, usize> {
        self.counts
            .iter()
            .filter(|(code, _)| code.severity() == severity)
            .map(|(code, count)| (code.as_str(), *count))
            .collect()
    }

    /// The first findings, ordered by file and row. Errors take precedence over warnings if there are too
    /// many.
    pub fn into_listed(mut self) -> Vec<Finding> {
        let mut listed = self.errors;
        self.warnings.truncate(LISTED.saturating_sub(listed.len()));
        listed.append(&mut self.warnings);
        listed.sort_by(|left, right| (&left.file, left.row).cmp(&(&right.file, right.row)));
        listed
    }
}
