//! Runs an import: reads and checks the files, compares them with the current data, stages the changes, and
//! publishes them.
//!
//! An import applies completely or not at all, unless the caller asks to load only the valid rows. Importing
//! the same files again changes nothing.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use tables::work::Ended;

use crate::audit::store::Actor;
use crate::base::blocking;
use crate::base::error::{Error, Result};
use crate::base::ids::OrgId;
use crate::base::text;
use crate::db::pool::Db;
use crate::portfolio::import::account::Account;
use crate::portfolio::import::check::Checks;
use crate::portfolio::import::current_state::{Count, Coverage, CurrentState, OWN_FILES, Rows};
use crate::portfolio::import::derive::derive;
use crate::portfolio::import::finding::{Finding, Findings, Severity};
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::listing::{Listing, Mapping, UnrecognizedSheet, recognize};
use crate::portfolio::import::native_format;
use crate::portfolio::import::opening::sheets;
use crate::portfolio::import::permits::Permits;
use crate::portfolio::import::reading::Reading;
use crate::portfolio::import::roll;
use crate::portfolio::import::rows::{BuildingRow, Versioned};
use crate::portfolio::import::sheet::InputFile;
use crate::portfolio::import::snapshot;
use crate::portfolio::import::stage;
use crate::portfolio::import::statement;
use crate::portfolio::import::statistics::Statistics;

/// Options of an import.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The organization's name for the system that the files come from.
    pub source: String,
    /// Reads and checks the files without changing anything.
    pub dry_run: bool,
    /// Loads the valid rows even if others have errors.
    pub partial: bool,
    /// The order of day and month in dates such as 03/04/2026, if no other cell shows it.
    pub day_first: Option<bool>,
    /// Maps headers to fields, by kind. Stored for later imports once this one is done.
    pub mapping: Mapping,
    /// The building for rent rolls and statements that name none.
    pub building: Option<String>,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            source: OWN_FILES.to_owned(),
            dry_run: false,
            partial: false,
            day_first: None,
            mapping: Mapping::default(),
            building: None,
        }
    }
}

/// The result of an import.
#[derive(Debug)]
pub struct Outcome {
    /// The number of the published import, or `None` if nothing was imported.
    pub number: Option<i64>,
    pub dry_run: bool,
    /// Whether the import can be applied: there are no errors, or only the valid rows were requested.
    pub acceptable: bool,
    pub files: Vec<FileRead>,
    pub counts: BTreeMap<&'static str, Count>,
    pub errors: BTreeMap<&'static str, usize>,
    pub warnings: BTreeMap<&'static str, usize>,
    pub findings: Vec<Finding>,
    pub unrecognized: Vec<UnrecognizedSheet>,
    pub coverage: Option<Coverage>,
}

/// How a file was read.
#[derive(Clone, Debug, Serialize)]
pub struct FileRead {
    pub file: String,
    pub kind: &'static str,
    pub rows: usize,
    /// Totals of a rent roll or a statement.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub read: Value,
    pub account: Account,
}

#[derive(Clone)]
pub struct Imports {
    db: Db,
    permits: Permits,
}

/// Recognized files, before they are compared with the portfolio.
struct Recognized {
    listings: Vec<Listing>,
    unrecognized: Vec<UnrecognizedSheet>,
    found: Findings,
}

/// The files' rows, applied to the current state.
struct Read {
    state: CurrentState,
    found: Findings,
    files: Vec<FileRead>,
}

impl Imports {
    pub fn new(db: Db) -> Self {
        Self {
            db,
            permits: Permits::default(),
        }
    }

    /// What the organization's portfolio covers, or `None` if nothing was imported.
    pub async fn coverage(&self, org: OrgId) -> Result<Option<Coverage>> {
        let found: Option<(NaiveDate, NaiveDate, NaiveDate)> = self
            .db
            .query("SELECT as_of, first_month, last_month FROM portfolio_state WHERE org_id = $1")
            .bind(org)
            .optional()
            .await?;
        Ok(found.map(|(as_of, first_month, last_month)| Coverage {
            as_of,
            first_month,
            last_month,
        }))
    }

    /// Removes what interrupted imports left, in all organizations, if they have not progressed since the
    /// given time. Returns the number of imports removed.
    pub async fn clear_dead(&self, since: DateTime<Utc>) -> Result<usize> {
        stage::clear_dead(&self.db, since).await
    }

    /// Imports files, or reports what prevents it. Waits until other imports of this process are done.
    pub async fn import(
        &self,
        actor: Actor,
        org: OrgId,
        files: Vec<InputFile>,
        options: ImportOptions,
    ) -> Result<Outcome> {
        self.import_loaded(actor, org, async { Ok(files) }, options).await
    }

    /// Like [`import`](Self::import), and loads the files only when it is their turn.
    pub async fn import_loaded(
        &self,
        actor: Actor,
        org: OrgId,
        files: impl Future<Output = Result<Vec<InputFile>>>,
        options: ImportOptions,
    ) -> Result<Outcome> {
        let _permit = self.permits.take(org).await?;
        let source = text::name("source", &options.source, 40)?;
        if source.contains(['/', '\u{1f}']) {
            return Err(Error::invalid("source", "must not contain a slash"));
        }
        let options = ImportOptions { source, ..options };
        let day_first = options.day_first;
        let mut mapping = stage::mapping(&self.db, org, &options.source).await?;
        mapping.fields.extend(options.mapping.fields.clone());
        let files = files.await?;
        let recognized = blocking(move || recognize_all(files, &mapping, day_first)).await?;
        let slot = if options.dry_run {
            None
        } else {
            let names = recognized
                .listings
                .iter()
                .map(|listing| (&listing.name, listing.kind.as_str()));
            let names: Vec<Value> = names
                .map(|(name, kind)| json!({ "file": name, "kind": kind }))
                .collect();
            Some(stage::begin(&self.db, actor, org, &options.source, Value::from(names)).await?)
        };
        let outcome = self.apply(actor, org, recognized, &options, slot).await;
        if let (Some(slot), false) = (slot, matches!(&outcome, Ok(done) if done.number.is_some())) {
            stage::abandon(&self.db, slot).await?;
        }
        outcome
    }

    async fn apply(
        &self,
        actor: Actor,
        org: OrgId,
        recognized: Recognized,
        options: &ImportOptions,
        slot: Option<stage::Slot>,
    ) -> Result<Outcome> {
        let state = self.state(org, &recognized.listings, &options.source).await?;
        let today = self.db.clock().now().date_naive();
        let Recognized {
            listings,
            unrecognized,
            found,
        } = recognized;
        let building = options.building.clone();
        let read = blocking(move || read(state, listings, found, building.as_deref(), today)).await?;
        let Read {
            mut state,
            found,
            files,
        } = read;
        let acceptable =
            unrecognized.is_empty() && !found.any_error() || options.partial && !files.is_empty();
        let coverage = snapshot::coverage(&state, today);
        let mut outcome = Outcome {
            number: None,
            dry_run: options.dry_run,
            acceptable,
            files,
            counts: BTreeMap::new(),
            errors: found.counts(Severity::Error),
            warnings: found.counts(Severity::Warning),
            findings: found.into_listed(),
            unrecognized,
            coverage,
        };
        let slot = slot.filter(|_| acceptable);
        let (buildings, count) = state.building_changes();
        outcome.counts.insert("buildings", count);
        let mut statistics = Statistics::default();
        if let Some(coverage) = coverage {
            // Rows per unit and month are by far the most, so they are never all in memory at once.
            for some in snapshot::parts(&state, &stale(&state, coverage)) {
                let list: Vec<String> = some.iter().cloned().collect();
                state.unit_months = Rows::of(stage::current_of(self.db.read(), org, &list).await?);
                state = blocking(move || {
                    snapshot::rebuild(&mut state, coverage, &some);
                    state
                })
                .await?;
                let rows = std::mem::take(&mut state.unit_months);
                self.put(slot, rows, &mut outcome.counts, &mut statistics).await?;
            }
        }
        let CurrentState {
            accounts,
            units,
            market_rents,
            tenants,
            leases,
            lease_units,
            steps,
            ledger,
            loans,
            loan_buildings,
            payments,
            valuations,
            ..
        } = state;
        let counts = &mut outcome.counts;
        self.put(slot, accounts, counts, &mut statistics).await?;
        self.put(slot, units, counts, &mut statistics).await?;
        self.put(slot, market_rents, counts, &mut statistics).await?;
        self.put(slot, tenants, counts, &mut statistics).await?;
        self.put(slot, leases, counts, &mut statistics).await?;
        self.put(slot, lease_units, counts, &mut statistics).await?;
        self.put(slot, steps, counts, &mut statistics).await?;
        self.put(slot, ledger, counts, &mut statistics).await?;
        self.put(slot, loans, counts, &mut statistics).await?;
        self.put(slot, loan_buildings, counts, &mut statistics).await?;
        self.put(slot, payments, counts, &mut statistics).await?;
        self.put(slot, valuations, counts, &mut statistics).await?;
        if let Some(slot) = slot {
            let summary =
                json!({ "source": options.source, "counts": outcome.counts, "warnings": outcome.warnings });
            stage::publish(&self.db, actor, slot, buildings, coverage, summary).await?;
            outcome.number = Some(slot.number);
            stage::store_mapping(&self.db, org, &options.source, &options.mapping).await?;
            if let Err(error) = statistics.count(&self.db).await {
                tracing::warn!(
                    error = error.chain(),
                    "updating the statistics of the portfolio tables failed"
                );
            }
            // What cannot be pruned now is pruned by the next import.
            if let Err(error) = stage::prune(&self.db, slot).await {
                tracing::warn!(
                    error = error.chain(),
                    "pruning old portfolio versions failed; the next import will retry"
                );
            }
        }
        Ok(outcome)
    }

    /// Counts one table's changes, and writes them if there is a slot.
    async fn put<T: Versioned>(
        &self,
        slot: Option<stage::Slot>,
        rows: Rows<T>,
        counts: &mut BTreeMap<&'static str, Count>,
        statistics: &mut Statistics,
    ) -> Result<()> {
        let changes = rows.changes();
        statistics.note::<T>(changes.write.len());
        if changes.count != Count::default() {
            counts.entry(T::NAME).or_default().add(changes.count);
        }
        match slot {
            Some(slot) => stage::write(&self.db, slot, changes).await,
            None => Ok(()),
        }
    }

    /// Loads the part of the current data that these files may affect.
    async fn state(&self, org: OrgId, listings: &[Listing], source: &str) -> Result<CurrentState> {
        let read = || self.db.read();
        let buildings: Vec<BuildingRow> = read().query(stage::SELECT_BUILDINGS).bind(org).all().await?;
        let buildings: BTreeMap<_, _> = buildings.into_iter().map(|row| (row.id.clone(), row)).collect();
        let has = |kinds: &[Kind]| listings.iter().any(|listing| kinds.contains(&listing.kind));
        let months: Vec<(String, NaiveDate)> = read()
            .query("SELECT DISTINCT building_id, month FROM monthly_financials WHERE org_id = $1")
            .bind(org)
            .all()
            .await?;
        let mapping: Vec<(String, String)> = read()
            .query("SELECT source_code, account_code FROM account_mappings WHERE org_id = $1 AND source = $2")
            .bind(org)
            .bind(source.to_owned())
            .all()
            .await?;
        let coverage = self.coverage(org).await?;
        let mut state = CurrentState {
            source: source.to_owned(),
            buildings_before: buildings.clone(),
            buildings,
            accounts: Rows::of(stage::current(read(), org).await?),
            units: Rows::of(stage::current(read(), org).await?),
            market_rents: Rows::of(stage::current(read(), org).await?),
            tenants: Rows::of(stage::current(read(), org).await?),
            leases: Rows::of(stage::current(read(), org).await?),
            lease_units: Rows::of(stage::current(read(), org).await?),
            steps: Rows::of(stage::current(read(), org).await?),
            loans: Rows::of(stage::current(read(), org).await?),
            loan_buildings: Rows::of(stage::current(read(), org).await?),
            ledger_months: months.into_iter().collect(),
            account_mapping: mapping.into_iter().collect(),
            coverage,
            ..CurrentState::default()
        };
        if has(&[Kind::MonthlyFinancials, Kind::Statement]) {
            state.ledger = Rows::of(stage::current(read(), org).await?);
        }
        if has(&[Kind::LoanPayments]) {
            state.payments = Rows::of(stage::current(read(), org).await?);
        }
        if has(&[Kind::Valuations]) {
            state.valuations = Rows::of(stage::current(read(), org).await?);
        }
        Ok(state)
    }
}

/// Most work for one step of an import, in units of [`tables::work`]. About three minutes.
const MOST_WORK: u64 = 4_000_000_000;

/// Runs one step of an import outside the async worker threads. The step ends when nobody waits for it any more.
async fn blocking<T: Send + 'static>(step: impl FnOnce() -> T + Send + 'static) -> Result<T> {
    match blocking::read(MOST_WORK, async move { step() }).await? {
        Ok(done) => Ok(done),
        Err(Ended::TooMuch) => Err(Error::invalid(
            "files",
            "too much to read in one import; divide the files and import them one after the other",
        )),
        Err(Ended::Stopped) => Err(Error::Stale),
    }
}

fn recognize_all(files: Vec<InputFile>, mapping: &Mapping, day_first: Option<bool>) -> Recognized {
    let mut found = Findings::default();
    let (mut listings, mut unrecognized) = (Vec::new(), Vec::new());
    for sheet in sheets(files, &mut found) {
        match recognize(sheet, mapping, day_first) {
            Ok(listing) => listings.push(listing),
            Err(sheet) => {
                sheet
                    .findings()
                    .into_iter()
                    .for_each(|finding| found.add(finding));
                unrecognized.push(sheet);
            }
        }
    }
    // Rows that others refer to are read first.
    listings.sort_by(|left, right| (left.kind, &left.name).cmp(&(right.kind, &right.name)));
    Recognized {
        listings,
        unrecognized,
        found,
    }
}

fn read(
    mut state: CurrentState,
    listings: Vec<Listing>,
    mut found: Findings,
    building: Option<&str>,
    today: NaiveDate,
) -> Read {
    let mut origins = BTreeMap::new();
    let mut broken = BTreeSet::new();
    let mut files = Vec::new();
    for (number, listing) in listings.iter().enumerate() {
        let mut reading = Reading {
            state: &mut state,
            found: &mut found,
            broken: &mut broken,
            origins: &mut origins,
            account: Account::default(),
        };
        let totals = match listing.kind {
            Kind::RentRoll => roll::read(listing, &mut reading, building, today),
            Kind::Statement => statement::read(listing, &mut reading, building),
            _ => {
                native_format::read(listing, number, &mut reading);
                Value::Null
            }
        };
        let account = reading.account;
        files.push(FileRead {
            file: listing.name.clone(),
            kind: listing.kind.as_str(),
            rows: listing.records.len(),
            read: totals,
            account,
        });
    }
    derive(&mut state);
    let months: Vec<_> = state
        .ledger
        .imported()
        .map(|row| (row.building_id.clone(), row.month))
        .collect();
    state.ledger_months.extend(months);
    let checks = Checks {
        as_of: snapshot::coverage(&state, today).map_or(today, |coverage| coverage.as_of),
        state: &state,
        listings: &listings,
        origins: &origins,
        today,
    };
    checks.run(&mut found);
    Read { state, found, files }
}

/// Buildings whose snapshots are outdated: all of them if the covered months changed, otherwise those with a
/// change that a snapshot shows.
fn stale(state: &CurrentState, coverage: Coverage) -> BTreeSet<String> {
    if state.coverage != Some(coverage) {
        return state.units.all().map(|unit| unit.building_id.clone()).collect();
    }
    let mut stale = BTreeSet::new();
    macro_rules! touched {
        ($($rows:ident),+) => { $(
            let changes = state.$rows.changes();
            stale.extend(changes.write.into_iter().chain(changes.end).map(|row| row.building_id));
        )+ };
    }
    touched!(units, leases, steps, market_rents, lease_units);
    stale
}
