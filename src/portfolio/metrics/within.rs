//! The start of every metrics statement: the rows it may read and the units that count.

use std::collections::BTreeSet;

use crate::base::error::Result;
use crate::base::ids::OrgId;
use crate::db::args::Record;
use crate::db::exec::Builder;
use crate::portfolio::model::Buildings;
use finance::portfolio::query::{Only, Space};

/// The organization and the buildings whose rows a statement may read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach<'a> {
    pub(super) org: OrgId,
    pub(super) buildings: &'a Buildings,
}

/// Adds `AND <column> IN (…)` for the buildings that may be read. The list is written out even for "all
/// buildings", because the keys start with organization and building and the database can then use them.
macro_rules! within {
    ($statement:expr, $reach:expr, $column:literal) => {
        match $reach.buildings {
            Buildings::All => $statement
                .push(concat!(
                    " AND ",
                    $column,
                    " IN (SELECT id FROM buildings WHERE org_id = "
                ))
                .bind($reach.org)
                .push(")"),
            Buildings::Only(ids) => $statement
                .push(concat!(" AND ", $column, " IN "))
                .list(ids.iter().map(String::as_str)),
        }
    };
}

pub(super) use within;

pub(super) async fn all<R: Record>(statement: Builder<'_>) -> Result<Vec<R>> {
    Ok(statement.done().all().await?)
}

pub(super) fn of_space(statement: Builder<'_>, space: Option<Space>) -> Builder<'_> {
    match space {
        None => statement,
        Some(Space::Residential) => statement.push(" AND m.unit_use = 'residential'"),
        Some(Space::Commercial) => statement.push(" AND m.unit_use <> 'residential'"),
    }
}

/// Selects the units of the buildings that count.
#[derive(Clone, Copy)]
pub(super) struct UnitFilter<'a> {
    pub(super) space: Option<Space>,
    pub(super) only: &'a Only,
}

impl UnitFilter<'_> {
    /// Narrows a statement over `unit_month m`.
    pub(super) fn of<'c>(self, statement: Builder<'c>, reach: Reach<'_>) -> Builder<'c> {
        let mut statement = of_space(statement, self.space);
        let only = self.only;
        if only.bedrooms.is_some() || only.unit_type.is_some() || only.unit.is_some() {
            statement = statement
                .push(" AND m.unit_id IN (SELECT u.id FROM units u WHERE u.org_id = ")
                .bind(reach.org);
            statement = within!(statement, reach, "u.building_id");
            if let Some(bedrooms) = only.bedrooms {
                statement = statement.push(" AND u.bedrooms = ").bind(bedrooms);
            }
            if let Some(kind) = &only.unit_type {
                statement = statement.push(" AND u.unit_type = ").bind(kind.as_str());
            }
            if let Some(unit) = &only.unit {
                // "106" also matches "Suite 106", and "Suite 106" also matches "106".
                let ends = match unit.rsplit_once(' ') {
                    Some((_, number)) => number.to_owned(),
                    None => format!("% {}", unit.replace(['%', '_', '\\'], "")),
                };
                statement = statement
                    .push(" AND (LOWER(u.unit_number) = ")
                    .bind(unit.as_str())
                    .push(" OR LOWER(u.unit_number) LIKE ")
                    .bind(ends)
                    .push(")");
            }
            statement = statement.push(")");
        }
        if let Some(kind) = &only.lease_type {
            statement = statement
                .push(" AND m.lease_id IN (SELECT l.id FROM leases l WHERE l.lease_type = ")
                .bind(kind.as_str())
                .push(" AND l.org_id = ")
                .bind(reach.org);
            statement = within!(statement, reach, "l.building_id").push(")");
        }
        if let Some(industry) = &only.industry {
            statement = statement
                .push(" AND m.tenant_id IN (SELECT t.id FROM tenants t WHERE t.industry = ")
                .bind(industry.as_str())
                .push(" AND t.org_id = ")
                .bind(reach.org)
                .push(")");
        }
        if !only.tenants.is_empty() {
            statement = statement
                .push(" AND m.tenant_id IN ")
                .list(only.tenants.iter().map(String::as_str));
        }
        statement
    }
}

/// The buildings that may be read: the chosen ones, as far as they are visible.
pub(super) fn reach(visible: &Buildings, chosen: Option<&BTreeSet<String>>) -> Buildings {
    match chosen {
        None => visible.clone(),
        Some(chosen) => visible.clone().and(&Buildings::Only(chosen.clone())),
    }
}
