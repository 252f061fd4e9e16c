-- What is known of an organization's properties: imported, never typed in.
--
-- How it is kept. Imports of an organization are numbered. A row of a `…_versions` table is there from the import
-- `since_import` until before the import `until_import`; `portfolio_state.current_import` says which import holds.
-- An import writes its rows in small transactions beside those that hold, unseen, and then moves that one number:
-- readers see all of it or nothing. What is read are the views at the end, which bear the plain names.
-- Nothing refers to `buildings` by a foreign key, because a new building appears with that last step.
--
-- Units of measure. Money: whole minor units (cents) of `currency`. Areas: hundredths of a square foot. Every other
-- decimal (rates, shares, ratios, months, bathrooms): millionths, 4.15 % = 41500. Months: their first day.
-- Identifiers are the source's own, unique in the organization: of a further source, `source/identifier`.

-- A building as its import describes it; all absent for one that was only named.
ALTER TABLE buildings ADD COLUMN property_type TEXT;         -- multifamily, office, retail, industrial, mixed, land
ALTER TABLE buildings ADD COLUMN address TEXT;
ALTER TABLE buildings ADD COLUMN city TEXT;
ALTER TABLE buildings ADD COLUMN state TEXT;
ALTER TABLE buildings ADD COLUMN postal_code TEXT;
ALTER TABLE buildings ADD COLUMN country TEXT;
ALTER TABLE buildings ADD COLUMN year_built BIGINT;
ALTER TABLE buildings ADD COLUMN acquired_date DATE;
ALTER TABLE buildings ADD COLUMN purchase_price BIGINT;
ALTER TABLE buildings ADD COLUMN closing_costs BIGINT;
-- The part of the price that is building and not land.
ALTER TABLE buildings ADD COLUMN building_value_share BIGINT;
ALTER TABLE buildings ADD COLUMN rentable_area BIGINT;
ALTER TABLE buildings ADD COLUMN unit_count BIGINT;
ALTER TABLE buildings ADD COLUMN ownership_share BIGINT;
ALTER TABLE buildings ADD COLUMN currency TEXT;
ALTER TABLE buildings ADD COLUMN timezone TEXT;
ALTER TABLE buildings ADD COLUMN source TEXT;
-- The import that wrote it last.
ALTER TABLE buildings ADD COLUMN import BIGINT;

-- Imports of an organization, one at a time.
CREATE TABLE portfolio_imports (
    org_id     UUID        NOT NULL REFERENCES organizations (id),
    number     BIGINT      NOT NULL,
    -- Which system the files come from, as the organization calls it.
    source     TEXT        NOT NULL,
    -- staging: rows are being written, unseen. abandoned: it died or failed, its rows are to be removed.
    -- done: it holds, or held. void: nothing is left of it.
    state      TEXT        NOT NULL CHECK (state IN ('staging', 'abandoned', 'done', 'void')),
    -- Who asked for it; absent for the command line.
    user_id    UUID        REFERENCES people (id),
    -- Names of the files with what each was read as.
    files      JSONB       NOT NULL,
    -- Rows by table: added, changed, unchanged; warnings by code.
    summary    JSONB       NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    -- Renewed with each step: what has not been for a while has died.
    alive_at   TIMESTAMPTZ NOT NULL,
    ended_at   TIMESTAMPTZ,
    PRIMARY KEY (org_id, number)
);
CREATE UNIQUE INDEX portfolio_imports_one ON portfolio_imports (org_id) WHERE state IN ('staging', 'abandoned');

-- Which import holds, and what its data covers. No row: nothing was imported.
CREATE TABLE portfolio_state (
    org_id         UUID   PRIMARY KEY REFERENCES organizations (id),
    current_import BIGINT NOT NULL,
    -- The day the data stands at: the end of the last month with a ledger, else the day of the rent roll.
    as_of          DATE   NOT NULL,
    -- Months with `unit_month` rows.
    first_month    DATE   NOT NULL,
    last_month     DATE   NOT NULL
);

-- Headers of an organization's files that say something else than ours: which field a column is.
CREATE TABLE import_headers (
    org_id UUID NOT NULL REFERENCES organizations (id),
    source TEXT NOT NULL,
    -- What such a file holds: rent_roll, leases, …
    kind   TEXT NOT NULL,
    -- Lower case, letters and digits only.
    header TEXT NOT NULL,
    field  TEXT NOT NULL,
    PRIMARY KEY (org_id, source, kind, header)
);

-- Accounts of a source under the organization's own code.
CREATE TABLE account_mappings (
    org_id       UUID NOT NULL REFERENCES organizations (id),
    source       TEXT NOT NULL,
    -- Code or name as the source writes it.
    source_code  TEXT NOT NULL,
    account_code TEXT NOT NULL,
    PRIMARY KEY (org_id, source, source_code)
);

-- The chart of accounts.
CREATE TABLE account_versions (
    org_id          UUID    NOT NULL,
    code            TEXT    NOT NULL,
    name            TEXT    NOT NULL,
    category        TEXT    NOT NULL CHECK (category IN ('revenue', 'operating_expense', 'capital', 'debt_service')),
    -- How its amounts count on a statement: 1 adds, -1 takes away. Amounts of expenses are positive.
    statement_sign  BIGINT  NOT NULL CHECK (statement_sign IN (1, -1)),
    included_in_noi BOOLEAN NOT NULL,
    source          TEXT    NOT NULL,
    since_import    BIGINT  NOT NULL,
    until_import    BIGINT  NOT NULL,
    PRIMARY KEY (org_id, code, since_import)
);

CREATE TABLE unit_versions (
    org_id             UUID    NOT NULL,
    id                 TEXT    NOT NULL,
    building_id        TEXT    NOT NULL,
    -- As on the door; unique in its building.
    unit_number        TEXT    NOT NULL,
    unit_use           TEXT    NOT NULL, -- residential, office, retail, industrial, other
    unit_type          TEXT,
    bedrooms           BIGINT,
    bathrooms          BIGINT,
    area               BIGINT  NOT NULL,
    is_rentable        BOOLEAN NOT NULL,
    -- model, down, office, employee; only of units that are not rentable.
    non_revenue_reason TEXT,
    -- Monthly, where no dated market rent is known.
    market_rent        BIGINT,
    currency           TEXT    NOT NULL,
    source             TEXT    NOT NULL,
    since_import       BIGINT  NOT NULL,
    until_import       BIGINT  NOT NULL,
    PRIMARY KEY (org_id, id, since_import)
);
CREATE INDEX unit_versions_of_building ON unit_versions (org_id, building_id, unit_number);

-- Monthly market rents, each from its day on.
CREATE TABLE unit_market_rent_versions (
    org_id         UUID   NOT NULL,
    unit_id        TEXT   NOT NULL,
    effective_date DATE   NOT NULL,
    building_id    TEXT   NOT NULL,
    market_rent    BIGINT NOT NULL,
    currency       TEXT   NOT NULL,
    source         TEXT   NOT NULL,
    since_import   BIGINT NOT NULL,
    until_import   BIGINT NOT NULL,
    PRIMARY KEY (org_id, unit_id, effective_date, since_import)
);
CREATE INDEX unit_market_rent_versions_of_building ON unit_market_rent_versions (org_id, building_id);

-- Who rents. Of no building: read only beside a lease that may be read.
CREATE TABLE tenant_versions (
    org_id           UUID   NOT NULL,
    id               TEXT   NOT NULL,
    name             TEXT   NOT NULL,
    kind             TEXT,  -- individual, company
    industry         TEXT,
    credit_rating    TEXT,
    parent_tenant_id TEXT,
    source           TEXT   NOT NULL,
    since_import     BIGINT NOT NULL,
    until_import     BIGINT NOT NULL,
    PRIMARY KEY (org_id, id, since_import)
);

-- Leases. Whether one is current is never stored: it follows from the dates.
CREATE TABLE lease_versions (
    org_id              UUID    NOT NULL,
    id                  TEXT    NOT NULL,
    building_id         TEXT    NOT NULL,
    -- The first, where a lease is over several (`lease_units`).
    unit_id             TEXT    NOT NULL,
    tenant_id           TEXT    NOT NULL,
    lease_type          TEXT,   -- residential_gross, full_service, modified_gross, nnn, …
    signed_date         DATE,
    start_date          DATE    NOT NULL,
    -- The last day of the term.
    end_date            DATE    NOT NULL,
    move_out_date       DATE,
    month_to_month      BOOLEAN NOT NULL,
    -- The last day it is in force: moved out, else 9999-12-31 where month to month, else `end_date`.
    effective_end       DATE    NOT NULL,
    -- At the start; what is due on a day is in `lease_rent_steps`.
    monthly_rent        BIGINT  NOT NULL,
    escalation_type     TEXT    NOT NULL, -- none, fixed_pct, cpi
    escalation_rate     BIGINT  NOT NULL,
    escalation_floor    BIGINT,
    escalation_cap      BIGINT,
    free_rent_months    BIGINT  NOT NULL,
    ti_allowance        BIGINT  NOT NULL,
    security_deposit    BIGINT  NOT NULL,
    area                BIGINT  NOT NULL,
    renewal_of_lease_id TEXT,
    first_break_date    DATE,
    -- Not signed: never counts.
    is_draft            BOOLEAN NOT NULL,
    currency            TEXT    NOT NULL,
    source              TEXT    NOT NULL,
    since_import        BIGINT  NOT NULL,
    until_import        BIGINT  NOT NULL,
    PRIMARY KEY (org_id, id, since_import)
);
CREATE INDEX lease_versions_of_building ON lease_versions (org_id, building_id, start_date);
CREATE INDEX lease_versions_of_unit ON lease_versions (org_id, unit_id, start_date);

-- Units of leases over more than one, all of them; no rows for a lease of one unit.
CREATE TABLE lease_unit_versions (
    org_id       UUID   NOT NULL,
    lease_id     TEXT   NOT NULL,
    unit_id      TEXT   NOT NULL,
    building_id  TEXT   NOT NULL,
    area         BIGINT NOT NULL,
    -- Of the lease's rent; those of a lease make one whole.
    rent_share   BIGINT NOT NULL,
    source       TEXT   NOT NULL,
    since_import BIGINT NOT NULL,
    until_import BIGINT NOT NULL,
    PRIMARY KEY (org_id, lease_id, unit_id, since_import)
);

-- The truth of the rent in effect: monthly, each from its day on. Every lease has one at its start.
CREATE TABLE lease_rent_step_versions (
    org_id         UUID   NOT NULL,
    lease_id       TEXT   NOT NULL,
    effective_date DATE   NOT NULL,
    building_id    TEXT   NOT NULL,
    monthly_rent   BIGINT NOT NULL,
    currency       TEXT   NOT NULL,
    source         TEXT   NOT NULL,
    since_import   BIGINT NOT NULL,
    until_import   BIGINT NOT NULL,
    PRIMARY KEY (org_id, lease_id, effective_date, since_import)
);
CREATE INDEX lease_rent_step_versions_of_building ON lease_rent_step_versions (org_id, building_id);

-- The ledger: one amount for each building, month and account. Deductions from revenue are negative; expenses,
-- capital and debt service are positive.
CREATE TABLE monthly_financial_versions (
    org_id        UUID   NOT NULL,
    building_id   TEXT   NOT NULL,
    month         DATE   NOT NULL,
    account_code  TEXT   NOT NULL,
    amount        BIGINT NOT NULL,
    budget_amount BIGINT,
    currency      TEXT   NOT NULL,
    source        TEXT   NOT NULL,
    since_import  BIGINT NOT NULL,
    until_import  BIGINT NOT NULL,
    PRIMARY KEY (org_id, building_id, month, account_code, since_import)
);

CREATE TABLE loan_versions (
    org_id              UUID   NOT NULL,
    id                  TEXT   NOT NULL,
    -- The first, where several secure it (`loan_buildings`).
    building_id         TEXT   NOT NULL,
    lender              TEXT   NOT NULL,
    loan_kind           TEXT   NOT NULL, -- senior, mezzanine, …
    original_principal  BIGINT NOT NULL,
    origination_date    DATE   NOT NULL,
    maturity_date       DATE   NOT NULL,
    interest_rate       BIGINT NOT NULL,
    rate_kind           TEXT,  -- fixed, swapped_floating, floating
    io_months           BIGINT NOT NULL,
    amortization_months BIGINT,
    day_count           TEXT,  -- 30/360, actual/360, actual/365
    level_payment       BIGINT,
    current_balance     BIGINT NOT NULL,
    balance_date        DATE   NOT NULL,
    prepayment          TEXT,
    min_dscr_covenant   BIGINT,
    max_ltv_covenant    BIGINT,
    currency            TEXT   NOT NULL,
    source              TEXT   NOT NULL,
    since_import        BIGINT NOT NULL,
    until_import        BIGINT NOT NULL,
    PRIMARY KEY (org_id, id, since_import)
);
CREATE INDEX loan_versions_of_building ON loan_versions (org_id, building_id);

-- Which buildings secure a loan, with each one's part of it; every loan has one at least.
CREATE TABLE loan_building_versions (
    org_id       UUID   NOT NULL,
    loan_id      TEXT   NOT NULL,
    building_id  TEXT   NOT NULL,
    share        BIGINT NOT NULL,
    source       TEXT   NOT NULL,
    since_import BIGINT NOT NULL,
    until_import BIGINT NOT NULL,
    PRIMARY KEY (org_id, loan_id, building_id, since_import)
);

CREATE TABLE loan_payment_versions (
    org_id         UUID   NOT NULL,
    loan_id        TEXT   NOT NULL,
    payment_date   DATE   NOT NULL,
    building_id    TEXT   NOT NULL,
    interest       BIGINT NOT NULL,
    principal      BIGINT NOT NULL,
    ending_balance BIGINT NOT NULL,
    currency       TEXT   NOT NULL,
    source         TEXT   NOT NULL,
    since_import   BIGINT NOT NULL,
    until_import   BIGINT NOT NULL,
    PRIMARY KEY (org_id, loan_id, payment_date, since_import)
);
CREATE INDEX loan_payment_versions_of_building ON loan_payment_versions (org_id, building_id, payment_date);

CREATE TABLE valuation_versions (
    org_id           UUID   NOT NULL,
    building_id      TEXT   NOT NULL,
    valuation_date   DATE   NOT NULL,
    market_value     BIGINT NOT NULL,
    cap_rate         BIGINT,
    method           TEXT,
    -- Who valued it.
    appraiser        TEXT,
    currency         TEXT   NOT NULL,
    source           TEXT   NOT NULL,
    since_import     BIGINT NOT NULL,
    until_import     BIGINT NOT NULL,
    PRIMARY KEY (org_id, building_id, valuation_date, since_import)
);

-- Each unit at each month's end, made by the import: occupancy is a ratio of sums over it.
CREATE TABLE unit_month_versions (
    org_id         UUID    NOT NULL,
    building_id    TEXT    NOT NULL,
    month          DATE    NOT NULL,
    unit_id        TEXT    NOT NULL,
    -- The day it stands at: the month's last.
    month_end      DATE    NOT NULL,
    unit_use       TEXT    NOT NULL,
    area           BIGINT  NOT NULL,
    rentable       BOOLEAN NOT NULL,
    -- Rentable, with a lease in force: never true of a model or down unit.
    occupied       BOOLEAN NOT NULL,
    -- That lease, its tenant and its monthly rent on the day (of a lease over several units, this one's part);
    -- all three absent where not occupied.
    lease_id       TEXT,
    tenant_id      TEXT,
    rent_in_effect BIGINT,
    -- Monthly, as known for the day; absent where none is known.
    market_rent    BIGINT,
    currency       TEXT    NOT NULL,
    since_import   BIGINT  NOT NULL,
    until_import   BIGINT  NOT NULL,
    PRIMARY KEY (org_id, building_id, month, unit_id, since_import)
);

-- Rows of an import that died, and rows that no import shows any more, are found by these.
CREATE INDEX account_versions_since ON account_versions (org_id, since_import);
CREATE INDEX unit_versions_since ON unit_versions (org_id, since_import);
CREATE INDEX unit_market_rent_versions_since ON unit_market_rent_versions (org_id, since_import);
CREATE INDEX tenant_versions_since ON tenant_versions (org_id, since_import);
CREATE INDEX lease_versions_since ON lease_versions (org_id, since_import);
CREATE INDEX lease_unit_versions_since ON lease_unit_versions (org_id, since_import);
CREATE INDEX lease_rent_step_versions_since ON lease_rent_step_versions (org_id, since_import);
CREATE INDEX monthly_financial_versions_since ON monthly_financial_versions (org_id, since_import);
CREATE INDEX loan_versions_since ON loan_versions (org_id, since_import);
CREATE INDEX loan_building_versions_since ON loan_building_versions (org_id, since_import);
CREATE INDEX loan_payment_versions_since ON loan_payment_versions (org_id, since_import);
CREATE INDEX valuation_versions_since ON valuation_versions (org_id, since_import);
CREATE INDEX unit_month_versions_since ON unit_month_versions (org_id, since_import);
CREATE INDEX account_versions_until ON account_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX unit_versions_until ON unit_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX unit_market_rent_versions_until ON unit_market_rent_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX tenant_versions_until ON tenant_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX lease_versions_until ON lease_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX lease_unit_versions_until ON lease_unit_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX lease_rent_step_versions_until ON lease_rent_step_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX monthly_financial_versions_until ON monthly_financial_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX loan_versions_until ON loan_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX loan_building_versions_until ON loan_building_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX loan_payment_versions_until ON loan_payment_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX valuation_versions_until ON valuation_versions (org_id, until_import) WHERE until_import < 9223372036854775807;
CREATE INDEX unit_month_versions_until ON unit_month_versions (org_id, until_import) WHERE until_import < 9223372036854775807;

-- What holds now: the names to read from. Always with `org_id`, and with the buildings that may be read.
CREATE VIEW accounts AS
SELECT v.org_id, v.code, v.name, v.category, v.statement_sign, v.included_in_noi, v.source
FROM account_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW units AS
SELECT v.org_id, v.id, v.building_id, v.unit_number, v.unit_use, v.unit_type, v.bedrooms, v.bathrooms, v.area,
       v.is_rentable, v.non_revenue_reason, v.market_rent, v.currency, v.source
FROM unit_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW unit_market_rents AS
SELECT v.org_id, v.unit_id, v.effective_date, v.building_id, v.market_rent, v.currency, v.source
FROM unit_market_rent_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW tenants AS
SELECT v.org_id, v.id, v.name, v.kind, v.industry, v.credit_rating, v.parent_tenant_id, v.source
FROM tenant_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW leases AS
SELECT v.org_id, v.id, v.building_id, v.unit_id, v.tenant_id, v.lease_type, v.signed_date, v.start_date,
       v.end_date, v.move_out_date, v.month_to_month, v.effective_end, v.monthly_rent, v.escalation_type,
       v.escalation_rate, v.escalation_floor, v.escalation_cap, v.free_rent_months, v.ti_allowance,
       v.security_deposit, v.area, v.renewal_of_lease_id, v.first_break_date, v.is_draft, v.currency, v.source
FROM lease_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW lease_units AS
SELECT v.org_id, v.lease_id, v.unit_id, v.building_id, v.area, v.rent_share, v.source
FROM lease_unit_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW lease_rent_steps AS
SELECT v.org_id, v.lease_id, v.effective_date, v.building_id, v.monthly_rent, v.currency, v.source
FROM lease_rent_step_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW monthly_financials AS
SELECT v.org_id, v.building_id, v.month, v.account_code, v.amount, v.budget_amount, v.currency, v.source
FROM monthly_financial_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW loans AS
SELECT v.org_id, v.id, v.building_id, v.lender, v.loan_kind, v.original_principal, v.origination_date,
       v.maturity_date, v.interest_rate, v.rate_kind, v.io_months, v.amortization_months, v.day_count,
       v.level_payment, v.current_balance, v.balance_date, v.prepayment, v.min_dscr_covenant,
       v.max_ltv_covenant, v.currency, v.source
FROM loan_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW loan_buildings AS
SELECT v.org_id, v.loan_id, v.building_id, v.share, v.source
FROM loan_building_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW loan_payments AS
SELECT v.org_id, v.loan_id, v.payment_date, v.building_id, v.interest, v.principal, v.ending_balance,
       v.currency, v.source
FROM loan_payment_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW valuations AS
SELECT v.org_id, v.building_id, v.valuation_date, v.market_value, v.cap_rate, v.method, v.appraiser,
       v.currency, v.source
FROM valuation_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
CREATE VIEW unit_month AS
SELECT v.org_id, v.building_id, v.month, v.unit_id, v.month_end, v.unit_use, v.area, v.rentable, v.occupied,
       v.lease_id, v.tenant_id, v.rent_in_effect, v.market_rent, v.currency
FROM unit_month_versions v JOIN portfolio_state s ON s.org_id = v.org_id
WHERE v.since_import <= s.current_import AND v.until_import > s.current_import;
