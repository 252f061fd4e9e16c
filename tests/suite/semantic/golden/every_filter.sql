-- {"dimensions":["rent_roll.tenant"],"filters":[{"or":[{"member":"rent_roll.tenant","operator":"contains","values":["a","b"]},{"member":"rent_roll.tenant","operator":"notStartsWith","values":["c"]},{"and":[{"member":"rent_roll.tenant","operator":"endsWith","values":["d"]},{"member":"buildings.year_built","operator":"gte","values":[1990]},{"member":"rent_roll.lease_end","operator":"inDateRange","values":["2026-01-01","2026-12-31"]},{"member":"rent_roll.is_rentable","operator":"notEquals","values":[false]},{"member":"rent_roll.lease_end","operator":"set"}]}]}]}

-- SQLite
SELECT d0
FROM (SELECT (t.tenant) AS d0
FROM (WITH f AS MATERIALIZED (SELECT *
FROM (SELECT l.id AS lease_id, l.tenant_id, l.lease_type, l.start_date, l.end_date, l.month_to_month, l.first_break_date, l.security_deposit, COALESCE(p.building_id, l.building_id) AS building_id, COALESCE(p.unit_id, l.unit_id) AS unit_id, COALESCE(p.area, l.area) AS area, COALESCE(p.rent_share, 1000000) AS rent_share, l.currency, CASE WHEN l.month_to_month THEN 0 ELSE CAST(julianday(l.end_date) - julianday($1) AS BIGINT) END AS remaining_days, (SELECT s.monthly_rent
FROM (SELECT *
FROM lease_rent_steps
WHERE org_id = $2 AND building_id IN (SELECT value
FROM json_each($3))) AS s
WHERE s.lease_id = l.id AND s.effective_date <= $1
ORDER BY s.effective_date DESC
LIMIT 1) AS lease_rent, ROW_NUMBER() OVER (PARTITION BY COALESCE(p.unit_id, l.unit_id)
ORDER BY l.start_date DESC, l.id DESC) AS nth
FROM (SELECT *
FROM leases
WHERE org_id = $2 AND building_id IN (SELECT value
FROM json_each($3))) AS l
LEFT JOIN (SELECT *
FROM lease_units
WHERE org_id = $2 AND building_id IN (SELECT value
FROM json_each($3))) AS p ON p.lease_id = l.id
WHERE NOT l.is_draft AND l.start_date <= $1 AND l.effective_end >= $1) AS every
WHERE nth = 1) SELECT u.id AS unit_id, u.building_id, u.unit_number, u.unit_use, u.unit_type, u.area AS unit_area, u.is_rentable, u.non_revenue_reason, u.currency, f.lease_id, f.lease_type, f.start_date, f.end_date, f.month_to_month, f.area AS leased_area, f.security_deposit, n.name AS tenant, n.industry, CASE WHEN f.rent_share = 1000000 THEN f.lease_rent ELSE (f.lease_rent * f.rent_share + 500000) / 1000000 END AS rent, COALESCE((SELECT r.market_rent
FROM (SELECT *
FROM unit_market_rents
WHERE org_id = $2 AND building_id IN (SELECT value
FROM json_each($3))) AS r
WHERE r.unit_id = u.id AND r.effective_date <= $1
ORDER BY r.effective_date DESC
LIMIT 1), u.market_rent) AS market_rent
FROM (SELECT *
FROM units
WHERE org_id = $2 AND building_id IN (SELECT value
FROM json_each($3))) AS u
LEFT JOIN f ON f.unit_id = u.id AND u.is_rentable
LEFT JOIN (SELECT *
FROM tenants
WHERE org_id = $2) AS n ON n.id = f.tenant_id) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $2 AND id IN (SELECT value
FROM json_each($3))) AS b ON b.id = t.building_id
WHERE ((instr(lower(((t.tenant))), $4) > 0 OR instr(lower(((t.tenant))), $5) > 0) OR (((t.tenant)) IS NULL OR NOT (instr(lower(((t.tenant))), $6) = 1)) OR ((substr(lower(((t.tenant))), -length($7)) = $8) AND ((b.year_built)) >= $9 AND (((t.end_date) >= $10 AND (t.end_date) <= $11)) AND (((t.is_rentable)) IS NULL OR NOT (((t.is_rentable)) IN ($12))) AND ((t.end_date)) IS NOT NULL))) AS r
GROUP BY d0
ORDER BY 1 NULLS LAST
LIMIT $13 OFFSET $14

-- PostgreSQL
SELECT d0
FROM (SELECT (t.tenant) COLLATE "C" AS d0
FROM (WITH f AS MATERIALIZED (SELECT *
FROM (SELECT l.id AS lease_id, l.tenant_id, l.lease_type, l.start_date, l.end_date, l.month_to_month, l.first_break_date, l.security_deposit, COALESCE(p.building_id, l.building_id) AS building_id, COALESCE(p.unit_id, l.unit_id) AS unit_id, COALESCE(p.area, l.area) AS area, COALESCE(p.rent_share, 1000000) AS rent_share, l.currency, CASE WHEN l.month_to_month THEN 0 ELSE CAST(l.end_date - CAST($1 AS DATE) AS BIGINT) END AS remaining_days, (SELECT s.monthly_rent
FROM (SELECT *
FROM lease_rent_steps
WHERE org_id = $2 AND building_id IN (SELECT jsonb_array_elements_text($3))) AS s
WHERE s.lease_id = l.id AND s.effective_date <= $1
ORDER BY s.effective_date DESC
LIMIT 1) AS lease_rent, ROW_NUMBER() OVER (PARTITION BY COALESCE(p.unit_id, l.unit_id)
ORDER BY l.start_date DESC, l.id COLLATE "C" DESC) AS nth
FROM (SELECT *
FROM leases
WHERE org_id = $2 AND building_id IN (SELECT jsonb_array_elements_text($3))) AS l
LEFT JOIN (SELECT *
FROM lease_units
WHERE org_id = $2 AND building_id IN (SELECT jsonb_array_elements_text($3))) AS p ON p.lease_id = l.id
WHERE NOT l.is_draft AND l.start_date <= $1 AND l.effective_end >= $1) AS every
WHERE nth = 1) SELECT u.id AS unit_id, u.building_id, u.unit_number, u.unit_use, u.unit_type, u.area AS unit_area, u.is_rentable, u.non_revenue_reason, u.currency, f.lease_id, f.lease_type, f.start_date, f.end_date, f.month_to_month, f.area AS leased_area, f.security_deposit, n.name AS tenant, n.industry, CASE WHEN f.rent_share = 1000000 THEN f.lease_rent ELSE (f.lease_rent * f.rent_share + 500000) / 1000000 END AS rent, COALESCE((SELECT r.market_rent
FROM (SELECT *
FROM unit_market_rents
WHERE org_id = $2 AND building_id IN (SELECT jsonb_array_elements_text($3))) AS r
WHERE r.unit_id = u.id AND r.effective_date <= $1
ORDER BY r.effective_date DESC
LIMIT 1), u.market_rent) AS market_rent
FROM (SELECT *
FROM units
WHERE org_id = $2 AND building_id IN (SELECT jsonb_array_elements_text($3))) AS u
LEFT JOIN f ON f.unit_id = u.id AND u.is_rentable
LEFT JOIN (SELECT *
FROM tenants
WHERE org_id = $2) AS n ON n.id = f.tenant_id) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $2 AND id IN (SELECT jsonb_array_elements_text($3))) AS b ON b.id = t.building_id
WHERE ((strpos(lower(((t.tenant)) COLLATE "C"), $4) > 0 OR strpos(lower(((t.tenant)) COLLATE "C"), $5) > 0) OR (((t.tenant)) IS NULL OR NOT (strpos(lower(((t.tenant)) COLLATE "C"), $6) = 1)) OR ((right(lower(((t.tenant)) COLLATE "C"), length($7)) = $8) AND ((b.year_built)) >= $9 AND (((t.end_date) >= $10 AND (t.end_date) <= $11)) AND (((t.is_rentable)) IS NULL OR NOT (((t.is_rentable)) IN ($12))) AND ((t.end_date)) IS NOT NULL))) AS r
GROUP BY d0
ORDER BY 1 NULLS LAST
LIMIT $13 OFFSET $14
