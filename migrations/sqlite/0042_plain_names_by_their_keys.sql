-- The plain names again, without the indexes on the number of an import: those are for clearing up after imports, and
-- "since before this one" is nearly every row. SQLite takes such a range to be few rows, and reads all versions of a
-- table for each row of another; a sign in front keeps a column out of the choice of an index.

DROP VIEW accounts;
CREATE VIEW accounts AS
SELECT v.org_id, v.code, v.name, v.category, v.statement_sign, v.included_in_noi, v.source
FROM account_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW units;
CREATE VIEW units AS
SELECT v.org_id, v.id, v.building_id, v.unit_number, v.unit_use, v.unit_type, v.bedrooms, v.bathrooms, v.area,
       v.is_rentable, v.non_revenue_reason, v.market_rent, v.currency, v.source
FROM unit_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW unit_market_rents;
CREATE VIEW unit_market_rents AS
SELECT v.org_id, v.unit_id, v.effective_date, v.building_id, v.market_rent, v.currency, v.source
FROM unit_market_rent_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW tenants;
CREATE VIEW tenants AS
SELECT v.org_id, v.id, v.name, v.kind, v.industry, v.credit_rating, v.parent_tenant_id, v.source
FROM tenant_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW leases;
CREATE VIEW leases AS
SELECT v.org_id, v.id, v.building_id, v.unit_id, v.tenant_id, v.lease_type, v.signed_date, v.start_date,
       v.end_date, v.move_out_date, v.month_to_month, v.effective_end, v.monthly_rent, v.escalation_type,
       v.escalation_rate, v.escalation_floor, v.escalation_cap, v.free_rent_months, v.ti_allowance,
       v.security_deposit, v.area, v.renewal_of_lease_id, v.first_break_date, v.is_draft, v.currency, v.source
FROM lease_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW lease_units;
CREATE VIEW lease_units AS
SELECT v.org_id, v.lease_id, v.unit_id, v.building_id, v.area, v.rent_share, v.source
FROM lease_unit_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW lease_rent_steps;
CREATE VIEW lease_rent_steps AS
SELECT v.org_id, v.lease_id, v.effective_date, v.building_id, v.monthly_rent, v.currency, v.source
FROM lease_rent_step_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW monthly_financials;
CREATE VIEW monthly_financials AS
SELECT v.org_id, v.building_id, v.month, v.account_code, v.amount, v.budget_amount, v.currency, v.source
FROM monthly_financial_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW loans;
CREATE VIEW loans AS
SELECT v.org_id, v.id, v.building_id, v.lender, v.loan_kind, v.original_principal, v.origination_date,
       v.maturity_date, v.interest_rate, v.rate_kind, v.io_months, v.amortization_months, v.day_count,
       v.level_payment, v.current_balance, v.balance_date, v.prepayment, v.min_dscr_covenant,
       v.max_ltv_covenant, v.currency, v.source
FROM loan_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW loan_buildings;
CREATE VIEW loan_buildings AS
SELECT v.org_id, v.loan_id, v.building_id, v.share, v.source
FROM loan_building_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW loan_payments;
CREATE VIEW loan_payments AS
SELECT v.org_id, v.loan_id, v.payment_date, v.building_id, v.interest, v.principal, v.ending_balance,
       v.currency, v.source
FROM loan_payment_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW valuations;
CREATE VIEW valuations AS
SELECT v.org_id, v.building_id, v.valuation_date, v.market_value, v.cap_rate, v.method, v.appraiser,
       v.currency, v.source
FROM valuation_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;

DROP VIEW unit_month;
CREATE VIEW unit_month AS
SELECT v.org_id, v.building_id, v.month, v.unit_id, v.month_end, v.unit_use, v.area, v.rentable, v.occupied,
       v.lease_id, v.tenant_id, v.rent_in_effect, v.market_rent, v.currency
FROM unit_month_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE +v.since_import <= s.current_import AND +v.until_import > s.current_import;
