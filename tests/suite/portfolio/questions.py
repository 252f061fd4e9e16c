#!/usr/bin/env python3
"""Generates questions about the shared portfolio with their figures, calculated from its CSV files.

Run: python3 questions.py FOLDER > questions.json. Uses only the standard library and none of the product's code, so that
the figures are independent. Each case has the question, the name, unit and value of the figure, and the tolerance.
`after` lists the earlier questions of the same conversation; `asks` marks questions that must not get a figure.
"""
import csv, json, sys
from datetime import date, timedelta
from pathlib import Path

F = Path(sys.argv[1])
rows = lambda name: list(csv.DictReader(open(F / name)))
D = date.fromisoformat
ASOF = date(2026, 10, 31)
B = {b["building_id"]: b for b in rows("buildings.csv")}
NAME = {b["building_name"]: i for i, b in B.items()}
U = rows("units.csv")
L = rows("leases.csv")
STEPS, MARKET = {}, {}
for s in rows("lease_rent_steps.csv"):
    STEPS.setdefault(s["lease_id"], []).append((D(s["effective_date"]), float(s["monthly_rent"])))
for m in rows("unit_market_rents.csv"):
    MARKET.setdefault(m["unit_id"], []).append((D(m["effective_date"]), float(m["market_rent_monthly"])))
LEDGER = rows("monthly_financials.csv")
LOANS = rows("loans.csv")
PAYMENTS = rows("loan_payments.csv")
VALUES = rows("valuations.csv")
TENANT = {t["tenant_id"]: t["tenant_name"] for t in rows("tenants.csv")}
MF = {i for i, b in B.items() if b["property_type"] == "multifamily"}
CM = set(B) - MF
kind = lambda k: {i for i, b in B.items() if b["property_type"] == k}
city = lambda c: {i for i, b in B.items() if b["city"] == c}
state = lambda s: {i for i, b in B.items() if b["state"] == s}
one = lambda n: {NAME[n]}


def end_of(y, m):
    return date(y + m // 12, m % 12 + 1, 1) - timedelta(days=1)


def eff_end(l):
    if l["move_out_date"]:
        return D(l["move_out_date"])
    return date(9999, 12, 31) if l["month_to_month"] == "true" else D(l["end_date"])


def latest(pairs, on):
    best = [p for p in pairs or [] if p[0] <= on]
    return max(best)[1] if best else None


def roll(on, ids=None):
        """Each unit with the lease in force."""
    force = {}
    for l in L:
        if l["status"] != "draft" and D(l["start_date"]) <= on <= eff_end(l):
            k = (l["start_date"], l["lease_id"])
            if l["unit_id"] not in force or k > force[l["unit_id"]][0]:
                force[l["unit_id"]] = (k, l)
    out = []
    for u in U:
        if ids is not None and u["building_id"] not in ids:
            continue
        rentable = u["is_rentable"] == "true"
        lease = force.get(u["unit_id"], (None, None))[1] if rentable else None
        out.append(dict(u=u, rentable=rentable, lease=lease, area=float(u["area_sqft"]),
                        rent=latest(STEPS.get(lease["lease_id"]), on) if lease else 0.0,
                        market=latest(MARKET.get(u["unit_id"]), on)))
    return out


def occ(on, ids=None):
    r = roll(on, ids)
    return sum(x["lease"] is not None for x in r) / sum(x["rentable"] for x in r)


def occ_area(on, ids=None):
    r = roll(on, ids)
    return sum(x["area"] for x in r if x["lease"]) / sum(x["area"] for x in r if x["rentable"])


def walt(on, ids=None, weight="rent", homes=False):
    s = w = 0.0
    for x in roll(on, ids):
        if x["lease"] and (x["u"]["unit_use"] == "residential") == homes:
            s += x[weight] * max(0, (D(x["lease"]["end_date"]) - on).days) / 365
            w += x[weight]
    return s / w


def month(y, m):
    return date(y, m, 1)


def acc(a, z, ids=None, codes=None, cat=None, field="amount"):
    t = 0.0
    for r in LEDGER:
        if a <= D(r["month"]) <= z and (ids is None or r["building_id"] in ids):
            if (codes and r["account_code"] in codes) or (cat and r["category"] == cat):
                t += float(r[field] or 0)
    return t


T12 = (month(2025, 11), month(2026, 10))
PRIOR = (month(2024, 11), month(2025, 10))
Y25 = (month(2025, 1), month(2025, 12))
Y24 = (month(2024, 1), month(2024, 12))
rev = lambda p, ids=None, f="amount": acc(*p, ids, cat="revenue", field=f)
opx = lambda p, ids=None, f="amount": acc(*p, ids, cat="operating_expense", field=f)
noi = lambda p, ids=None, f="amount": rev(p, ids, f) - opx(p, ids, f)
ds = lambda p, ids=None: acc(*p, ids, cat="debt_service")
cap = lambda p, ids=None: acc(*p, ids, cat="capital")
RENT = ("4000", "4010", "4020", "4025", "4030", "4040")
econ = lambda p, ids=None: acc(*p, ids, codes=RENT) / acc(*p, ids, codes=("4000",))
owed = lambda ids=None, kind=None: sum(float(x["current_balance"]) for x in LOANS
                                       if (ids is None or x["building_id"] in ids) and (not kind or x["loan_kind"] == kind))


def worth(ids=None, on=ASOF):
    best = {}
    for v in VALUES:
        if D(v["valuation_date"]) <= on:
            best[v["building_id"]] = max(best.get(v["building_id"], (date.min, 0)), (D(v["valuation_date"]), float(v["market_value"])))
    return sum(v for i, (_, v) in best.items() if ids is None or i in ids)


LEV = {x["building_id"] for x in LOANS}
dscr = lambda p, ids: noi(p, ids & LEV) / ds(p, ids & LEV)


def expiring(a, z, homes=None, ids=None):
    return [x for x in roll(ASOF, ids) if x["lease"] and a <= D(x["lease"]["end_date"]) <= z
            and (homes is None or (x["u"]["unit_use"] == "residential") == homes)]


CASES = []
TOL = {"percent": 0.00005, "ratio": 0.0005, "years": 0.0005, "count": 0, "USD": 0.02, "USD/unit": 0.01, "USD/sqft": 0.0005, "USD/month": 0.01, "sqft": 0.01}


def q(question, metric, unit, value, after=None, subject=None):
    case = dict(question=question, metric=metric, unit=unit, value=value, tolerance=TOL.get(unit, 0))
    if after:
        case["after"] = after
    if subject:
        case["subject"] = subject
    CASES.append(case)


def no(question, after=None):
    case = dict(question=question, asks=True)
    if after:
        case["after"] = after
    CASES.append(case)


OCC, P = "physical_occupancy", "percent"
# Occupancy: locations, dates, wordings.
q("How occupied is Mueller Yards?", OCC, P, occ(ASOF, one("Mueller Yards")))
q("occupancy at mueller", OCC, P, occ(ASOF, one("Mueller Yards")))
q("What was the occupancy rate at Peachtree Commons in March 2025?", OCC, P, occ(date(2025, 3, 31), one("Peachtree Commons")))
q("Physical occupancy for Bayshore Palms as of 6/30/2025", OCC, P, occ(date(2025, 6, 30), one("Bayshore Palms")))
q("How full was Seminole Heights Court at year end 2025?", OCC, P, occ(date(2025, 12, 31), one("Seminole Heights Court")))
q("occupancy of our Austin properties at the end of Q2 2026", OCC, P, occ(date(2026, 6, 30), city("Austin")))
q("How occupied are we in Denver right now?", OCC, P, occ(ASOF, city("Denver")))
q("Texas occupancy on 2025-09-30?", OCC, P, occ(date(2025, 9, 30), state("TX")))
q("What percentage of our apartments are occupied?", OCC, P, occ(ASOF, MF))
q("Office occupancy today", OCC, P, occ(ASOF, kind("office")))
q("portfolio-wide occupancy, December 2024", OCC, P, occ(date(2024, 12, 31)))
q("What was our occupancy as of the end of February 2026?", OCC, P, occ(date(2026, 2, 28)))
q("Occupancy at Bayshor Palms?", OCC, P, occ(ASOF, one("Bayshore Palms")))
q("occupancy at Peach Tree Commons", OCC, P, occ(ASOF, one("Peachtree Commons")))
q("How full is B09?", OCC, P, occ(ASOF, {"B09"}))
q("Commercial occupancy by area as of September 30, 2026", "physical_occupancy_by_area", P, occ_area(date(2026, 9, 30), CM))
q("Physical vacancy across the portfolio?", "vacancy", P, 1 - occ(ASOF))
q("What is the vacancy rate in Atlanta?", "vacancy", P, 1 - occ(ASOF, city("Atlanta")))
q("How many vacant units do we have in Tampa?", "vacant_rentable_units", "count", sum(x["rentable"] and not x["lease"] for x in roll(ASOF, city("Tampa"))))
q("How many units are empty at Barton Creek Flats?", "vacant_rentable_units", "count", sum(x["rentable"] and not x["lease"] for x in roll(ASOF, one("Barton Creek Flats"))))
q("number of occupied units at Decatur Gardens", "occupied_units", "count", sum(x["lease"] is not None for x in roll(ASOF, one("Decatur Gardens"))))
q("How many units do we have in total?", "units", "count", len(U))
q("How many apartments units are there in Austin?", "units", "count", sum(u["unit_use"] == "residential" and u["building_id"] in city("Austin") for u in U))
q("How many rentable units at Peachtree Commons?", "rentable_units", "count", sum(x["rentable"] for x in roll(ASOF, one("Peachtree Commons"))))
q("How many down or model units at Peachtree Commons?", "non_revenue_units", "count", sum(not x["rentable"] for x in roll(ASOF, one("Peachtree Commons"))))
q("How many square feet are vacant at Westside Foundry?", "vacant_area", "sqft", sum(x["area"] for x in roll(ASOF, one("Westside Foundry")) if x["rentable"] and not x["lease"]))
occ_by = {i: occ(ASOF, {i}) for i in B}
q("occupancy per property", "physical_occupancy_by_building", P, occ_by)
q("Give me occupancy by city", "physical_occupancy_by_city", P, {c: occ(ASOF, city(c)) for c in ("Atlanta", "Austin", "Denver", "Tampa")})
q("Occupancy by property type, please", "physical_occupancy_by_property_type", P, {k: occ(ASOF, kind(k)) for k in ("industrial", "multifamily", "office", "retail")})
q("Which apartment building has the lowest occupancy?", "lowest_occupancy_building", "building_id", min(MF, key=occ_by.get))
q("Monthly occupancy for Mueller Yards by month in 2025", "physical_occupancy_by_month", P, {f"2025-{m:02d}": occ(end_of(2025, m), one("Mueller Yards")) for m in range(1, 13)})
q("Which buildings are below 95% occupancy?", "physical_occupancy_beyond_bound", "building_ids", sorted(i for i in B if occ_by[i] < 0.95))
q("Occupancy at Barton Creek Flats vs Mueller Yards?", OCC, P, occ(ASOF, one("Barton Creek Flats")), subject="Barton Creek Flats")
# Leases.
q("WALT by area for our commercial leases", "walt_by_area", "years", walt(ASOF, weight="area"))
q("Weighted average lease term in Denver, weighted by rent", "walt_by_rent", "years", walt(ASOF, city("Denver")))
q("What's the WALE at Ybor Market Hall?", "walt_by_rent", "years", walt(ASOF, one("Ybor Market Hall")))
q("Retail WALT by income as of June 30, 2026", "walt_by_rent", "years", walt(date(2026, 6, 30), kind("retail")))
com = lambda xs: sum(x["rent"] for x in xs)
total_c = com([x for x in roll(ASOF) if x["lease"] and x["u"]["unit_use"] != "residential"])
q("What percentage of commercial rent expires in 2029?", "rollover_pct_of_rent", P, com(expiring(month(2029, 1), date(2029, 12, 31), False)) / total_c)
q("What share of our commercial square footage rolls in 2028?", "rollover_pct_of_area", P, sum(x["area"] for x in expiring(month(2028, 1), date(2028, 12, 31), False)) / sum(x["area"] for x in roll(ASOF) if x["lease"] and x["u"]["unit_use"] != "residential"))
q("How many office leases expire in 2027?", "lease_expirations", "count", len(expiring(month(2027, 1), date(2027, 12, 31), ids=kind("office"))))
q("How many apartment leases expire in the next 60 days?", "residential_expirations_60d", "count", len(expiring(ASOF + timedelta(1), ASOF + timedelta(60), True)))
q("Number of residential leases expiring within the next six months", "residential_expirations_6m", "count", len(expiring(ASOF + timedelta(1), date(2027, 4, 30), True)))
q("How many leases at Cherry Creek Lofts expire in the next 90 days?", "lease_expirations_90d", "count", len(expiring(ASOF + timedelta(1), ASOF + timedelta(90), ids=one("Cherry Creek Lofts"))))
q("month-to-month tenants at our Tampa properties?", "month_to_month_leases", "count", sum(bool(x["lease"]) and D(x["lease"]["end_date"]) < ASOF for x in roll(ASOF, city("Tampa"))))
q("How many signed leases have not started yet in Austin?", "future_leases", "count", sum(l["status"] != "draft" and D(l["start_date"]) > ASOF and l["building_id"] in city("Austin") for l in L))
force = [x for x in roll(ASOF) if x["lease"]]
homes = [x for x in force if x["u"]["unit_use"] == "residential"]
q("How many leases are in force?", "leases_in_force", "count", len(force))
# Rents.
q("Average rent per apartment in Tampa", "avg_rent_per_unit", "USD/unit", com([x for x in homes if x["u"]["building_id"] in city("Tampa")]) / sum(x["u"]["building_id"] in city("Tampa") for x in homes))
q("average in-place rent at Mueller Yards", "avg_rent_per_unit", "USD/unit", com([x for x in homes if x["u"]["building_id"] == "B02"]) / sum(x["u"]["building_id"] == "B02" for x in homes))
q("What is the annual in-place rent at Congress Tower?", "annual_inplace_rent", "USD", 12 * com([x for x in force if x["u"]["building_id"] == "B03"]))
q("Monthly in-place base rent for our retail properties", "monthly_inplace_rent", "USD", com([x for x in force if x["u"]["building_id"] in kind("retail")]))
ltl = lambda xs: sum(x["market"] - x["rent"] for x in xs)
q("loss to lease per month at Peachtree Commons", "loss_to_lease_monthly", "USD", ltl([x for x in homes if x["u"]["building_id"] == "B07"]))
q("Loss-to-lease as a percentage for our Denver apartments", "loss_to_lease_pct", P, ltl([x for x in homes if x["u"]["building_id"] in city("Denver")]) / sum(x["market"] for x in homes if x["u"]["building_id"] in city("Denver")))
byt = {}
for x in force:
    if x["u"]["unit_use"] != "residential":
        byt[x["lease"]["tenant_id"]] = byt.get(x["lease"]["tenant_id"], 0) + x["rent"] * 12
top = sorted(byt.items(), key=lambda kv: -kv[1])
share = lambda v: round(v / sum(byt.values()), 9)
q("top 3 commercial tenants by rent", "top_tenants", "table", [dict(tenant=TENANT[t], annual_rent=v, share=share(v)) for t, v in top[:3]])
CASES[-1]["tolerance"] = 0.01
q("Largest tenant's share of commercial rent?", "top_tenant_share", P, top[0][1] / sum(byt.values()))
# Income.
q("NOI at Highlands Corner for calendar 2025", "noi_calendar_year", "USD", noi(Y25, one("Highlands Corner")))
q("What was NOI in 2024?", "noi_calendar_year", "USD", noi(Y24))
q("net operating income for Decatur Gardens in Q2 2026", "noi_quarter", "USD", noi((month(2026, 4), month(2026, 6)), one("Decatur Gardens")))
q("NOI for the first half of 2026", "noi_period", "USD", noi((month(2026, 1), month(2026, 6))))
q("September 2026 NOI for Platte River Logistics", "noi_month", "USD", noi((month(2026, 9), month(2026, 9)), one("Platte River Logistics")))
q("Trailing 12 NOI for the office properties", "noi_t12", "USD", noi(T12, kind("office")))
q("T-12 NOI through June 2026 for Atlanta", "noi_t12", "USD", noi((month(2025, 7), month(2026, 6)), city("Atlanta")))
q("Year to date NOI for Tampa", "noi_ytd", "USD", noi((month(2026, 1), month(2026, 10)), city("Tampa")))
q("NOI from January 2025 to June 2025 at Westside Foundry", "noi_period", "USD", noi((month(2025, 1), month(2025, 6)), one("Westside Foundry")))
q("annualized T-3 NOI for the portfolio", "noi_t3_annualized", "USD", 4 * noi((month(2026, 8), month(2026, 10))))
q("What's NOI by city over the last twelve months?", "noi_t12_by_city", "USD", {c: noi(T12, city(c)) for c in ("Atlanta", "Austin", "Denver", "Tampa")})
q("NOI by quarter for 2025 at Congress Tower", "noi_calendar_year_by_quarter", "USD", {f"2025-Q{k}": noi((month(2025, 3 * k - 2), month(2025, 3 * k)), one("Congress Tower Offices")) for k in range(1, 5)})
q("Which property had the highest NOI over the trailing twelve months?", "highest_noi_building", "building_id", max(B, key=lambda i: noi(T12, {i})))
q("Which city has the lowest T-12 NOI?", "lowest_noi_city", "city", min(("Atlanta", "Austin", "Denver", "Tampa"), key=lambda c: noi(T12, city(c))))
q("How much did NOI grow at Barton Creek Flats in 2025 compared to the prior year?", "noi_growth", P, noi(Y25, one("Barton Creek Flats")) / noi(Y24, one("Barton Creek Flats")) - 1)
q("Year over year growth of T-12 NOI in Denver", "noi_growth", P, noi(T12, city("Denver")) / noi(PRIOR, city("Denver")) - 1)
q("effective gross income for Austin in calendar 2025", "egi_calendar_year", "USD", rev(Y25, city("Austin")))
q("Total revenue at Bayshore Palms, T-12", "egi_t12", "USD", rev(T12, one("Bayshore Palms")))
q("operating expenses at Cherry Creek Lofts last 12 months", "opex_t12", "USD", opx(T12, one("Cherry Creek Lofts")))
q("Opex in Q1 2026 for the apartments", "opex_quarter", "USD", opx((month(2026, 1), month(2026, 3)), MF))
q("expense ratio at Ybor Market Hall", "opex_ratio", P, opx(T12, one("Ybor Market Hall")) / rev(T12, one("Ybor Market Hall")))
q("What was the operating expense ratio of our Atlanta properties in calendar 2025?", "opex_ratio", P, opx(Y25, city("Atlanta")) / rev(Y25, city("Atlanta")))
q("NOI margin for retail", "noi_margin", P, noi(T12, kind("retail")) / rev(T12, kind("retail")))
q("opex per unit at Mueller Yards", "opex_per_unit", "USD/unit", opx(T12, one("Mueller Yards")) / sum(u["building_id"] == "B02" for u in U))
q("Operating expenses per square foot for the office buildings", "opex_per_sqft", "USD/sqft", opx(T12, kind("office")) / sum(float(u["area_sqft"]) for u in U if u["building_id"] in kind("office")))
q("NOI per unit for multifamily", "noi_per_unit", "USD/unit", noi(T12, MF) / sum(u["building_id"] in MF for u in U))
q("Economic occupancy for Denver apartments, calendar 2025", "economic_occupancy", P, econ(Y25, city("Denver") & MF))
q("economic occupancy at Bayshore Palms in Q3 2026", "economic_occupancy", P, econ((month(2026, 7), month(2026, 9)), one("Bayshore Palms")))
q("How much bad debt did we have at Decatur Gardens over the trailing twelve months?", "bad_debt_t12", "USD", -acc(*T12, one("Decatur Gardens"), codes=("4040",)))
q("Concessions as a share of GPR for the apartments", "concessions_pct_gpr", P, -acc(*T12, MF, codes=("4030",)) / acc(*T12, MF, codes=("4000",)))
q("gross potential rent for Austin apartments, T-12", "gross_potential_rent_t12", "USD", acc(*T12, city("Austin") & MF, codes=("4000",)))
q("capex at Congress Tower in calendar 2025", "capex_calendar_year", "USD", cap(Y25, one("Congress Tower Offices")))
q("What did we pay in property taxes at Peachtree Commons in calendar 2025?", "property_taxes", "USD", acc(*Y25, one("Peachtree Commons"), codes=("5000",)))
q("insurance cost across the portfolio, trailing twelve months", "insurance", "USD", acc(*T12, codes=("5100",)))
q("How much did we spend on repairs and maintenance in Denver in Q2 2026?", "repairs_and_maintenance", "USD", acc(month(2026, 4), month(2026, 6), city("Denver"), codes=("5300",)))
q("Real estate taxes for the office properties, T-12", "property_taxes", "USD", acc(*T12, kind("office"), codes=("5000",)))
q("management fees 2025", "management_fee", "USD", acc(*Y25, codes=("5500",)))
q("utilities by city, T-12", "utilities_by_city", "USD", {c: acc(*T12, city(c), codes=("5200",)) for c in ("Atlanta", "Austin", "Denver", "Tampa")})
q("leasing commissions in 2025", "leasing_commissions", "USD", acc(*Y25, codes=("6110",)))
q("Payroll at Barton Creek Flats for October 2026", "payroll", "USD", acc(month(2026, 10), month(2026, 10), one("Barton Creek Flats"), codes=("5400",)))
q("NOI versus budget at Congress Tower, T-12", "noi_vs_budget", "USD", noi(T12, {"B03"}) - noi(T12, {"B03"}, "budget_amount"))
q("How far are we ahead or behind NOI budget in Tampa for 2025?", "noi_vs_budget", "USD", noi(Y25, city("Tampa")) - noi(Y25, city("Tampa"), "budget_amount"))
q("budgeted NOI for calendar 2025", "noi_budget", "USD", noi(Y25, None, "budget_amount"))
q("opex variance to budget, trailing twelve", "opex_vs_budget", "USD", opx(T12) - opx(T12, None, "budget_amount"))
q("debt service for the portfolio in calendar 2025", "debt_service_calendar_year", "USD", ds(Y25))
q("Cash flow after capex and debt service for Denver, T-12", "cash_flow_after_debt_t12", "USD", noi(T12, city("Denver")) - cap(T12, city("Denver")) - ds(T12, city("Denver")))
be = lambda ids: (opx(T12, ids) + ds(T12, ids)) / acc(*T12, ids, codes=("4000", "4100", "4200"))
q("break-even occupancy at Bayshore Palms", "breakeven_occupancy", P, be(one("Bayshore Palms")))
# Debt and value.
q("What's the DSCR at Barton Creek?", "dscr", "ratio", dscr(T12, one("Barton Creek Flats")))
q("debt service coverage for Atlanta", "dscr", "ratio", dscr(T12, city("Atlanta")))
q("DSCR for Seminole Heights Court in calendar 2025", "dscr", "ratio", dscr(Y25, one("Seminole Heights Court")))
q("LTV at Cherry Creek Lofts", "ltv", P, owed(one("Cherry Creek Lofts")) / worth(one("Cherry Creek Lofts")))
q("What is the loan-to-value on the Tampa assets?", "ltv", P, owed(city("Tampa")) / worth(city("Tampa")))
q("senior-only LTV at Bayshore Palms", "ltv_senior", P, owed(one("Bayshore Palms"), "senior") / worth(one("Bayshore Palms")))
q("Debt yield at Congress Tower Offices?", "debt_yield", P, noi(T12, {"B03"}) / owed({"B03"}))
q("How much debt is outstanding in Denver?", "total_debt", "USD", owed(city("Denver")))
q("weighted average interest rate on our apartment debt", "weighted_avg_interest_rate", P, sum(float(x["current_balance"]) * float(x["interest_rate_pct"]) for x in LOANS if x["building_id"] in MF) / owed(MF) / 100)
q("How much debt matures in 2027?", "debt_maturing", "USD", sum(float(x["current_balance"]) for x in LOANS if x["maturity_date"].startswith("2027")))
q("What do we owe on Congress Tower?", "loan_balance", "USD", owed({"B03"}))
q("What's the outstanding loan balance at Bayshore Palms?", "loan_balance", "USD", owed({"B10"}))
q("When does the Ybor Market Hall loan mature?", "maturity_date", "date", next(x["maturity_date"] for x in LOANS if x["building_id"] == "B11"))
q("Who is the lender on Peachtree Commons?", "lender", "text", next(x["lender"] for x in LOANS if x["building_id"] == "B07"))
q("What is the interest rate on the loan at Mueller Yards?", "interest_rate", P, next(float(x["interest_rate_pct"]) for x in LOANS if x["building_id"] == "B02") / 100)
q("What is Highlands Corner worth?", "market_value", "USD", worth(one("Highlands Corner")))
q("market value of our Austin properties", "market_value", "USD", worth(city("Austin")))
q("What was the portfolio worth at the end of 2025?", "portfolio_value", "USD", worth(on=date(2025, 12, 31)))
q("Implied cap rate for Westside Foundry", "implied_cap_rate", P, noi(T12, {"B08"}) / worth({"B08"}))
q("Which asset has the highest LTV?", "highest_ltv_building", "building_id", max(LEV, key=lambda i: owed({i}) / worth({i})))
q("Which buildings have a DSCR below 1.6x?", "dscr_beyond_bound", "building_ids", sorted(i for i in LEV if dscr(T12, {i}) < 1.6))
q("Which properties fail a 1.60x DSCR test or a 58% LTV test?", "covenant_watchlist", "building_ids", sorted(i for i in LEV if dscr(T12, {i}) < 1.6 or owed({i}) / worth({i}) > 0.58))
ended = lambda p, ids=None: [l for l in L if l["lease_type"] == "residential_gross" and l["status"] != "draft" and p[0] <= D(l["end_date"]) <= p[1] and not l["move_out_date"] and l["month_to_month"] == "false" and (ids is None or l["building_id"] in ids)]
renewed = {l["renewal_of_lease_id"] for l in L if l["status"] != "draft" and l["renewal_of_lease_id"]}
rate = lambda p, ids=None: sum(l["lease_id"] in renewed for l in ended(p, ids)) / len(ended(p, ids))
q("Renewal rate at Peachtree Commons over the last year", "renewal_rate", P, rate((date(2025, 11, 1), ASOF), one("Peachtree Commons")))
q("apartment renewal rate in calendar 2025", "renewal_rate", P, rate((date(2025, 1, 1), date(2025, 12, 31))))
# Conversations.
q("and for Tampa?", "noi_t12", "USD", noi(T12, city("Tampa")), after=["What's our trailing twelve month NOI?"])
q("What about Mueller Yards?", OCC, P, occ(date(2025, 6, 30), one("Mueller Yards")), after=["Occupancy at Barton Creek Flats on June 30, 2025?"])
q("same for calendar 2025", "noi_calendar_year", "USD", noi(Y25, city("Denver")), after=["T-12 NOI for Denver"])
q("And the WALE by area?", "walt_by_area", "years", walt(ASOF, kind("office"), "area"), after=["Office WALT by income?"])
q("and the expense ratio?", "opex_ratio", P, opx(Y25, {"B03"}) / rev(Y25, {"B03"}), after=["NOI at Congress Tower for calendar 2025"])
q("by city?", "physical_occupancy_by_city", P, {c: occ(ASOF, city(c)) for c in ("Atlanta", "Austin", "Denver", "Tampa")}, after=["What is our occupancy?"])
q("And for Atlanta?", "property_taxes", "USD", acc(*Y25, city("Atlanta"), codes=("5000",)), after=["What did we pay in property taxes across Tampa in calendar 2025?"])
q("how about the office properties?", "ltv", P, owed(kind("office")) / worth(kind("office")), after=["What is our overall loan-to-value?"])
# Figures per unit, per area, per month, per another quantity, or as a share of the total.
US, DOOR, FT = "USD", "USD/unit", "USD/sqft"
count_of = lambda ids: sum(u["building_id"] in ids for u in U)
area_of = lambda ids: sum(float(u["area_sqft"]) for u in U if u["building_id"] in ids)
CITIES = ("Atlanta", "Austin", "Denver", "Tampa")
q("whats the occ at Mueller Yards", OCC, P, occ(ASOF, one("Mueller Yards")))
q("occupany by city", "physical_occupancy_by_city", P, {c: occ(ASOF, city(c)) for c in CITIES})
q("insurance cost per door, apartments only, last twelve months", "insurance_per_unit", DOOR, acc(*T12, MF, codes=("5100",)) / count_of(MF))
q("utilities per unit at Peachtree Commons in 2025", "utilities_per_unit", DOOR, acc(*Y25, one("Peachtree Commons"), codes=("5200",)) / count_of(one("Peachtree Commons")))
q("property tax per sq. ft. at Congress Tower, T-12", "property_taxes_per_sqft", FT, acc(*T12, {"B03"}, codes=("5000",)) / area_of({"B03"}))
q("market value per square foot for Platte River Logistics", "market_value_per_sqft", FT, worth({"B05"}) / area_of({"B05"}))
q("average monthly NOI at Decatur Gardens in 2025", "noi_calendar_year_per_month", "USD/month", noi(Y25, one("Decatur Gardens")) / 12)
q("management fees as a percent of EGI for the whole portfolio, T-12", "management_fee_pct_of_egi", P, acc(*T12, codes=("5500",)) / rev(T12))
q("What percent of revenue goes to property taxes in Austin?", "property_taxes_pct_of_egi", P, acc(*T12, city("Austin"), codes=("5000",)) / rev(T12, city("Austin")))
q("What part of opex do recoveries cover at Highlands Corner, T-12?", "expense_recoveries_pct_of_opex", P, acc(*T12, one("Highlands Corner"), codes=("4100",)) / opx(T12, one("Highlands Corner")))
q("What share of the portfolio's T-12 NOI comes from Denver?", "noi_t12_share", P, noi(T12, city("Denver")) / noi(T12))
q("What fraction of total revenue do the apartments bring in, T-12?", "egi_t12_share", P, rev(T12, MF) / rev(T12))
month_ends = lambda ids, y, ms: sum(occ(end_of(y, m), ids) for m in ms) / len(ms)
q("average occupancy at Mueller Yards in 2025", "physical_occupancy_average", P, month_ends({"B02"}, 2025, range(1, 13)))
q("mean month-end occupancy of Seminole Heights Court over the first half of 2026", "physical_occupancy_average", P, month_ends({"B12"}, 2026, range(1, 7)))
# Changes.
q("How much did NOI at Platte River Logistics grow from 2024 to 2025?", "noi_growth", P, noi(Y25, {"B05"}) / noi(Y24, {"B05"}) - 1)
q("How much has the value of Congress Tower gone up since the end of 2024?", "portfolio_value_growth", P, worth({"B03"}) / worth({"B03"}, date(2024, 12, 31)) - 1)
q("Is Decatur Gardens fuller than it was a year ago?", "physical_occupancy_change", P, occ(ASOF, {"B09"}) - occ(date(2025, 10, 31), {"B09"}))
YTD, YTD25 = (month(2026, 1), month(2026, 10)), (month(2025, 1), month(2025, 10))
grown = lambda now, then, of=noi: {i: of(now, {i}) / of(then, {i}) - 1 for i in B}
q("Which building grew its revenue the most, Jan-Oct 2026 vs Jan-Oct 2025?", "largest_egi_change_building", "building_id", max(B, key=grown(YTD, YTD25, rev).get))
q("Which property's NOI fell the most from 2024 to 2025?", "smallest_noi_change_building", "building_id", min(B, key=grown(Y25, Y24).get))
q("Which property gained the most value in 2026?", "largest_portfolio_value_change_building", "building_id", max(B, key=lambda i: worth({i}) - worth({i}, date(2025, 12, 31))))
q("YTD NOI vs last year", "noi_ytd", US, noi(YTD), subject="January 2026 to October 2026")
q("YTD NOI compared with last year", "noi_period", US, noi(YTD25), subject="January 2025 to October 2025")
q("month over month NOI change in October 2026", "noi_growth", P, noi((month(2026, 10),) * 2) / noi((month(2026, 9),) * 2) - 1)
# Breakdowns and rankings by any dimension.
TEN = [a for a in ("5000", "5100", "5200", "5300", "5400", "5500", "5600", "5700")]
q("Break down T-12 operating expenses at Decatur Gardens by account", "opex_t12_by_account", US, {a: acc(*T12, {"B09"}, codes=(a,)) for a in TEN})
q("debt by lender", "total_debt_by_lender", US, {n: sum(float(x["current_balance"]) for x in LOANS if x["lender"] == n) for n in {x["lender"] for x in LOANS}})
q("Rank the cities by T-12 NOI", "highest_noi_city", "city", max(CITIES, key=lambda c: noi(T12, city(c))))
q("What was the best month for NOI at Bayshore Palms in the last twelve?", "highest_noi_month", "month", "September 2026")
q("which two buildings have the thinnest debt service coverage?", "lowest_dscr_building", "building_id", min(LEV, key=lambda i: dscr(T12, {i})))
q("worst expense ratio by building", "highest_opex_ratio_building", "building_id", max(B, key=lambda i: opx(T12, {i}) / rev(T12, {i})))
q("Which buildings missed their NOI budget in Q3 2026?", "noi_vs_budget_beyond_bound", "building_ids", sorted(i for i in B if noi((month(2026, 7), month(2026, 9)), {i}) < noi((month(2026, 7), month(2026, 9)), {i}, "budget_amount")))
q("which buildings are over their opex budget year to date?", "opex_vs_budget_beyond_bound", "building_ids", sorted(i for i in B if opx(YTD, {i}) > opx(YTD, {i}, "budget_amount")))
q("properties with NOI over $700k, T-12", "noi_t12_beyond_bound", "building_ids", sorted(i for i in B if noi(T12, {i}) > 700000))
q("capex at Cherry Creek Lofts by year", "capex_period_by_year", US, {str(y): cap((max(month(2023, 11), month(y, 1)), min(month(2026, 10), month(y, 12))), {"B04"}) for y in range(2023, 2027)})
ends = lambda y, m: len(expiring(month(y, m), end_of(y, m), ids={"B04"}))
q("Cherry Creek Lofts: number of leases expiring per month over the next six months", "lease_expirations_6m_by_month", "count", {f"{y}-{m:02d}": ends(y, m) for y, m in ((2026, 11), (2026, 12), (2027, 1), (2027, 2), (2027, 3), (2027, 4))})
# Units, tenants, suites, deposits.
of_tenant = lambda n: [x for x in force if TENANT[x["lease"]["tenant_id"]] == n]
q("What does Sunbeam Pharmacy pay us a month?", "monthly_inplace_rent", US, com(of_tenant("Sunbeam Pharmacy")))
q("How much space does Summit Cold Storage take?", "leased_area", "sqft", sum(x["area"] for x in of_tenant("Summit Cold Storage")))
# Debt, price, age.
q("weighted average maturity of our debt in years", "weighted_avg_debt_term", "years", sum(float(x["current_balance"]) * (D(x["maturity_date"]) - ASOF).days / 365 for x in LOANS) / owed())
q("How much equity do we have in Denver?", "equity_value", US, worth(city("Denver")) - owed(city("Denver")))
q("Which buildings carry no debt?", "buildings_without_debt", "building_ids", sorted(set(B) - LEV))
q("budgeted operating expenses for 2025 at Congress Tower", "opex_budget", US, opx(Y25, {"B03"}, "budget_amount"))
q("total market rent of the vacant units", "vacant_market_rent", US, sum(x["market"] for x in roll(ASOF) if x["rentable"] and not x["lease"]))
q("Is our debt yield above 13%?", "debt_yield", P, noi(T12, LEV) / owed())
q("the last two quarters' NOI at Cherry Creek Lofts", "noi_period", US, noi((month(2026, 4), month(2026, 9)), {"B04"}))
q("What was our T-12 NOI a year ago?", "noi_t12", US, noi(PRIOR))
q("How much have we spent on tenant improvements since January 2025?", "tenant_improvements", US, acc(month(2025, 1), month(2026, 10), codes=("6100",)))
q("payroll in Denver for the first nine months of 2026", "payroll", US, acc(month(2026, 1), month(2026, 9), city("Denver"), codes=("5400",)))
# Several questions in one: both are answered.
q("How many units does Barton Creek Flats have, and how many of them are vacant?", "units", "count", count_of({"B01"}))
# Follow-ups keep the building, period and account.
q("vs budget?", "utilities_vs_budget", US, acc(*Y25, {"B07"}, codes=("5200",)) - acc(*Y25, {"B07"}, codes=("5200",), field="budget_amount"), after=["What did we spend on utilities at Peachtree Commons in 2025?"])
q("what is that in percent?", "noi_growth", P, noi((month(2026, 7), month(2026, 9)), MF) / noi((month(2025, 7), month(2025, 9)), MF) - 1, after=["Multifamily NOI, Q3 2026 against Q3 2025"])
q("why?", "noi_t12", US, noi(T12, {"B03"}), after=["T-12 NOI at Congress Tower"])
q("who is the lender?", "lender", "text", next(x["lender"] for x in LOANS if x["building_id"] == "B05"), after=["T-12 NOI at Platte River Logistics"])
q("what is our NOI there?", "noi_t12", US, noi(T12, city("Tampa")), after=["Occupancy in Tampa?"])
# Exclusions, lease types, industries, lenders, medians, partial years.
OUT = lambda *gone: set(B) - set().union(*gone)
q("What is our NOI excluding Tampa?", "noi_t12", US, noi(T12, OUT(city("Tampa"))))
q("TTM opex for everything except Denver", "opex_t12", US, opx(T12, OUT(city("Denver"))))
q("Occupancy of the apartments excluding Seminole Heights", OCC, P, occ(ASOF, MF - {"B12"}))
q("T-12 NOI of the Atlanta properties other than Westside Foundry", "noi_t12", US, noi(T12, city("Atlanta") - {"B08"}))
q("NOI, all cities but Austin, 2025", "noi_calendar_year", US, noi(Y25, OUT(city("Austin"))))
q("opex excluding property taxes, trailing twelve", "opex_t12_without_property_taxes", US, opx(T12) - acc(*T12, codes=("5000",)))
q("opex?", "opex_calendar_year", US, opx(Y25, OUT({"B03"})), after=["NOI for 2025 excluding Congress Tower"])
q("NOI in 3Q25", "noi_quarter", US, noi((month(2025, 7), month(2025, 9))))
q("what was EGI for Sep-25?", "egi_month", US, rev((month(2025, 9),) * 2))
q("Mueller Yards NOI Q3'26", "noi_quarter", US, noi((month(2026, 7), month(2026, 9)), {"B02"}))
q("TTM June 2026 NOI for Peachtree Commons", "noi_t12", US, noi((month(2025, 7), month(2026, 6)), {"B07"}))
q("NOI for 12 months ended 6/30/26", "noi_t12", US, noi((month(2025, 7), month(2026, 6))))
q("YTD NOI through Aug 2026", "noi_period", US, noi((month(2026, 1), month(2026, 8))))
CO = [x for x in force if x["u"]["unit_use"] != "residential"]
IND = {t["tenant_id"]: t["industry"] for t in rows("tenants.csv")}
q("How many commercial leases expire by the end of 2027?", "commercial_expirations", "count", len(expiring(ASOF, date(2027, 12, 31), False)))
q("What annual rent rolls through 12/31/2028 on the office side?", "rollover_annual_rent", US, 12 * com(expiring(ASOF, date(2028, 12, 31), ids=kind("office"))))
q("how many NNN leases do we have?", "leases_in_force", "count", sum(x["lease"]["lease_type"] == "nnn" for x in CO))
q("rent from healthcare tenants", "annual_inplace_rent", US, 12 * com([x for x in CO if IND[x["lease"]["tenant_id"]] == "healthcare"]))
q("how much do we owe Fannie-style Agency A?", "loan_balance", US, sum(float(x["current_balance"]) for x in LOANS if x["lender"] == "Fannie-style Agency A"))
q("share of commercial rent from our top 5 tenants", "top_tenants_share", P, sum(v for _, v in top[:5]) / sum(byt.values()))
median = lambda xs: (sorted(xs)[(len(xs) - 1) // 2] + sorted(xs)[len(xs) // 2]) / 2
q("median rent of our one-bedrooms", "avg_rent_per_unit_median", DOOR, median([x["rent"] for x in homes if x["u"]["unit_type"] == "1BR"]))
q("median NOI per building", "noi_t12_median", US, median([noi(T12, {i}) for i in B]))
q("average NOI per property", "noi_t12_per_building", "USD/property", noi(T12) / len(B))
empty = lambda ids: sum(x["area"] for x in roll(ASOF, ids) if x["rentable"] and not x["lease"])
q("which property has the largest vacancy in square feet?", "highest_vacant_area_building", "building_id", max(B, key=lambda i: empty({i})))
q("in-place vs market rent at Decatur Gardens", "loss_to_lease_monthly", US, ltl([x for x in homes if x["u"]["building_id"] == "B09"]))
q("rent per sf for Summit Cold Storage", "annual_rent_psf", FT, 12 * com(of_tenant("Summit Cold Storage")) / sum(x["area"] for x in of_tenant("Summit Cold Storage")))
two = lambda i: [x for x in homes if x["u"]["building_id"] == i and x["u"]["bedrooms"] == "2"]
# Follow-ups keep the topic of the conversation.
q("how many square feet?", "vacant_area", "sqft", empty(city("Tampa")), after=["vacant units in Tampa?"])
q("how much rent is that?", "rollover_annual_rent", US, 12 * com(expiring(month(2028, 1), date(2028, 12, 31), False)), after=["How many commercial leases expire in 2028?"])
q("and its LTV?", "ltv", P, owed({"B10"}) / worth({"B10"}), after=["which building has the lowest DSCR?"])
q("now show me opex", "opex_ytd", US, opx(YTD), after=["NOI YTD", "compared to budget?"])
q("opex?", "opex_calendar_year", US, opx(Y25, {"B07"}), after=["NOI at Peachtree Commons for 2025", "vs budget?"])
q("at Mueller?", "avg_rent_per_unit", DOOR, com(two("B02")) / len(two("B02")), after=["average rent of the 2-bedrooms at Barton Creek Flats"])
q("opex without payroll at Barton Creek in 2025", "opex_calendar_year_without_payroll", US, opx(Y25, {"B01"}) - acc(*Y25, {"B01"}, codes=("5400",)))
q("What would occupancy be without Seminole Heights Court and Mueller Yards?", OCC, P, occ(ASOF, OUT({"B12"}, {"B02"})))
q("how much space is leased to healthcare tenants?", "leased_area", "sqft", sum(x["area"] for x in CO if IND[x["lease"]["tenant_id"]] == "healthcare"))
q("modified gross leases — annual rent?", "annual_inplace_rent", US, 12 * com([x for x in CO if x["lease"]["lease_type"] == "modified_gross"]))
q("commercial rent by lease type", "annual_inplace_rent_by_lease_type", US, {k: 12 * com([x for x in CO if x["lease"]["lease_type"] == k]) for k in ("full_service", "modified_gross", "nnn")})
q("total senior debt", "total_debt", US, owed(kind="senior"))
q("rate on the mezz loan", "interest_rate", P, 0.095)
q("economic vacancy at Decatur Gardens in 2025", "economic_vacancy", P, 1 - econ(Y25, {"B09"}))
q("NOI less capex in Denver, TTM", "cash_flow_before_debt_t12", US, noi(T12, city("Denver")) - cap(T12, city("Denver")))
q("how do in-place rents compare with market at Peachtree Commons?", "loss_to_lease_monthly", US, ltl([x for x in homes if x["u"]["building_id"] == "B07"]))
q("and a year earlier?", "noi_quarter", US, noi((month(2025, 7), month(2025, 9)), city("Denver")), after=["What was Denver's NOI in Q3 2026?"])
q("expense ratio?", "opex_ratio", P, opx(Y25, MF) / rev(Y25, MF), after=["NOI for the apartments, 2025", "opex?"])
q("what share of rent do they pay together?", "top_tenants_share", P, sum(v for _, v in top[:5]) / sum(byt.values()), after=["top 5 commercial tenants"])
q("only Atlanta", "physical_occupancy_by_building", P, {i: occ(ASOF, {i}) for i in city("Atlanta")}, after=["occupancy by property"])
q("with Congress Tower included?", "noi_calendar_year", US, noi(Y24), after=["NOI for 2024 excluding Congress Tower"])
q("occupied units by city", "occupied_units_by_city", "count", {c: sum(x["lease"] is not None for x in roll(ASOF, city(c))) for c in CITIES})
q("How many buildings have NOI under $500k?", "buildings", "count", sum(noi(T12, {i}) < 500000 for i in B))
q("how many vacant suites in our office buildings?", "vacant_rentable_units", "count", sum(x["rentable"] and not x["lease"] for x in roll(ASOF, kind("office"))))
q("total NOI not including the two retail centers", "noi_t12", US, noi(T12, OUT(kind("retail"))))
q("break it down by account", "opex_t12_by_account", US, {a: acc(*T12, {"B08"}, codes=(a,)) for a in TEN}, after=["opex at Westside Foundry TTM"])
q("NOI share by property type", "noi_t12_share_by_property_type", P, {k: noi(T12, kind(k)) / noi(T12) for k in ("industrial", "multifamily", "office", "retail")})
q("average opex per unit for apartments in FY24", "opex_per_unit", DOOR, opx(Y24, MF) / count_of(MF))
q("at what rate?", "interest_rate", P, 0.0455, after=["how much do we owe First Prairie Life?", "and Gulf Savings?"])
off28 = 12 * com(expiring(month(2028, 1), date(2028, 12, 31), ids=kind("office")))
q("what share of office rent?", "rollover_pct_of_rent", P, off28 / (12 * com([x for x in CO if x["u"]["building_id"] in kind("office")])), after=["which office tenants expire in 2028?", "how much rent do they pay?"])
q("tenants at Westside Foundry with leases ending by 2028", "lease_expirations", "count", len(expiring(ASOF, date(2028, 12, 31), ids={"B08"})))
q("for Denver?", "opex_t12_without_property_taxes", US, opx(T12, city("Denver")) - acc(*T12, city("Denver"), codes=("5000",)), after=["opex excluding taxes, TTM"])
q("same quarter last year?", "noi_quarter", US, noi((month(2025, 1), month(2025, 3)), {"B09"}), after=["NOI at Decatur Gardens in Q1 2026"])
# Bounds on figures, references to earlier lists, sides of a comparison, restrictions.
above90 = sorted(i for i in B if occ(ASOF, {i}) > 0.9 and noi(T12, {i}) > 500000)
q("Which buildings have occupancy above 90% and NOI over 500k?", "physical_occupancy_and_noi_t12_beyond_bound", "building_ids", above90)
q("Which buildings have NOI between 500k and 800k?", "noi_t12_beyond_bound", "building_ids", sorted(i for i in B if 500000 <= noi(T12, {i}) <= 800000))
q("Which retail or office buildings have NOI above 500k?", "noi_t12_beyond_bound", "building_ids", sorted(i for i in kind("retail") | kind("office") if noi(T12, {i}) > 500000))
low = {i for i in B if occ(ASOF, {i}) < 0.95}
q("What is their NOI?", "noi_t12", US, noi(T12, low), after=["Which buildings have occupancy below 95%?"])
q("their combined occupancy?", OCC, P, occ(ASOF, set(sorted(B, key=lambda i: -noi(T12, {i}))[:3])), after=["Top 3 buildings by NOI"])
q("and in Tampa?", "physical_occupancy_beyond_bound", "building_ids", sorted(low & city("Tampa")), after=["Which buildings have occupancy below 95%?"])
missed = {i for i in B if noi(YTD, {i}) < noi(YTD, {i}, "budget_amount")}
q("by how much in total?", "noi_vs_budget", US, noi(YTD, missed) - noi(YTD, missed, "budget_amount"), after=["Which buildings missed their NOI budget this year?"])
q("Denver NOI minus Austin NOI", "noi_difference", US, noi(T12, city("Denver")) - noi(T12, city("Austin")))
q("What is the ratio of Denver NOI to Austin NOI?", "noi_t12_ratio", "ratio", noi(T12, city("Denver")) / noi(T12, city("Austin")))
q("Compare office NOI with Denver NOI", "noi_t12", US, noi(T12, kind("office")), subject="the office properties")
q("NOI of retail vs the whole portfolio", "noi_t12", US, noi(T12), subject="the whole portfolio (12 properties)")
held = [x for x in force if x["lease"]["month_to_month"] == "true" and D(x["lease"]["end_date"]) < ASOF and x["u"]["building_id"] == "B02"]
q("What is the monthly rent of the month-to-month leases at Mueller Yards?", "monthly_inplace_rent", US, com(held))
q("including the mezz?", "ltv", P, owed() / worth(), after=["What is our senior LTV?"])
q("same period 2025?", "noi_period", US, noi((month(2025, 1), month(2025, 10))), after=["What is YTD NOI?"])
q("NOI at Denver so far in 2026", "noi_ytd", US, noi(YTD, city("Denver")))
q("What is the monthly rent of commercial leases expiring in 2027?", "rollover_monthly_rent", US, com(expiring(month(2027, 1), date(2027, 12, 31), False)))
q("What's the second highest building by NOI?", "highest_noi_building_2", "building_id", sorted(B, key=lambda i: -noi(T12, {i}))[1])
q("NOI w/o Ybor", "noi_t12", US, noi(T12, OUT({"B11"})))
q("Occupancy at Barton Crk?", OCC, P, occ(ASOF, {"B01"}))
q("How much rent was given away as concessions at Highlands Corner in the last twelve months?", "concessions_t12", US, -acc(*T12, {"B06"}, codes=("4030",)))
q("What occupancy does Platte River Logistics need to break even, using trailing twelve month figures?", "breakeven_occupancy", P, be(one("Platte River Logistics")))
q("What expense recoveries did we bill to the retail tenants in calendar year 2025?", "expense_recoveries", US, acc(*Y25, kind("retail"), codes=("4100",)))
q("If NOI at Ybor falls 10%, what is DSCR?", "dscr", "ratio", 0.9 * dscr(T12, {"B11"}))
q("LTV at Ybor if the value is 12m", "ltv", P, owed({"B11"}) / 12e6)
q("What's Ybor worth at a 5.25% cap?", "value", US, noi(T12, {"B11"}) / 0.0525)
no("Denver NOI excluding Austin")
no("What is the rent of vacant units in Tampa?")
no("What is the average rent on renewals?")
# Text around a question, filler words, repetitions.
q("The bank wants the DSCR for Congress Tower, T-12 through October 2026.", "dscr", "ratio", dscr(T12, one("Congress Tower Offices")))
q("Prepping a memo for the board: what's NOI at Platte River over the trailing twelve?", "noi_t12", US, noi(T12, one("Platte River Logistics")))
q("Our CFO is asking about Bayshore Palms. How full is it?", OCC, P, occ(ASOF, one("Bayshore Palms")))
q("Mueller Yards feels soft lately. What's the physical occupancy there?", OCC, P, occ(ASOF, {"B02"}))
q("For the monthly newsletter I need the occupancy by units in Tampa at June 30, 2025.", OCC, P, occ(date(2025, 6, 30), city("Tampa")))
q("Insurance has me worried. How much insurance did we pay at Bayshore Palms over the last 12 months?", "insurance", US, acc(*T12, one("Bayshore Palms"), codes=("5100",)))
q("NOI for each of the Atlanta buildings in 2025", "noi_calendar_year_by_building", US, {i: noi(Y25, {i}) for i in city("Atlanta")})
q("current occupancy for each of the Denver buildings", "physical_occupancy_by_building", P, {i: occ(ASOF, {i}) for i in city("Denver")})
q("Opex at Highlands Corner over the T-12, no capital, no debt service", "opex_t12", US, opx(T12, {"B06"}))
q("Westside Foundry: NOI over debt service, trailing twelve months, gives what cover?", "dscr", "ratio", dscr(T12, {"B08"}))
q("LTV of Cherry Creek Lofts: current balance over latest value", "ltv", P, owed({"B04"}) / worth({"B04"}))
q("Which building has the lowest occupancy, and how low is it?", "lowest_occupancy_building", "building_id", min(B, key=lambda i: occ(ASOF, {i})))
q("physical occupancy at Mueller Yards at May 31, 2026 and a year earlier", OCC, P, occ(date(2026, 5, 31), {"B02"}))
q("NOI of Atlanta, Q2 2026 (Apr thru Jun)", "noi_quarter", US, noi((month(2026, 4), month(2026, 6)), city("Atlanta")))
q("NOI vs budget for Atlanta, YTD 2026 (Jan through Oct)", "noi_vs_budget", US, noi(YTD, city("Atlanta")) - noi(YTD, city("Atlanta"), "budget_amount"))
q("Capex, tenant improvements and leasing commissions at Congress Tower as one number, T-12", "capex_t12", US, cap(T12, {"B03"}))
q("By what percent did Cherry Creek Lofts' NOI change, T-12 through Oct 2026 against the twelve months before that?", "noi_growth", P, noi(T12, {"B04"}) / noi((month(2024, 11), month(2025, 10)), {"B04"}) - 1)
q("vacant rentable units in Tampa as of 31 Oct", "vacant_rentable_units", "count", sum(x["rentable"] and not x["lease"] for x in roll(ASOF, city("Tampa"))))
q("how many leases at Peachtree Commons run out within 90 days after October 31, 2026?", "lease_expirations_90d", "count", len(expiring(date(2026, 11, 1), ASOF + timedelta(days=90), ids=one("Peachtree Commons"))))
q("how many empty apts do i have to lease at barton creek right now? dont count the model or the down unit", "vacant_rentable_units", "count", sum(x["rentable"] and not x["lease"] for x in roll(ASOF, {"B01"})))
q("What did the two Bayshore Palms loans cost us in debt service over the trailing twelve?", "debt_service_t12", US, ds(T12, one("Bayshore Palms")))
q("NOI for all 12 buildings, trailing twelve months", "noi_t12", US, noi(T12))
q("how full was Decatur Gardens at the end of August last year (2025)", OCC, P, occ(date(2025, 8, 31), one("Decatur Gardens")))
q("How much did tenants reimburse us at Westside Foundry, T-12?", "expense_recoveries", US, acc(*T12, {"B08"}, codes=("4100",)))
q("Which retail center made more NOI over the last twelve months?", "highest_noi_building", "building_id", max(kind("retail"), key=lambda i: noi(T12, {i})))
q("Weighted average unexpired lease term on the retail, weighted on floor area please", "walt_by_area", "years", walt(ASOF, kind("retail"), "area"))
q("how many loans come due in 2027", "loans", "count", sum(x["maturity_date"].startswith("2027") for x in LOANS))
q("I'm with the leasing team at Mueller Yards. How many rentable apartments are vacant there as of October 31?", "vacant_rentable_units", "count", sum(x["rentable"] and not x["lease"] for x in roll(ASOF, {"B02"})))
q("Leaving Seminole Heights Court aside, which of our apartment buildings has the lowest occupancy?", "lowest_occupancy_building", "building_id", min(MF - {"B12"}, key=lambda i: occ(ASOF, {i})))
q("What's the balance-weighted interest rate on the Tampa debt?", "weighted_avg_interest_rate", P, sum(float(x["current_balance"]) * float(x["interest_rate_pct"]) / 100 for x in LOANS if x["building_id"] in city("Tampa")) / owed(city("Tampa")))
q("Prepping the year-end comparison for the lender. How full was Cherry Creek Lofts on December 31, 2025?", OCC, P, occ(date(2025, 12, 31), {"B04"}))
q("Thinking about a refi on Platte River Logistics before the July 2027 maturity. What debt yield are we at today, T-12 NOI?", "debt_yield", P, noi(T12, one("Platte River Logistics")) / owed(one("Platte River Logistics")))
q("T-12 capital spend at Congress Tower Offices with TIs and commissions included", "capex_t12", US, cap(T12, {"B03"}))
no("How many down units do we have?")
no("Who pays us the most rent at Congress Tower, and what slice of that building's in-place rent is it?")
for text in [
    "NOI at Mueller Yards excluding the garage", "NOI of the parking garage at Mueller Yards", "NOI at Mueller Yards for the furnished units",
    "insured value of Platte River", "NOI at Mueller Yards net of reserves", "stabilized NOI at Mueller Yards", "northwind bakery occupancy",
    "The lender wants stabilized NOI at Mueller Yards", "We exclude the garage. What is NOI at Mueller Yards?",
    "Only the east wing counts. How full is Mueller Yards?", "We sold Westside Foundry yesterday. What is our NOI, T-12?",
    "NOI like for like 2025 vs 2024", "Assume we sell Westside Foundry. What is our NOI?", "What was the garage income at Congress Tower?",
]:
    no(text)
# A name next to the question: words for the whole portfolio win, a reference keeps the name, and with "our" it is
# ambiguous.
q("Our Denver team needs T-12 NOI for the whole portfolio", "noi_t12", US, noi(T12))
q("The Tampa manager is asking. What is NOI for all buildings, T-12?", "noi_t12", US, noi(T12))
q("I'm meeting the Denver lender tomorrow. What is our overall LTV?", "ltv", P, owed() / worth())
q("I'm in Atlanta this week. What is the portfolio-wide occupancy?", OCC, P, occ(ASOF))
q("I'm flying to Austin tomorrow. How is Bayshore Palms occupied?", OCC, P, occ(ASOF, {"B10"}))
q("Our CFO is asking about Bayshore Palms. How full is it?", OCC, P, occ(ASOF, {"B10"}))
q("Mueller Yards feels soft lately. What's the physical occupancy there?", OCC, P, occ(ASOF, {"B02"}))
q("2025 was rough for Congress Tower. What was NOI?", "noi_calendar_year", US, noi(Y25, {"B03"}))
q("The Congress Tower lender wants the DSCR", "dscr", "ratio", dscr(T12, {"B03"}))
for text in [
    "What is our NOI? I'm at Bayshore Palms right now.", "I'm at Bayshore Palms right now. What is our NOI, T-12?",
    "How many vacant units do we have? I already know about Tampa.", "Orchard Street Books just gave notice. What is our commercial WALT?",
    "Our Denver team wants to know our T-12 NOI", "I'm at Barton Creek. How many loans do we have in total?",
]:
    no(text)
q("I'm talking to Ybor Community Bank tomorrow. How much debt do we have in total?", "total_debt", US, owed())
# Exclusions in other wordings.
no("I don't care about the mezzanine piece. Debt yield at Bayshore Palms?")
q("Never mind the mezz. LTV at Bayshore Palms?", "ltv_senior", P, owed({"B10"}, "senior") / worth({"B10"}))
q("Ignore the mezz loan. DSCR at Bayshore Palms?", "dscr_senior", "ratio", noi(T12, {"B10"}) / sum(float(p["principal"]) + float(p["interest"]) for p in PAYMENTS if p["loan_id"] == next(x["loan_id"] for x in LOANS if x["building_id"] == "B10" and x["loan_kind"] == "senior") and T12[0] <= D(p["payment_date"]) <= ASOF))
q("Forget Denver. What is T-12 NOI?", "noi_t12", US, noi(T12, OUT(city("Denver"))))
q("Take out Congress Tower. T-12 NOI?", "noi_t12", US, noi(T12, OUT({"B03"})))
q("Take Denver out of it. What is T-12 NOI?", "noi_t12", US, noi(T12, OUT(city("Denver"))))
q("Ignore Bayshore Palms. What's our T-12 NOI?", "noi_t12", US, noi(T12, OUT({"B10"})))
q("Disregard the Austin buildings. How occupied are we?", OCC, P, occ(ASOF, OUT(city("Austin"))))
q("T-12 NOI for the whole portfolio, not just Tampa", "noi_t12", US, noi(T12))
q("Occupancy of everything, not only the apartments", OCC, P, occ(ASOF))
for text in [
    "Debt yield with the mezz and without at Bayshore Palms", "Chattahoochee Bank was repaid. What is our total debt?", "Commercial WALT other than Sable Security",
    "Denver is gone. What is our T-12 NOI?", "The Congress Tower loan was repaid. What is our LTV?", "We no longer own Westside Foundry. T-12 NOI?",
    "Say vacancy at Mueller Yards doubles. What is NOI there?", "Let's say we refinance Bayshore Palms. What is the DSCR?", "Say the anchor leaves Highlands Corner. What is NOI?",
    "Picture Congress Tower fully leased. What is its NOI?", "Pretend Denver never happened. What is NOI?", "Once Westside Foundry is sold, what is our NOI?",
        # A base other than the usual one.
    "Implied cap rate at Westside Foundry on the purchase price", "LTV on cost at Mueller Yards", "LTV at Mueller Yards against what we paid", "DSCR at Bayshore Palms on budgeted NOI", "Debt yield on budgeted NOI at Congress Tower",
    "NOI per occupied unit at Mueller Yards, T-12", "Opex per occupied unit at Mueller Yards", "Management fee as a percent of collected rent at Mueller Yards",
        # The selection of the buildings is part of the question.
    "Occupancy of our newest building", "Occupancy of our oldest building", "What is the NOI of our largest building?", "DSCR of the biggest loan", "NOI of the biggest property in Denver",
    "Occupancy of buildings with more than 50 units", "Average rent of apartments larger than 900 square feet", "Occupancy in buildings smaller than 60 units", "NOI of our top three buildings combined",
        # Figures that are not recorded.
    "How many tenants moved out in 2026?", "Which tenants moved in this year?", "Which tenants left Congress Tower?", "How many units are vacant and not leased yet?",
    "What is revenue net of bad debt, T-12?", "What will we owe at maturity on Congress Tower?", "How many signed renewals have not started?", "What is our exposure to retail tenants?",
    "DSCR on interest only at Bayshore Palms", "NOI with capital reserves at Mueller Yards", "next quarter's NOI at Mueller Yards",
        # The future.
    "What will occupancy be at the end of the year?", "How full will Mueller Yards be by year end?", "What will NOI be at Congress Tower for 2026?", "How much will we owe on Congress Tower in 2028?", "What's going to be our occupancy in December?",
]:
    no(text)
q("How many apartment buildings are under 95% occupancy?", "buildings", "count", sum(occ(ASOF, {i}) < 0.95 for i in MF))
q("Rollover in 2027 for the commercial properties, only the office side", "rollover_pct_of_rent", P, com(expiring(month(2027, 1), date(2027, 12, 31), False, kind("office"))) / com([x for x in roll(ASOF, kind("office")) if x["lease"]]))
two_beds = lambda ids: [x for x in roll(ASOF, ids) if x["u"]["bedrooms"] == "2" and x["rentable"]]
q("What is asking rent for two-bedrooms at Mueller Yards?", "avg_market_rent_per_unit", DOOR, sum(x["market"] for x in two_beds({"B02"})) / len(two_beds({"B02"})))
q("rent of the two-bedrooms at Mueller Yards", "avg_rent_per_unit", DOOR, com([x for x in two_beds({"B02"}) if x["lease"]]) / sum(x["lease"] is not None for x in two_beds({"B02"})))
q("NOI once you strip out property taxes, Austin", "noi_t12_without_property_taxes", US, noi(T12, city("Austin")) + acc(*T12, city("Austin"), codes=("5000",)))
q("Opex apart from property taxes, multifamily", "opex_t12_without_property_taxes", US, opx(T12, MF) - acc(*T12, MF, codes=("5000",)))
q("I don't want Tampa, give me Atlanta NOI, T-12", "noi_t12", US, noi(T12, city("Atlanta")))
q("NOI less capex and debt service, Denver, T-12", "cash_flow_after_debt_t12", US, noi(T12, city("Denver")) - cap(T12, city("Denver")) - ds(T12, city("Denver")))
for text in [
    "NOI of the three smallest buildings by units", "How many notice units do we have?", "What's the portfolio equity multiple?", "What's our exposure at Peachtree Commons?",
    "Which tenants are at risk?", "What's the balance on Cherry Creek's loan when it matures?", "What was NOI over the summer?", "What's the NOI and how many leases expire next quarter in Denver?",
    "Average occupancy across buildings, simple average", "Simple average of our interest rates", "Where does Sable Security rent from us?", "Interest rate on our biggest loan",
    "WALT for our largest tenant", "Not Denver, Austin: what is NOI?", "Repairs per occupied unit", "Show me tenants below market rent", "Loss to lease as % of GPR",
    "Tenants with leases in more than one building", "Which tenant has the longest lease?", "How much debt matures in 2027 and 2028 together?", "Straight average of the buildings' DSCR",
]:
    no(text)
q("Occupancy of commercial incl. office", OCC, P, occ(ASOF, CM))
q("Portfolio occupancy with Westside Foundry left out", OCC, P, occ(ASOF, OUT({"B08"})))
q("With Denver taken out, what's our T-12 NOI?", "noi_t12", US, noi(T12, OUT(city("Denver"))))
for text in [
    "Gross potential income of the apartments", "Appreciation over cost for Platte River", "Land value of Congress Tower", "Number of lenders", "How many lenders do we have?",
    "How many buildings beat their NOI budget?", "Top expense excluding taxes", "What share of Austin's NOI is Congress Tower?", "NOI run rate", "What share of Denver's debt is Cherry Creek?",
    "Combined NOI of our two oldest buildings", "Occupancy of our two newest properties", "Vacancy in our most expensive building", "NOI at the second largest building", "Balance of our oldest loan",
    "Maturity of our largest loan", "Who is the lender of our largest loan?", "How many tenants left last year?", "Rent roll in January 2027", "How many units and how many vacant at Decatur Gardens?",
    "How much debt matures in 2027 and 2028?", "Occupancy of commercial, office",
]:
    no(text)
q("Heading to Austin tomorrow, quick one: occupancy at Bayshore Palms?", OCC, P, occ(ASOF, {"B10"}))
q("Instead of Austin give me Denver occupancy", OCC, P, occ(ASOF, city("Denver")))
q("Forget Denver, what about Austin NOI, T-12?", "noi_t12", US, noi(T12, city("Austin")))
q("Drop Platte River from the NOI, T-12", "noi_t12", US, noi(T12, OUT({"B05"})))
q("How much vacant office space do we have?", "vacant_area", "sqft", sum(x["area"] for x in roll(ASOF, kind("office")) if x["rentable"] and not x["lease"]))
q("Which buildings beat their NOI budget in 2025?", "noi_vs_budget_beyond_bound", "building_ids", sorted(i for i in B if noi(Y25, {i}) > noi(Y25, {i}, "budget_amount")))
for text in [
    "My colleague in Atlanta wants our total debt", "For the Metro Commercial Bank meeting I need total debt", "Following the Ybor Market Hall tour, what is NOI at Highlands Corner?",
    "Debt without Bayshore's mezz", "Average rent per commercial tenant", "Revenue per available square foot", "Mean occupancy of the apartment buildings", "Weighted average occupancy by value",
    "Down time between leases", "Days vacant on average", "Break-even rent at Barton Creek", "When will Platte River be fully vacant?", "NOI for the same quarter last year", "NOI per year since 2024",
    "Has occupancy ever been below 95%?", "Was LTV ever above 50%?", "Which units are down?", "Which tenants renewed?", "Vacant units by days vacant", "Where is our vacancy?",
    "When was occupancy last below 95%?", "Biggest tenant in each building", "Who is the largest tenant in each city?", "Per building, who is the top tenant?", "Biggest expense in each city",
    "Which building had the largest opex variance in 2025?", "Which buildings gained NOI?", "Buildings worth less than we paid", "Buildings where debt exceeds cost",
    "Do all buildings meet their LTV covenant?", "Was opex lower this year than last?", "Was occupancy higher this year than last?", "Is the lowest DSCR above 1.2?", "Portfolio LTV if Denver values fall 10%",
    "Debt with First Prairie Bank", "Occupancy of units under 700 sqft", "How many leases were renewed this year?",
]:
    no(text)
q("NOI net of debt service, Denver, T-12", "noi_t12_less_debt_service", US, noi(T12, city("Denver")) - ds(T12, city("Denver")))
q("Is NOI lower in Tampa than in Atlanta? T-12", "noi_t12", US, noi(T12, city("Tampa")), subject="Tampa")
q("The insurance broker is about to renew the whole Denver programme and would like to know what it cost us before. How much did we pay for insurance across our Denver properties in calendar 2025?", "insurance", US, acc(*Y25, city("Denver"), codes=("5100",)))
q("Our regional manager is putting together the spring review for the Tampa team and is missing one line. What was the physical occupancy at Bayshore Palms at the end of March 2026?", OCC, P, occ(date(2026, 3, 31), {"B10"}))
q("Trailing-twelve NOI for our Austin properties (Nov 2025 - Oct 2026)?", "noi_t12", US, noi(T12, city("Austin")))
for text in ["Here is the rent roll, what's the occupancy and loss to lease?", "We sold half of Tampa. What is the NOI of Bayshore Palms without the pool?", "The mezz is gone. What is the LTV at Bayshore Palms?"]:
    no(text)
two_austin = [x for x in roll(ASOF, city("Austin")) if x["u"]["bedrooms"] == "2" and x["rentable"]]
q("vacancy of 2 bedroom units in Austin", "vacancy", P, sum(x["lease"] is None for x in two_austin) / len(two_austin))
q("ratio of debt service to NOI in Tampa, T-12", "debt_service_t12_pct_of_noi", P, ds(T12, city("Tampa")) / noi(T12, city("Tampa")))
q("Who leases Bay 104?", "tenant", "text", TENANT[next(x["lease"]["tenant_id"] for x in force if x["u"]["unit_number"] == "Bay 104")])
q("market rent per sqft for offices", "market_rent_per_sqft", FT, sum(x["market"] for x in roll(ASOF, kind("office")) if x["rentable"]) / sum(x["area"] for x in roll(ASOF, kind("office")) if x["rentable"]))
q("Rent of Suite 106 in Atlanta", "monthly_inplace_rent", "USD", sum(x["rent"] for x in force if x["u"]["unit_number"] == "Suite 106" and x["u"]["building_id"] in city("Atlanta")))
for text in [
    "How many buildings are over their opex budget?", "How many buildings have debt?", "number of buildings above budget in Tampa", "How many buildings grew NOI?", "how many buildings have mezz debt",
    "How many tenants have more than one lease?", "When was occupancy lowest?", "peak occupancy since 2024", "When did occupancy peak?", "When was NOI highest?", "market rent of suites", "average rent of suites",
    "occupancy of suites", "debt yield in Q3 2026", "debt yield year to date", "debt yield by quarter", "implied cap rate in Q3 2026", "difference in NOI between Q1 2026 and Q2 2026",
    "NOI change versus 2025", "NOI versus 2024", "occupancy vs 2024", "EGI compared to 2025", "NOI between January and March", "NOI in the year to June 2026", "NOI up to June 2026", "NOI three months ago",
    "opex six months ago", "rent paid by Sable Security last year", "rent billed in Q3 2026", "rent in Q1 2026", "Sum of rent of the five biggest tenants", "What do our top 3 tenants pay together?",
    "What share of NOI comes from the top three buildings?", 
    "WALT of the top 10 tenants", "occupancy of the top 5 tenants", "WALT by tenant", "opex by tenant", "DSCR by loan", "rollover by property type", "NOI by city and year", "occupancy by building and month",
    "WALT in months", "NOI per day", "rent per day at Platte River Logistics", "NOI per rentable sqft", "What share of Tampa's debt is on Bayshore Palms?", "Loan to cost at Mueller Yards",
    "How much have we paid down on the Congress Tower loan?", "amortization period at Congress Tower", "mean rent vs median rent of apartments", "area of signed not started leases",
    "total units including non revenue at Barton Creek Flats", "leases expiring next year by building",
]:
    no(text)
full = sorted(i for i in B if occ(ASOF, {i}) == 1)
for text in ["Which buildings are 100% occupied?", "which properties are fully occupied"]:
    q(text, "physical_occupancy_beyond_bound", "building_ids", full)
for text in ["How many buildings are fully occupied?", "How many of our buildings are 100% occupied?"]:
    q(text, "buildings", "count", len(full))
q("How many buildings have an LTV above 50%?", "buildings", "count", sum(1 for i in LEV if owed({i}) / worth({i}) > 0.5))
q("Is Peachtree Commons covering its debt, i.e. what's the T-12 DSCR?", "dscr", "ratio", dscr(T12, {"B07"}))
q("What did insurance cost us on the Denver buildings in 2025, full calendar year?", "insurance", US, acc(*Y25, city("Denver"), codes=("5100",)))
q("Bayshore Palms: how much debt is outstanding, senior and mezz together?", "total_debt", US, owed({"B10"}))
q("Where is LTV at Barton Creek Flats on the latest valuation?", "ltv", P, owed({"B01"}) / worth({"B01"}))
q("Opex variance at Mueller Yards in 2025", "opex_vs_budget", US, opx(Y25, {"B02"}) - opx(Y25, {"B02"}, "budget_amount"))
q("What is Barton Creek Flats worth and how much do we owe on it?", "market_value", US, worth({"B01"}))
q("Total capex including TIs and leasing commissions for the Tampa buildings in calendar 2025?", "capex_calendar_year", US, acc(*Y25, city("Tampa"), cat="capital"))
q("When does the Castellan Insurance lease end?", "lease_end_date", "date", next(x["lease"]["end_date"] for x in force if x["lease"] and TENANT[x["lease"]["tenant_id"]] == "Castellan Insurance"), subject="Suite 203, Congress Tower Offices")
q("For Westside Foundry, how much of the space is leased, measured by square feet?", "physical_occupancy_by_area", P, occ_area(ASOF, {"B08"}))
q("By what percent was NOI at Congress Tower Offices in Q3 2026 above or below Q3 2025?", "noi_growth", P, noi((month(2026, 7), month(2026, 9)), {"B03"}) / noi((month(2025, 7), month(2025, 9)), {"B03"}) - 1)
q("Debt yield on the Congress Tower loan?", "debt_yield", P, noi(T12, {"B03"}) / owed({"B03"}))
q("How many loans mature before the end of 2028?", "loans", "count", sum(D(x["maturity_date"]) <= date(2028, 12, 31) for x in LOANS))
q("Is any loan in breach of its covenants?", "covenant_watchlist", "building_ids", ["B10"])
q("What did Austin as a whole make in NOI over the last twelve months (Nov 25 - Oct 26)?", "noi_t12", US, noi(T12, city("Austin")))
q("How much capex went into Barton Creek Flats in 2025?", "capex_calendar_year", US, cap(Y25, {"B01"}))
q("What was the economic occupancy of Peachtree Commons over the trailing twelve months through October 2026, measured as net rental income divided by gross potential rent?", "economic_occupancy", P, econ(T12, {"B07"}))
q("The loan on Seminole Heights Court will have to be refinanced at maturity. How much do we currently owe on it, and when does it mature?", "loan_balance", US, owed({"B12"}))
q("How much principal did we pay down in 2025?", "principal_payments", US, acc(*Y25, codes=("7100",)))
q("Give me a list of our buildings with their NOI for the last 12 months", "noi_t12_by_building", "USD", {i: noi(T12, {i}) for i in B})
for text in ["The rent roll is attached to this message. What is the monthly loss to lease?", "Debt service coverage of the loan attached to this email?"]:
    no(text)
paid = lambda ids: sum(float(x["purchase_price"]) for i, x in B.items() if i in ids)
q("NOI over 2024 for Congress Tower", "noi_calendar_year", US, noi(Y24, {"B03"}))
q("Bad debt over 2025 for the apartments", "bad_debt_calendar_year", US, -acc(*Y25, MF, codes=("4040",)))
q("Opex ratio over 2024 for Denver", "opex_ratio", P, opx(Y24, city("Denver")) / rev(Y24, city("Denver")))
q("NOI growth in Denver in 2025 over 2024", "noi_growth", P, noi(Y25, city("Denver")) / noi(Y24, city("Denver")) - 1)
q("Difference between actual and budgeted NOI for Tampa in 2025", "noi_vs_budget", US, noi(Y25, city("Tampa")) - noi(Y25, city("Tampa"), "budget_amount"))
q("How much has Platte River gained in value since we bought it?", "market_value_less_purchase_price", US, worth({"B05"}) - paid({"B05"}))
q("Value gain at Mueller Yards versus purchase price", "market_value_less_purchase_price", US, worth({"B02"}) - paid({"B02"}))
q("How many months are left on the Cherry Creek loan?", "maturity_date", "date", next(x["maturity_date"] for x in LOANS if x["building_id"] == "B04"))
q("Rent of Oak & Iron Barbers", "monthly_inplace_rent", "USD", sum(x["rent"] for x in force if TENANT[x["lease"]["tenant_id"]] == "Oak & Iron Barbers"))
for text in [
    "Debt yield at Congress Tower on 2025 NOI and today's balance", "LTV at Cherry Creek using the December 2024 valuation and today's balance", "Purchase price of Ybor Market Hall including closing costs",
    "Gross potential rent net of vacancy at Barton Creek, T-12", "Ratio of apartment NOI to commercial NOI", "Actual vs budget capex at Congress Tower, T-12", "Did R&M at Barton Creek beat budget in 2025, and by what percent?",
    "Cost of non-revenue units in the T-12 for the apartments", "Opex per unit per month at Peachtree Commons, T-12", "Value growth at Congress Tower over the last two years", "Annual rent per total rentable square foot at Westside Foundry",
]:
    no(text)
no("How many of our buildings is Sunbeam Pharmacy a tenant in at the moment?")
q("Marketing is getting out of hand. What did the Austin properties spend on it in calendar 2025?", "marketing", US, acc(*Y25, city("Austin"), codes=("5600",)))
q("Utilities seemed high to me at Peachtree Commons this winter. How much did we book to utilities there in Q1 2026 (January through March)?", "utilities", US, acc(month(2026, 1), month(2026, 3), one("Peachtree Commons"), codes=("5200",)))
q("What is the trailing twelve NOI of Mueller Yards, Nov 2025 through Oct 2026?", "noi_t12", US, noi(T12, one("Mueller Yards")))
q("T-12 DSCR at Barton Creek Flats through October 2026, on scheduled P&I", "dscr", "ratio", dscr(T12, one("Barton Creek Flats")))
q("The bank keeps asking whether we're still inside 70%. What's the LTV on Cherry Creek Lofts at today's balance?", "ltv", P, owed(one("Cherry Creek Lofts")) / worth(one("Cherry Creek Lofts")))
q("Our covenant is 70%. What's the LTV on Cherry Creek Lofts?", "ltv", P, owed(one("Cherry Creek Lofts")) / worth(one("Cherry Creek Lofts")))
for text in [
    "Here's my rent roll, how full am I?", "Here is the T-12 of Barton Creek Flats, what is the NOI?", "Sending over my rent roll now, what's physical occupancy?",
    "Our covenant is 70%. Do we pass at Cherry Creek Lofts, and what is the LTV?", "Insurance and taxes are killing us. What did Denver spend on it in 2025?",
]:
    no(text)
q("What did Peachtree Commons NOI do from 2024 to 2025?", "noi_growth", P, noi(Y25, one("Peachtree Commons")) / noi(Y24, one("Peachtree Commons")) - 1)
q("How much of our debt, going by current balances, comes due in 2028?", "debt_maturing", "USD", sum(float(x["current_balance"]) for x in LOANS if x["maturity_date"].startswith("2028")))
q("What percent of our debt is due in 2028?", "debt_maturing_pct", P, sum(float(x["current_balance"]) for x in LOANS if x["maturity_date"].startswith("2028")) / sum(float(x["current_balance"]) for x in LOANS))
q("How full is Highlands Corner as of today, by units? Leave the model out.", "physical_occupancy", P, occ(ASOF, one("Highlands Corner")))
q("Atlanta physical occupancy as of 3/31/2026, by rentable unit count", "physical_occupancy", P, occ(date(2026, 3, 31), city("Atlanta")))
q("Denver apartments, first half of 2026: economic occupancy (net rental income / gross potential rent)", "economic_occupancy", P, econ((month(2026, 1), month(2026, 6)), {i for i in city("Denver") if i in MF}))
q("Give me Denver T-12 NOI through June 2026, not October.", "noi_t12", US, noi((month(2025, 7), month(2026, 6)), city("Denver")))
q("What was Mueller Yards' NOI in May of this year?", "noi_month", US, noi((month(2026, 5), month(2026, 5)), one("Mueller Yards")))
q("In-place rent per leased square foot and year at Congress Tower", "annual_rent_psf", FT, 12 * sum(x["rent"] for x in force if x["u"]["building_id"] == "B03") / sum(x["area"] for x in force if x["u"]["building_id"] == "B03"))
q("Denver NOI versus budget, January through October 2026, in dollars. Negative means short of plan.", "noi_vs_budget", US, noi((month(2026, 1), month(2026, 10)), city("Denver")) - noi((month(2026, 1), month(2026, 10)), city("Denver"), "budget_amount"))
q("What did vacancy cost us at Mueller Yards in 2025? Give it as a positive dollar amount.", "vacancy_loss", US, -acc(*Y25, one("Mueller Yards"), codes=("4020",)))
q("Principal plus interest paid at Congress Tower over the last 12 months", "debt_service_t12", US, acc(*T12, one("Congress Tower Offices"), codes=("7000", "7100")))
q("How many leases at Barton Creek expire between November 1 and November 30, 2026?", "lease_expirations_30d", "count", len(expiring(date(2026, 11, 1), date(2026, 11, 30), ids=one("Barton Creek Flats"))))
q("Growth in apartment NOI, T-12 over the prior T-12", "noi_growth", P, noi(T12, MF) / noi((month(2024, 11), month(2025, 10)), MF) - 1)
q("Where does Denver trade on our latest marks? T-12 NOI over value, implied cap.", "implied_cap_rate", P, noi(T12, city("Denver")) / worth(city("Denver")))
for text in ["NOI at Barton Creek from 1/15/2026 to 6/20/2026", "How many leases at Cherry Creek expire between November 15, 2026 and December 30, 2026?"]:
    no(text)
q("Hello, it's about Barton Creek. How full are we there as of today, by units?", "physical_occupancy", P, occ(ASOF, one("Barton Creek Flats")))
q("What is the average market (asking) rent per month at Peachtree Commons?", "avg_market_rent_per_unit", DOOR, sum(x["market"] for x in roll(ASOF, one("Peachtree Commons")) if x["rentable"]) / sum(x["rentable"] for x in roll(ASOF, one("Peachtree Commons"))))
q("total revenue at Barton Creek in September 2026, after vacancy and concessions", "egi_month", US, rev((month(2026, 9), month(2026, 9)), one("Barton Creek Flats")))
q("Re Mueller Yards - NOI for 2025?", "noi_calendar_year", US, noi(Y25, one("Mueller Yards")))
q("insurance at Barton Creek T-12", "insurance", US, acc(*T12, one("Barton Creek Flats"), codes=("5100",)))
q("Congress Tower Q3 NOI", "noi_quarter", US, noi((month(2026, 7), month(2026, 9)), one("Congress Tower Offices")))
q("Where did unit occupancy of the whole portfolio stand at the end of Q2 2026?", "physical_occupancy", P, occ(date(2026, 6, 30)))
q("By what percentage did Austin insurance costs go up in the last 12 months versus the prior 12?", "insurance_growth", P, acc(*T12, city("Austin"), codes=("5100",)) / acc(*PRIOR, city("Austin"), codes=("5100",)) - 1)
q("How far is Mueller Yards' T-12 NOI above or below budget, in dollars?", "noi_vs_budget", US, noi(T12, one("Mueller Yards")) - noi(T12, one("Mueller Yards"), "budget_amount"))
q("Loan to value for Denver as a group, all loans", "ltv", P, owed(city("Denver")) / worth(city("Denver")))
q("Congress Tower H1 NOI", "noi_period", US, noi((month(2026, 1), month(2026, 6)), one("Congress Tower Offices")))
# What a count includes, sums, budgets as such, balances by payment date, what residents pay: in many wordings.
span = lambda y, m, y2, m2: (month(y, m), month(y2, m2))
only = lambda y, m: span(y, m, y, m)
quarter = lambda y, n: span(y, 3 * n - 2, y, 3 * n)
occ_all = lambda on, ids=None: (lambda r: sum(x["lease"] is not None for x in r) / len(r))(roll(on, ids))
nr = lambda ids=None: sum(u["is_rentable"] == "false" for u in U if ids is None or u["building_id"] in ids)
cu = lambda ids=None, br=None: sum(u["unit_use"] == "residential" and (ids is None or u["building_id"] in ids) and (br is None or u["bedrooms"] == str(br)) for u in U)
future = lambda ids=None: sum(l["status"] != "draft" and D(l["start_date"]) > ASOF and (ids is None or l["building_id"] in ids) for l in L)
homes_in = lambda ids=None, br=None: [x for x in roll(ASOF, ids) if x["lease"] and x["u"]["unit_use"] == "residential" and (br is None or x["u"]["bedrooms"] == str(br))]
shops = lambda ids=None: [x for x in roll(ASOF, ids) if x["lease"] and x["u"]["unit_use"] != "residential"]
avg_rent = lambda ids=None, br=None: com(homes_in(ids, br)) / len(homes_in(ids, br))
be = lambda p, ids: (opx(p, ids) + ds(p, ids)) / acc(*p, ids, codes=("4000", "4100", "4200"))
bn = lambda p, ids=None: noi(p, ids, "budget_amount")


def balance(ids, on):
    t = 0.0
    for x in LOANS:
        if x["building_id"] in ids:
            t += float(max((p for p in PAYMENTS if p["loan_id"] == x["loan_id"] and D(p["payment_date"]) <= on), key=lambda p: p["payment_date"])["ending_balance"])
    return t


renewed = lambda xs: sum(any(m["renewal_of_lease_id"] == l["lease_id"] and m["status"] != "draft" for m in L) for l in xs) / len(xs)
rd = lambda ids: renewed([l for l in L if l["building_id"] in ids and l["status"] != "draft" and not l["move_out_date"] and l["month_to_month"] != "true" and date(2025, 11, 1) <= D(l["end_date"]) <= ASOF])
Tn = lambda name: [x for x in roll(ASOF) if x["lease"] and TENANT[x["lease"]["tenant_id"]] == name]
q("sum of property taxes and insurance", "property_taxes_plus_insurance", US, acc(*T12, None, codes=("5000", "5100")))
q("total of taxes, insurance and utilities at Bayshore Palms", "property_taxes_plus_insurance_plus_utilities", US, acc(*T12, {"B10"}, codes=("5000", "5100", "5200")))
q("opex plus debt service at Bayshore Palms", "opex_t12_plus_debt_service", US, opx(T12, {"B10"}) + ds(T12, {"B10"}))
q("How full is Bayshore Palms if you keep the model unit in the denominator?", "physical_occupancy_total_units", P, occ_all(ASOF,{'B10'}))
q("Austin occupancy at the end of June 2026 if non-revenue units stay in the denominator", "physical_occupancy_total_units", P, occ_all(D('2026-06-30'),city('Austin')))
q("If we don't strip out the model and down units, what's occupancy at Barton Creek Flats?", "physical_occupancy_total_units", P, occ_all(ASOF,{'B01'}))
q("Occupancy of Peachtree Commons measured against every unit, even the down one and the model", "physical_occupancy_total_units", P, occ_all(ASOF,{'B07'}))
q("What is multifamily occupancy when models and down units stay in the count?", "physical_occupancy_total_units", P, occ_all(ASOF,MF))
q("Count of non-revenue units at Barton Creek Flats, models plus down?", "non_revenue_units", "count", nr({'B01'}))
q("Number of units we can't rent in Austin (models and down)?", "non_revenue_units", "count", nr(city('Austin')))
q("How many one-bedroom apartments do we have in Austin, occupied or not, model units included?", "units", "count", cu(city('Austin'),1))
q("Total number of studios we own, whether they're let or vacant, models and all?", "units", "count", cu(None,0))
q("How many 3-bedroom units at Cherry Creek Lofts, leased or not, including the model?", "units", "count", cu({'B04'},3))
q("Count of two-bedroom units at Bayshore Palms, vacant ones and the model included", "units", "count", cu({'B10'},2))
q("How many apartments does Peachtree Commons have in all, including the down unit and the model?", "units", "count", cu({'B07'}))
q("How many doors at Barton Creek Flats regardless of whether they're rented?", "units", "count", cu({'B01'}))
q("How many 1BR units are there in Atlanta, empty or occupied?", "units", "count", cu(city('Atlanta'),1))
q("How many two-beds do we own in Tampa, occupied and vacant alike?", "units", "count", cu(city('Tampa'),2))
q("Signed leases not yet commenced at Barton Creek Flats?", "future_leases", "count", future({'B01'}))
q("Leases signed but yet to begin in Denver", "future_leases", "count", future(city('Denver')))
q("signed leases waiting to start across the portfolio?", "future_leases", "count", future())
q("Leases in Tampa that are signed with a start date still to come?", "future_leases", "count", future(city('Tampa')))
q("How many leases are signed but haven't kicked in yet at Cherry Creek Lofts?", "future_leases", "count", future({'B04'}))
q("Executed leases that have not commenced, Atlanta", "future_leases", "count", future(city('Atlanta')))
q("NOI at Ybor Market Hall in May 2026 alone?", "noi_month", US, noi(only(2026,5),{'B11'}))
q("Insurance at Congress Tower for 2025 alone?", "insurance", US, acc(*Y25,{'B03'},('5100',)))
q("What were repairs in July 2026 alone at Decatur Gardens?", "repairs_and_maintenance", US, acc(*only(2026,7),{'B09'},('5300',)))
q("Q2 2026 alone: NOI for Denver?", "noi_quarter", US, noi(span(2026,4,2026,6),city('Denver')))
q("How much did utilities alone cost us in Atlanta in 2025?", "utilities", US, acc(*Y25,city('Atlanta'),('5200',)))
q("Debt service at Platte River Logistics, T-12: principal plus interest in total?", "debt_service_t12", US, ds(T12,{'B05'}))
q("What did we pay on the Westside Foundry loan in 2025, interest and principal combined?", "debt_service_calendar_year", US, ds(Y25,{'B08'}))
q("total debt service (interest + principal) Seminole Heights Court 2024", "debt_service_calendar_year", US, ds(Y24,{'B12'}))
q("At what occupancy does Bayshore Palms break even, covering opex plus debt service, trailing twelve?", "breakeven_occupancy", P, be(T12,{'B10'}))
q("Breakeven occupancy for Cherry Creek Lofts: operating expenses plus debt service over potential income, T-12", "breakeven_occupancy", P, be(T12,{'B04'}))
q("Taxes plus insurance at Barton Creek Flats, 2025?", "property_taxes_plus_insurance", US, acc(*Y25,{'B01'},('5000','5100')))
q("Property taxes and insurance combined in Tampa, T-12?", "property_taxes_plus_insurance", US, acc(*T12,city('Tampa'),('5000','5100')))
q("Payroll plus marketing at Peachtree Commons in 2024, in total", "payroll_plus_marketing", US, acc(*Y24,{'B07'},('5400','5600')))
q("TI and leasing commissions together for the offices, T-12?", "tenant_improvements_plus_leasing_commissions", US, acc(*T12,kind('office'),('6100','6110')))
q("How much did we spend on repairs, payroll and utilities in total at Decatur Gardens in 2025?", "repairs_and_maintenance_plus_payroll_plus_utilities", US, acc(*Y25,{'B09'},('5200','5300','5400')))
q("Total concessions and bad debt at Cherry Creek Lofts, trailing twelve, added together", "concessions_t12_plus_bad_debt", US, -acc(*T12,{'B04'},('4030','4040')))
q("Opex plus capex at Highlands Corner for 2025?", "opex_calendar_year_plus_capital_spend", US, opx(Y25,{'B06'})+cap(Y25,{'B06'}))
q("Where are we on occupancy in Denver?", "physical_occupancy", P, occ(ASOF,city('Denver')))
q("Where are we with debt yield on Bayshore Palms?", "debt_yield", P, noi(T12,{'B10'})/owed({'B10'}))
q("Where's the expense ratio for retail at, trailing twelve?", "opex_ratio", P, opx(T12,kind('retail'))/rev(T12,kind('retail')))
q("Where are we on year-to-date NOI at Peachtree Commons?", "noi_ytd", US, noi(span(2026,1,2026,10),{'B07'}))
q("How much NOI did we budget in Denver for Q3 2026?", "noi_budget", US, bn(span(2026,7,2026,9),city('Denver')))
q("What did we budget for opex at Congress Tower in 2025?", "opex_budget", US, opx(Y25,{'B03'},'budget_amount'))
q("Budget for NOI at Ybor Market Hall, January through October 2026?", "noi_budget", US, bn(span(2026,1,2026,10),{'B11'}))
q("What's in the 2026 year-to-date budget for repairs at Barton Creek Flats?", "repairs_and_maintenance_budget", US, acc(*span(2026,1,2026,10),{'B01'},('5300',),field='budget_amount'))
q("What did the budget call for in NOI at Westside Foundry over the trailing twelve?", "noi_budget", US, bn(T12,{'B08'}))
q("What NOI was in the budget for Highlands Corner in 2025?", "noi_budget", US, bn(Y25,{'B06'}))
q("How much did we plan to spend on payroll at Mueller Yards in 2025?", "payroll_budget", US, acc(*Y25,{'B02'},('5400',),field='budget_amount'))
q("What was owed on Mueller Yards after the March 2026 payment?", "loan_balance", US, balance({'B02'},D('2026-03-31')))
q("Loan balance at Cherry Creek Lofts once the June 2025 payment was made?", "loan_balance", US, balance({'B04'},D('2025-06-30')))
q("Ending balance of the Gulf Savings loan after December 2024's payment", "loan_balance", US, balance({'B12'},D('2024-12-31')))
q("How much was outstanding on the Platte River Logistics loan following the January 2026 payment?", "loan_balance", US, balance({'B05'},D('2026-01-31')))
q("Congress Tower loan balance after the 8/1/2026 payment?", "loan_balance", US, balance({'B03'},D('2026-08-31')))
q("Balance of the Peachtree Commons mortgage after making the May 2026 payment", "loan_balance", US, balance({'B07'},D('2026-05-31')))
q("What do occupied one-bedrooms at Peachtree Commons pay on average per month?", "avg_rent_per_unit", "USD/unit", avg_rent({'B07'},1))
q("What are our three-bedrooms in Denver renting for on average?", "avg_rent_per_unit", "USD/unit", avg_rent({'B04'},3))
q("How much does an occupied 2BR at Bayshore Palms pay a month on average?", "avg_rent_per_unit", "USD/unit", avg_rent({'B10'},2))
q("What's the typical 1-bed at Decatur Gardens paying per month?", "avg_rent_per_unit", "USD/unit", avg_rent({'B09'},1))
q("What are residents of two-bedrooms in Tampa paying on average each month?", "avg_rent_per_unit", "USD/unit", avg_rent(city('Tampa'),2))
q("What do tenants in studios at Barton Creek Flats pay on average?", "avg_rent_per_unit", "USD/unit", avg_rent({'B01'},0))
q("What are occupied apartments at Seminole Heights Court paying a month, on average?", "avg_rent_per_unit", "USD/unit", avg_rent({'B12'}))
q("How much insurance did we expense at Barton Creek Flats in 2025?", "insurance", US, acc(*Y25,{'B01'},('5100',)))
q("Marketing we expensed in Denver over the last 12 months?", "marketing", US, acc(*T12,city('Denver'),('5600',)))
q("Property taxes expensed at Congress Tower in Q3 2026?", "property_taxes", US, acc(*span(2026,7,2026,9),{'B03'},('5000',)))
q("What was accrued for property taxes at Cherry Creek Lofts in 2025?", "property_taxes", US, acc(*Y25,{'B04'},('5000',)))
q("Morning! What's our occupancy at Peachtree as of month end?", "physical_occupancy", P, occ(ASOF,{'B07'}))
q("How much concession money went out the door at Cherry Creek in 2025?", "concessions_calendar_year", US, -acc(*Y25,{'B04'},('4030',)))
q("Where was occupancy at Mueller Yards a year ago?", "physical_occupancy", P, occ(D('2025-10-31'),{'B02'}))
q("How much did tenants reimburse us for expenses at Congress Tower in 2025?", "expense_recoveries", US, acc(*Y25,{'B03'},('4100',)))
q("Bad debt written off across Tampa, T-12?", "bad_debt_t12", US, -acc(*T12,city('Tampa'),('4040',)))
q("What were we supposed to spend on marketing in Tampa in 2025 per the budget?", "marketing_budget", US, acc(*Y25,city('Tampa'),('5600',),field='budget_amount'))
q("Capex alone, without TIs and commissions, at Congress Tower for the T-12?", "capex_t12_without_tenant_improvements_leasing_commissions", US, acc(*T12,{'B03'},('6000',)))
q("How did Q3 NOI at Peachtree compare with Q2, in percent?", "noi_growth", P, noi(quarter(2026,3),{'B07'})/noi(quarter(2026,2),{'B07'})-1)
q("By what percent did Tampa's NOI move from 2024 to 2025?", "noi_growth", P, noi(Y25,city('Tampa'))/noi(Y24,city('Tampa'))-1)
q("Which building has the highest expense ratio over the T-12?", "highest_opex_ratio_building", "building_id", max(B,key=lambda i:opx(T12,{i})/rev(T12,{i})))
q("How much principal did we retire on Congress Tower over the last twelve months?", "principal_payments", US, acc(*T12,{'B03'},('7100',)))
q("What debt yield would the lender see at Westside Foundry today?", "debt_yield", P, noi(T12,{'B08'})/owed({'B08'}))
q("How long is the WALT on Highlands Corner, by rent?", "walt_by_rent", "years", walt(ASOF,{'B06'}))
q("What percent of the leases that came up at Mueller Yards in the past year got renewed?", "renewal_rate", P, rd({'B02'}))
q("How full is Peachtree Commons with nothing taken out, models and down units still counted?", "physical_occupancy_total_units", P, occ_all(ASOF,{'B07'}))
q("Occupancy on all 405 units, nothing excluded?", "physical_occupancy_total_units", P, occ_all(ASOF))
q("Austin apartments occupancy, model and down units not excluded", "physical_occupancy_total_units", P, occ_all(ASOF,city('Austin')&MF))
q("What's our occupancy if models and down units are left in?", "physical_occupancy_total_units", P, occ_all(ASOF))
q("Percent occupied at Mueller Yards counting the model as an available unit", "physical_occupancy_total_units", P, occ_all(ASOF,{'B02'}))
q("How many studios are there at Barton Creek Flats counting the model?", "units", "count", cu({'B01'},0))
q("Unit count for Decatur Gardens, vacants included?", "units", "count", cu({'B09'}))
q("How many 2BRs in Denver, both leased and vacant?", "units", "count", cu({'B04'},2))
q("Total apartments owned in Tampa, no matter if they're occupied", "units", "count", cu(city('Tampa')))
q("How many three-bedroom units do we have in the portfolio, models too?", "units", "count", cu(None,3))
q("How many leases have we signed in Austin that aren't in effect yet?", "future_leases", "count", future(city('Austin')))
q("Count of executed but uncommenced leases in Tampa", "future_leases", "count", future(city('Tampa')))
q("leases already signed at Peachtree but starting later?", "future_leases", "count", future({'B07'}))
q("February 2026 standalone NOI for the Tampa properties", "noi_month", US, noi(only(2026,2),city('Tampa')))
q("Interest and principal, in total, on Ybor Market Hall for 2024?", "debt_service_calendar_year", US, ds(Y24,{'B11'}))
q("Insurance + property taxes at Congress Tower, calendar 2025", "insurance_plus_property_taxes", US, acc(*Y25,{'B03'},('5000','5100')))
q("What do payroll and G&A add up to at Mueller Yards for 2025?", "payroll_plus_general_and_administrative", US, acc(*Y25,{'B02'},('5400','5700')))
q("Combined utilities and repairs spend across Denver, T-12", "utilities_plus_repairs_and_maintenance", US, acc(*T12,city('Denver'),('5200','5300')))
q("Vacancy loss plus concessions plus bad debt on the apartments in 2025?", "concessions_calendar_year_plus_bad_debt_plus_vacancy_loss", US, -acc(*Y25,MF,('4020','4030','4040')))
q("Capex and debt service combined at Cherry Creek Lofts, trailing twelve", "capex_t12_plus_debt_service", US, cap(T12,{'B04'})+ds(T12,{'B04'}))
q("Where are we today on physical vacancy in Atlanta?", "vacancy", P, 1-occ(ASOF,city('Atlanta')))
q("Where'd NOI land at Mueller Yards for Q2 2026?", "noi_quarter", US, noi(quarter(2026,2),{'B02'}))
q("Where are we at on bad debt at Peachtree Commons, T-12?", "bad_debt_t12", US, -acc(*T12,{'B07'},('4040',)))
q("How much was in the budget for utilities at Bayshore Palms in 2025?", "utilities_budget", US, acc(*Y25,{'B10'},('5200',),field='budget_amount'))
q("Outstanding principal at Seminole Heights Court after the April 2026 payment", "loan_balance", US, balance({'B12'},D('2026-04-30')))
q("What did the Mueller Yards loan stand at after its December 2025 installment?", "loan_balance", US, balance({'B02'},D('2025-12-31')))
q("How much did we owe on Congress Tower right before the January 2026 payment?", "loan_balance", US, balance({'B03'},D('2025-12-31')))
q("Barton Creek loan balance post the July 2026 payment", "loan_balance", US, balance({'B01'},D('2026-07-31')))
q("What are people in one-bedrooms at Cherry Creek Lofts paying on average?", "avg_rent_per_unit", "USD/unit", avg_rent({'B04'},1))
q("what % of Ybor's revenue went to opex over the last 12 mos", "opex_ratio", P, opx(T12,{'B11'})/rev(T12,{'B11'}))
q("What did we buy Peachtree Commons for?", "purchase_price", US, 10200000)
q("How much rent do we get per month from Congress Tower tenants?", "monthly_inplace_rent", US, sum(x['rent'] for x in shops({'B03'})))
q("GL check: insurance at Seminole Heights Court, 2025", "insurance", US, acc(*Y25,{'B12'},('5100',)))
q("what came through on other income at Mueller Yards in August 2026?", "other_income", US, acc(*only(2026,8),{'B02'},('4200',)))
q("What's Bayshore's debt yield on senior debt plus mezz?", "debt_yield", P, noi(T12,{'B10'})/owed({'B10'}))
q("Mez included, what do we owe at Bayshore?", "loan_balance", US, 7900000)
q("How much has Denver's value grown since year-end 2024, in dollars?", "portfolio_value_change", US, worth(city('Denver'))-worth(city('Denver'),D('2024-12-31')))
q("NOI change at Decatur Gardens, 2025 versus 2024, in dollars", "noi_change", US, noi(Y25,{'B09'})-noi(Y24,{'B09'}))
q("How much did opex rise at Peachtree Commons T12 over prior T12, percent?", "opex_growth", P, opx(T12,{'B07'})/opx(PRIOR,{'B07'})-1)
q("When does Summit Cold Storage's lease end?", "lease_end_date", "date", Tn('Summit Cold Storage')[0]['lease']['end_date'])
q("How many commercial leases expire next year, 2027?", "commercial_expirations", "count", len(expiring(D('2027-01-01'),D('2027-12-31'),False)))
q("NOI budget shortfall at Bayshore Palms over the T-12?", "noi_vs_budget", US, noi(T12,{'B10'})-noi(T12,{'B10'},'budget_amount'))
q("How many 1-bedroom units at Peachtree Commons, down and model ones included?", "units", "count", cu({'B07'},1))
q("Across the portfolio, how many two-bedroom homes are there, let or not?", "units", "count", cu(None,2))
q("At Mueller Yards, how many signed leases are still to commence?", "future_leases", "count", future({'B02'}))
q("In April 2026 alone, what was EGI at Peachtree Commons?", "egi_month", US, rev(only(2026,4),{'B07'}))
q("Cherry Creek Lofts alone, T-12 NOI?", "noi_t12", US, noi(T12,{'B04'}))
q("What were interest and principal together for the Austin loans in 2025?", "debt_service_calendar_year", US, ds(Y25,city('Austin')))
q("total of interest and principal at Westside Foundry for Q3 2026", "debt_service_quarter", US, ds(quarter(2026,3),{'B08'}))
q("opex plus debt service as the break-even occupancy at Ybor Market Hall, T-12?", "breakeven_occupancy", P, be(T12,{'B11'}))
q("How much did marketing and payroll cost together at Bayshore Palms in 2025?", "marketing_plus_payroll", US, acc(*Y25,{'B10'},('5400','5600')))
q("Other income plus recoveries at Highlands Corner, T-12", "other_income_plus_expense_recoveries", US, acc(*T12,{'B06'},('4100','4200')))
q("Where are we on debt service coverage at Peachtree Commons?", "dscr", "ratio", dscr(T12,{'B07'}))
q("Where are we right now on occupancy across Tampa?", "physical_occupancy", P, occ(ASOF,city('Tampa')))
q("Which NOI did the budget have for Decatur Gardens, T-12?", "noi_budget", US, noi(T12,{'B09'},'budget_amount'))
q("How much payroll did we budget at Peachtree for 2025?", "payroll_budget", US, acc(*Y25,{'B07'},('5400',),field='budget_amount'))
q("After February 2026's payment, what was the balance at Congress Tower?", "loan_balance", US, balance({'B03'},D('2026-02-28')))
q("Once the October 2026 payment cleared, what did we owe on Seminole Heights Court?", "loan_balance", US, balance({'B12'},D('2026-10-31')))
q("On average, what do our occupied studios in Austin pay per month?", "avg_rent_per_unit", "USD/unit", avg_rent(city('Austin'),0))
q("What's the average 2-bedroom paying at Decatur Gardens?", "avg_rent_per_unit", "USD/unit", avg_rent({'B09'},2))
q("What are tenants paying on average for a one-bedroom at Bayshore Palms?", "avg_rent_per_unit", "USD/unit", avg_rent({'B10'},1))
q("How much do two-bedroom residents pay on average at Seminole Heights Court?", "avg_rent_per_unit", "USD/unit", avg_rent({'B12'},2))
q("Payroll we expensed at Decatur Gardens during 2024", "payroll", US, acc(*Y24,{'B09'},('5400',)))
q("What was the amount expensed for insurance in Denver, T-12?", "insurance", US, acc(*T12,city('Denver'),('5100',)))
for text in [
    "Which cap rate did the appraiser use for Congress Tower in September 2026?", "What cap rate is behind the latest valuation of Decatur Gardens?",
    "How many model units do we have?", "How many of our units are models, not counting down ones?", "How many vacant units at Peachtree Commons counting the model and down units?",
    "How many occupied units including models at Barton Creek?", "Vacancy rate at Barton Creek on all units, model and down included", "How many units, vacant or model, at Barton Creek?",
    "How much do we owe after the November payment?", "Balance at Mueller Yards after the payment", "Balance on Congress Tower after the final payment",
    "Taxes plus NOI at Mueller Yards", "Opex plus insurance at Mueller Yards in 2025", "Rent plus recoveries at Congress Tower, T-12", "Average rent plus utilities at Mueller Yards",
    "What do tenants at Congress Tower pay on average per month?", "Where are we on rent growth?", "How many leases start in December 2026?",
]:
    no(text)
# No figure from the portfolio: unknown, ambiguous, outside the data, hypotheticals, definitions.
for text in [
    "Occupancy at Riverside Plaza?", "What is the NOI for Harbor Point Towers, T-12?", "DSCR at Westside Lofts",
    "occupancy at creek", "NOI for calendar 2022", "What was occupancy in June 2019?", "NOI for calendar 2026",
    "What will NOI be next year?", "If vacancy rises to 10%, what is our NOI?", "What does DSCR mean?", "What is NOI?",
    "What is our NOI excluding Riverside Plaza?", "DSCR at Highlands Corner", "LTV at Decatur Gardens?", "How do you calculate WALT?",
    "What should our expense ratio be?", "Occupancy in Chicago?", "What is the weather in Denver?", "How is Mueller Yards?",
    "Suppose rents grow 3%, what is our NOI?", "Occupancy on December 31, 2026", "What's the tenant satisfaction at Mueller Yards?",
    "NOI at Congress Tower assuming a 5% vacancy", "cap rate at Congress Tower", "What did tenants pay per parking stall in Austin?",
    "What did Sunbeam Bakery pay last month?", "rent of unit 9999 at Mueller Yards", "interest coverage at Congress Tower", "rent from cannabis tenants",
    "what do we owe Wells Fargo?", "occupancy excluding Harbor Point", "what did Mueller Yards gain over its purchase price?", "NOI of our Class A buildings",
    "How many units rent for less than $1,000?", "occupancy of the motels", "NOI of Sunbeam Pharmacy",
]:
    no(text)
print(json.dumps(CASES, indent=1))
