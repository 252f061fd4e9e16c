-- {"dimensions":["rollover.expiration_year"],"measures":["rollover.annual_rent"]}

-- SQLite
SELECT d0, d1, CAST(SUM(m0) AS BIGINT)
FROM (SELECT (CASE WHEN NOT t.month_to_month THEN CAST(substr(t.end_date, 1, 4) AS BIGINT) END) AS d0, t.currency AS d1, t.rent * 12 AS m0
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
WHERE nth = 1) SELECT f.lease_id, f.building_id, f.unit_id, f.lease_type, f.start_date, f.end_date, f.month_to_month, f.first_break_date, f.area, f.remaining_days, f.currency, u.unit_number, u.unit_use, n.name AS tenant, n.industry, CASE WHEN f.rent_share = 1000000 THEN f.lease_rent ELSE (f.lease_rent * f.rent_share + 500000) / 1000000 END AS rent
FROM f
JOIN (SELECT *
FROM units
WHERE org_id = $2 AND building_id IN (SELECT value
FROM json_each($3))) AS u ON u.id = f.unit_id AND u.is_rentable
LEFT JOIN (SELECT *
FROM tenants
WHERE org_id = $2) AS n ON n.id = f.tenant_id) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $2 AND id IN (SELECT value
FROM json_each($3))) AS b ON b.id = t.building_id) AS r
GROUP BY d0, d1
ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST, 2 NULLS LAST
LIMIT $4 OFFSET $5

-- PostgreSQL
SELECT d0, d1, CAST(SUM(m0) AS BIGINT)
FROM (SELECT (CASE WHEN NOT t.month_to_month THEN CAST(EXTRACT(YEAR
FROM t.end_date) AS BIGINT) END) AS d0, t.currency COLLATE "C" AS d1, t.rent * 12 AS m0
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
WHERE nth = 1) SELECT f.lease_id, f.building_id, f.unit_id, f.lease_type, f.start_date, f.end_date, f.month_to_month, f.first_break_date, f.area, f.remaining_days, f.currency, u.unit_number, u.unit_use, n.name AS tenant, n.industry, CASE WHEN f.rent_share = 1000000 THEN f.lease_rent ELSE (f.lease_rent * f.rent_share + 500000) / 1000000 END AS rent
FROM f
JOIN (SELECT *
FROM units
WHERE org_id = $2 AND building_id IN (SELECT jsonb_array_elements_text($3))) AS u ON u.id = f.unit_id AND u.is_rentable
LEFT JOIN (SELECT *
FROM tenants
WHERE org_id = $2) AS n ON n.id = f.tenant_id) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $2 AND id IN (SELECT jsonb_array_elements_text($3))) AS b ON b.id = t.building_id) AS r
GROUP BY d0, d1
ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST, 2 NULLS LAST
LIMIT $4 OFFSET $5
