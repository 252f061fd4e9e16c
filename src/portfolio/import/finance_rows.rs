//! Reads rows of the ledger, of loans with their buildings and payments, and of valuations.

use crate::portfolio::import::cells::Row;
use crate::portfolio::import::finding::Code;
use crate::portfolio::import::reading::{ReadResult, Reading, Unusable, required};
use crate::portfolio::import::rows::{
    AccountRow, LedgerRow, LoanBuildingRow, LoanRow, PaymentRow, ValuationRow,
};

pub fn ledger(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let building = reading.building(row)?;
    let currency = reading.currency(row, &building)?;
    let written = required(row.text("account_code"))?;
    let code = reading
        .state
        .account_mapping
        .get(&written)
        .cloned()
        .unwrap_or(written);
    if reading.state.accounts.get(&code).is_none() {
        let Some(category) = row.text("category") else {
            let why = "is not in the chart of accounts; its rows are skipped until you add it";
            reading
                .found
                .add(row.at("account_code", Code::UnmappedAccount, why));
            reading.state.ledger.skipped += 1;
            return Err(Unusable);
        };
        // The account is new, so the row describes it.
        let name = row.text("account_name").unwrap_or_else(|| code.clone());
        let account = described(&code, &name, &category, &reading.state.source);
        reading.state.accounts.put(account);
    }
    reading.state.ledger.put(LedgerRow {
        month: required(row.date("month"))?,
        amount: required(row.money("amount", &currency))?,
        budget_amount: row.money("budget_amount", &currency),
        building_id: building.id.clone(),
        account_code: code,
        currency,
        source: reading.state.source.clone(),
    });
    Ok(())
}

/// An account of which only the category is known.
pub fn described(code: &str, name: &str, category: &str, source: &str) -> AccountRow {
    AccountRow {
        code: code.to_owned(),
        name: name.to_owned(),
        category: category.to_owned(),
        statement_sign: if category == "revenue" { 1 } else { -1 },
        included_in_noi: matches!(category, "revenue" | "operating_expense"),
        source: source.to_owned(),
    }
}

pub fn loan(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let building = reading.building(row)?;
    let currency = reading.currency(row, &building)?;
    let (from, to) = (
        required(row.date("origination_date"))?,
        required(row.date("maturity_date"))?,
    );
    if to < from {
        let why = format!("is before the origination date, {from}");
        reading
            .found
            .add(row.at("maturity_date", Code::EndBeforeStart, why));
        return Err(Unusable);
    }
    let id = reading.state.own(&required(row.text("loan_id"))?);
    let known = reading.state.loans.current(&id).cloned();
    let money = |field: &str| row.money(field, &currency);
    let parsed = LoanRow {
        building_id: building.id.clone(),
        lender: row.text("lender").unwrap_or_default(),
        loan_kind: row.text("loan_kind").unwrap_or_else(|| "senior".to_owned()),
        original_principal: required(money("original_principal"))?,
        origination_date: from,
        maturity_date: to,
        interest_rate: required(row.share("interest_rate_pct"))?,
        rate_kind: row.text("rate_kind"),
        io_months: row.count("io_months").unwrap_or_default(),
        amortization_months: row.count("amortization_months"),
        day_count: row.text("day_count"),
        level_payment: money("level_payment"),
        current_balance: required(money("current_balance"))?,
        balance_date: row
            .date("balance_date")
            .or(known.map(|known| known.balance_date))
            .unwrap_or(from),
        prepayment: row.text("prepayment"),
        min_dscr_covenant: row.number("min_dscr_covenant"),
        max_ltv_covenant: row.share("max_ltv_covenant_pct"),
        source: reading.state.source.clone(),
        currency,
        id,
    };
    reading.state.loans.put(parsed);
    Ok(())
}

pub fn loan_building(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let (loan, building) = (reading.loan(row)?, reading.building(row)?);
    reading.state.loan_buildings.put(LoanBuildingRow {
        loan_id: loan.id,
        building_id: building.id.clone(),
        share: required(row.share("share_pct"))?,
        source: reading.state.source.clone(),
    });
    Ok(())
}

pub fn payment(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let loan = reading.loan(row)?;
    let money = |field: &str| row.money(field, &loan.currency);
    let parsed = PaymentRow {
        payment_date: required(row.date("payment_date"))?,
        interest: required(money("interest"))?,
        principal: required(money("principal"))?,
        ending_balance: required(money("ending_balance"))?,
        loan_id: loan.id,
        building_id: loan.building_id,
        currency: loan.currency,
        source: reading.state.source.clone(),
    };
    reading.state.payments.put(parsed);
    Ok(())
}

pub fn valuation(row: &Row<'_>, reading: &mut Reading<'_>) -> ReadResult<()> {
    let building = reading.building(row)?;
    let currency = building.currency().to_owned();
    reading.state.valuations.put(ValuationRow {
        building_id: building.id.clone(),
        valuation_date: required(row.date("valuation_date"))?,
        market_value: required(row.money("market_value", &currency))?,
        cap_rate: row.share("cap_rate_pct"),
        method: row.text("method"),
        appraiser: row.text("source"),
        currency,
        source: reading.state.source.clone(),
    });
    Ok(())
}
