//! Reads rows of buildings, accounts, units, market rents and tenants.

use crate::portfolio::import::cells::Row;
use crate::portfolio::import::reading::{ReadResult, Reading, or_known, required};
use crate::portfolio::import::rows::{AccountRow, BuildingRow, MarketRentRow, TenantRow, UnitRow};

pub fn building(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let id = required(row.text("building_id"))?;
    let known = reading.state.buildings.get(&id).cloned();
    let known = known.unwrap_or_else(|| BuildingRow::named(&id, &id));
    let currency = or_known(row, "currency", row.text("currency"), known.currency.clone());
    let currency = currency.unwrap_or_else(|| "USD".to_owned());
    let text = |field: &str, known: &Option<String>| or_known(row, field, row.text(field), known.clone());
    let money = |field: &str, known: Option<i64>| or_known(row, field, row.money(field, &currency), known);
    let parsed = BuildingRow {
        name: required(row.text("building_name"))?,
        property_type: text("property_type", &known.property_type),
        address: text("address", &known.address),
        city: text("city", &known.city),
        state: text("state", &known.state),
        postal_code: text("postal_code", &known.postal_code),
        country: text("country", &known.country),
        year_built: or_known(row, "year_built", row.count("year_built"), known.year_built),
        acquired_date: or_known(
            row,
            "acquired_date",
            row.date("acquired_date"),
            known.acquired_date,
        ),
        purchase_price: money("purchase_price", known.purchase_price),
        closing_costs: money("closing_costs", known.closing_costs),
        building_value_share: or_known(
            row,
            "building_value_pct",
            row.share("building_value_pct"),
            known.building_value_share,
        ),
        rentable_area: or_known(
            row,
            "rentable_area_sqft",
            row.area("rentable_area_sqft"),
            known.rentable_area,
        ),
        unit_count: or_known(row, "unit_count", row.count("unit_count"), known.unit_count),
        ownership_share: or_known(
            row,
            "ownership_pct",
            row.share("ownership_pct"),
            known.ownership_share,
        ),
        timezone: text("timezone", &known.timezone),
        currency: Some(currency),
        source: Some(reading.state.source.clone()),
        id,
    };
    reading.state.put_building(parsed);
    Ok(())
}

pub fn account(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let category = required(row.text("category"))?;
    let income = category == "revenue";
    let sign = match row.text("statement_sign").as_deref() {
        Some("-") => -1,
        Some(_) => 1,
        None if income => 1,
        None => -1,
    };
    let usual = matches!(category.as_str(), "revenue" | "operating_expense");
    reading.state.accounts.put(AccountRow {
        code: required(row.text("account_code"))?,
        name: required(row.text("account_name"))?,
        statement_sign: sign,
        included_in_noi: row.truth("included_in_noi").unwrap_or(usual),
        category,
        source: reading.state.source.clone(),
    });
    Ok(())
}

pub fn unit(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let building = reading.building(row)?;
    let id = reading.state.own(&required(row.text("unit_id"))?);
    let known = reading.state.units.current(&id).cloned();
    let known = known.as_ref();
    let reason = or_known(
        row,
        "non_revenue_reason",
        row.text("non_revenue_reason"),
        known.and_then(|known| known.non_revenue_reason.clone()),
    );
    let rentable = or_known(
        row,
        "is_rentable",
        row.truth("is_rentable"),
        known.map(|known| known.is_rentable),
    );
    let currency = building.currency().to_owned();
    let usual = match building.property_type.as_deref() {
        Some("multifamily") => "residential",
        Some(kind @ ("office" | "retail" | "industrial")) => kind,
        _ => "other",
    };
    let unit_use = or_known(
        row,
        "unit_use",
        row.text("unit_use"),
        known.map(|known| known.unit_use.clone()),
    );
    reading.state.units.put(UnitRow {
        building_id: building.id.clone(),
        unit_number: required(row.text("unit_number"))?,
        unit_use: unit_use.unwrap_or_else(|| usual.to_owned()),
        unit_type: or_known(
            row,
            "unit_type",
            row.text("unit_type"),
            known.and_then(|known| known.unit_type.clone()),
        ),
        bedrooms: or_known(
            row,
            "bedrooms",
            row.count("bedrooms"),
            known.and_then(|known| known.bedrooms),
        ),
        bathrooms: or_known(
            row,
            "bathrooms",
            row.number("bathrooms"),
            known.and_then(|known| known.bathrooms),
        ),
        area: required(row.area("area_sqft"))?,
        is_rentable: rentable.unwrap_or(reason.is_none()),
        non_revenue_reason: reason,
        market_rent: or_known(
            row,
            "market_rent_monthly",
            row.money("market_rent_monthly", &currency),
            known.and_then(|known| known.market_rent),
        ),
        currency,
        source: reading.state.source.clone(),
        id,
    });
    Ok(())
}

pub fn market_rent(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let unit = reading.unit(row)?;
    reading.state.market_rents.put(MarketRentRow {
        effective_date: required(row.date("effective_date"))?,
        market_rent: required(row.money("market_rent_monthly", &unit.currency))?,
        unit_id: unit.id,
        building_id: unit.building_id,
        currency: unit.currency,
        source: reading.state.source.clone(),
    });
    Ok(())
}

pub fn tenant(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let id = reading.state.own(&required(row.text("tenant_id"))?);
    let known = reading.state.tenants.current(&id).cloned();
    let text = |field: &str, known: Option<String>| or_known(row, field, row.text(field), known);
    let known = known.as_ref();
    let parent = text(
        "parent_tenant_id",
        known.and_then(|known| known.parent_tenant_id.clone()),
    );
    reading.state.tenants.put(TenantRow {
        name: required(row.text("tenant_name"))?,
        kind: text("tenant_kind", known.and_then(|known| known.kind.clone())),
        industry: text("industry", known.and_then(|known| known.industry.clone())),
        credit_rating: text(
            "credit_rating",
            known.and_then(|known| known.credit_rating.clone()),
        ),
        parent_tenant_id: parent,
        source: reading.state.source.clone(),
        id,
    });
    Ok(())
}
