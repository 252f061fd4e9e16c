//! Checks across rows: overlapping leases, outliers, and missing months. All results are warnings, because
//! the rows are loaded unchanged.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{Months, NaiveDate};

use crate::portfolio::import::current_state::CurrentState;
use crate::portfolio::import::finding::{Code, Finding, Findings};
use crate::portfolio::import::kinds::Kind;
use crate::portfolio::import::listing::{Listing, first_of};
use crate::portfolio::import::reading::{Origin, Origins};
use crate::portfolio::import::rows::LeaseRow;

/// A value is an outlier if it is more than this many times the median, or less than that fraction of it.
const OUTLIER_FACTOR: f64 = 5.0;
/// Minimum number of values for a meaningful median.
const MEDIAN_MINIMUM: usize = 5;
/// Maximum number of successive renewals to follow.
const RENEWAL_CHAIN: usize = 40;

pub struct Checks<'c> {
    pub state: &'c CurrentState,
    pub listings: &'c [Listing],
    pub origins: &'c Origins,
    pub today: NaiveDate,
    /// The date of the data.
    pub as_of: NaiveDate,
}

impl Checks<'_> {
    pub fn run(&self, found: &mut Findings) {
        self.overlaps(found);
        self.rents(found);
        self.areas(found);
        self.months(found);
        self.past_ends(found);
    }

    fn origin(&self, kind: Kind, id: &str) -> Option<&Origin> {
        let external = self.state.external(id);
        self.origins.get(&(kind, external.to_owned()))
    }

    fn at(&self, kind: Kind, id: &str, field: &str, code: Code, why: String) -> Option<Finding> {
        let origin = self.origin(kind, id)?;
        let listing = self.listings.get(origin.listing)?;
        let record = listing.records.get(origin.record)?;
        Some(listing.at(record, field, code, why))
    }

    /// Reports two leases of one unit that overlap, if both are in these files and neither renews the other.
    fn overlaps(&self, found: &mut Findings) {
        let mut by_unit: BTreeMap<&str, Vec<&LeaseRow>> = BTreeMap::new();
        for lease in self.state.leases.imported().filter(|lease| !lease.is_draft) {
            by_unit.entry(lease.unit_id.as_str()).or_default().push(lease);
        }
        for leases in by_unit.values_mut() {
            leases.sort_by_key(|lease| (lease.start_date, &lease.id));
            for (n, lease) in leases.iter().enumerate() {
                let earlier = leases.get(..n).unwrap_or_default().iter();
                let other = earlier
                    .rev()
                    .find(|other| other.effective_end >= lease.start_date && !self.one_chain(other, lease));
                let Some(other) = other else { continue };
                let place = self.origin(Kind::Leases, &other.id);
                let Some((own, place)) = self.origin(Kind::Leases, &lease.id).zip(place) else {
                    continue;
                };
                let file = if own.listing == place.listing {
                    String::new()
                } else {
                    let listing = self.listings.get(place.listing);
                    listing.map_or_else(String::new, |listing| format!(" of {}", listing.name))
                };
                let external = self.state.external(&other.id);
                let why = format!("overlaps {external} on row {}{file}", place.line);
                let finding = self.at(Kind::Leases, &lease.id, "start_date", Code::OverlappingLease, why);
                finding.into_iter().for_each(|finding| found.add(finding));
            }
        }
    }

    /// Whether one of the leases renews the other, directly or through other leases.
    fn one_chain(&self, earlier: &LeaseRow, later: &LeaseRow) -> bool {
        let follows = |from: &LeaseRow, to: &LeaseRow| {
            let mut at = from.renewal_of_lease_id.clone();
            for _ in 0..RENEWAL_CHAIN {
                match at {
                    Some(id) if id == to.id => return true,
                    Some(id) => {
                        let before = self.state.leases.get(&id);
                        at = before.and_then(|lease| lease.renewal_of_lease_id.clone());
                    }
                    None => return false,
                }
            }
            false
        };
        follows(later, earlier) || follows(earlier, later)
    }

    /// Reports rents per square foot that are far from the median of their unit type.
    fn rents(&self, found: &mut Findings) {
        let mut by_type: BTreeMap<(String, String), Vec<(f64, &str)>> = BTreeMap::new();
        for lease in self.state.leases.imported().filter(|lease| !lease.is_draft) {
            let Some(unit) = self.state.units.get(&lease.unit_id) else {
                continue;
            };
            let Some(kind) = unit
                .unit_type
                .clone()
                .filter(|_| lease.area > 0 && lease.monthly_rent > 0)
            else {
                continue;
            };
            let rate = lease.monthly_rent as f64 / lease.area as f64;
            let like = by_type.entry((kind, lease.currency.clone())).or_default();
            like.push((rate, &lease.id));
        }
        for ((kind, _), rates) in &by_type {
            let Some(median) = median(rates) else { continue };
            for (rate, id) in rates.iter().filter(|(rate, _)| is_outlier(*rate, median)) {
                let times = rate / median;
                let why = format!("is {times:.1} times the usual rent per square foot of {kind} units");
                let finding = self.at(Kind::Leases, id, "monthly_rent", Code::RentOutlier, why);
                finding.into_iter().for_each(|finding| found.add(finding));
            }
        }
    }

    fn areas(&self, found: &mut Findings) {
        let mut by_type: BTreeMap<&str, Vec<(f64, &str)>> = BTreeMap::new();
        for unit in self.state.units.imported().filter(|unit| unit.area > 0) {
            if let Some(kind) = unit.unit_type.as_deref() {
                by_type
                    .entry(kind)
                    .or_default()
                    .push((unit.area as f64, &unit.id));
            }
        }
        for (kind, areas) in &by_type {
            let Some(median) = median(areas) else { continue };
            for (area, id) in areas.iter().filter(|(area, _)| is_outlier(*area, median)) {
                let why = format!("is {:.1} times the usual area of {kind} units", area / median);
                let finding = self.at(Kind::Units, id, "area_sqft", Code::AreaOutlier, why);
                finding.into_iter().for_each(|finding| found.add(finding));
            }
        }
    }

    /// Reports months missing within the ledger, and months in the future.
    fn months(&self, found: &mut Findings) {
        let imported: BTreeSet<(&str, NaiveDate)> = self
            .state
            .ledger
            .imported()
            .map(|row| (row.building_id.as_str(), row.month))
            .collect();
        let file = |building: &str| {
            let key = format!("{building}\u{1f}");
            let of = self
                .origins
                .range((Kind::MonthlyFinancials, key.clone())..)
                .next()
                .filter(|((kind, own), _)| *kind == Kind::MonthlyFinancials && own.starts_with(&key));
            let listing = of.and_then(|(_, origin)| self.listings.get(origin.listing));
            let any = self
                .listings
                .iter()
                .find(|listing| matches!(listing.kind, Kind::MonthlyFinancials | Kind::Statement));
            listing
                .or(any)
                .map_or_else(String::new, |listing| listing.name.clone())
        };
        let buildings: BTreeSet<&str> = imported.iter().map(|(building, _)| *building).collect();
        for building in buildings {
            let own = self.state.ledger_months.iter().filter(|(of, _)| of == building);
            let months: Vec<NaiveDate> = own.map(|(_, month)| *month).collect();
            for pair in months.windows(2) {
                let [before, after] = pair else { continue };
                let next = before.checked_add_months(Months::new(1));
                if let Some(missing) = next.filter(|next| next < after) {
                    let why = format!(
                        "{building} has no ledger from {} until {}",
                        missing.format("%Y-%m"),
                        after.format("%Y-%m")
                    );
                    let value = missing.format("%Y-%m").to_string();
                    let finding = Finding::new(&file(building), None, Code::GapInMonths, why);
                    found.add(finding.at("month", &value));
                }
            }
            let this_month = first_of(self.today);
            for (_, month) in imported
                .iter()
                .filter(|(of, month)| *of == building && *month > this_month)
            {
                let value = month.format("%Y-%m").to_string();
                let why = format!("{building}: the month is in the future");
                let finding = Finding::new(&file(building), None, Code::FutureMonth, why);
                found.add(finding.at("month", &value));
            }
        }
    }

    /// Reports units whose last lease has ended without a successor or a move-out date.
    fn past_ends(&self, found: &mut Findings) {
        let mut last: BTreeMap<&str, &LeaseRow> = BTreeMap::new();
        for lease in self.state.leases.all().filter(|lease| !lease.is_draft) {
            let latest = last.entry(lease.unit_id.as_str()).or_insert(lease);
            if (lease.start_date, &lease.id) > (latest.start_date, &latest.id) {
                *latest = lease;
            }
        }
        let as_of = self.as_of.min(self.today);
        for lease in last.values().filter(|lease| self.state.leases.is_new(&lease.id)) {
            let open = lease.end_date < as_of && lease.move_out_date.is_none() && !lease.month_to_month;
            if open && !self.file_says_ended(lease) {
                let why = format!(
                    "ended on {} without a move-out date or a month-to-month term; counted as vacant from then on",
                    lease.end_date
                );
                let code = Code::LeasePastEndNoMoveout;
                let finding = self.at(Kind::Leases, &lease.id, "end_date", code, why);
                finding.into_iter().for_each(|finding| found.add(finding));
            }
        }
    }

    /// Whether the file itself says that the lease has ended.
    fn file_says_ended(&self, lease: &LeaseRow) -> bool {
        let Some(origin) = self.origin(Kind::Leases, &lease.id) else {
            return false;
        };
        let status = self.listings.get(origin.listing).and_then(|listing| {
            let column = listing.column("status")?;
            Some(listing.records.get(origin.record)?.cell(column.at).to_lowercase())
        });
        status.is_some_and(|status| {
            [
                "expired",
                "terminated",
                "past",
                "ended",
                "former",
                "evicted",
                "moved",
            ]
            .iter()
            .any(|word| status.contains(word))
        })
    }
}

fn median(values: &[(f64, &str)]) -> Option<f64> {
    if values.len() < MEDIAN_MINIMUM {
        return None;
    }
    let mut sorted: Vec<f64> = values.iter().map(|(value, _)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = *sorted.get(middle)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some(f64::midpoint(*sorted.get(middle - 1)?, upper))
}

fn is_outlier(value: f64, median: f64) -> bool {
    value > median * OUTLIER_FACTOR || value * OUTLIER_FACTOR < median
}
