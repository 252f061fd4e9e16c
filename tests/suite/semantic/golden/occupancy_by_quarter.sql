-- {"measures":["occupancy.physical_occupancy"],"timeDimensions":[{"dateRange":"2026","dimension":"occupancy.month","granularity":"quarter"}]}

-- SQLite
SELECT d0, CAST(SUM(m0) AS DOUBLE PRECISION) / NULLIF(CAST(SUM(m1) AS DOUBLE PRECISION), 0)
FROM (SELECT (substr(t.month, 1, 5) || substr('010101040404070707101010', substr(t.month, 6, 2) * 2 - 1, 2) || '-01') AS d0, CASE WHEN t.occupied THEN 1 ELSE 0 END AS m0, CASE WHEN t.rentable THEN 1 ELSE 0 END AS m1
FROM (SELECT m.building_id, m.unit_id, m.month, m.unit_use, m.area, m.rentable, m.occupied, m.rent_in_effect, m.market_rent, m.currency, u.unit_number, u.unit_type, u.bedrooms
FROM (SELECT *
FROM unit_month
WHERE org_id = $1 AND building_id IN (SELECT value
FROM json_each($2))) AS m
LEFT JOIN (SELECT *
FROM units
WHERE org_id = $1 AND building_id IN (SELECT value
FROM json_each($2))) AS u ON u.id = m.unit_id) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $1 AND id IN (SELECT value
FROM json_each($2))) AS b ON b.id = t.building_id
WHERE t.month IN ($3, $4, $5, $6) AND ((t.month) >= $7 AND (t.month) <= $8)) AS r
GROUP BY d0
ORDER BY 1 NULLS LAST
LIMIT $9 OFFSET $10

-- PostgreSQL
SELECT d0, CAST(SUM(m0) AS DOUBLE PRECISION) / NULLIF(CAST(SUM(m1) AS DOUBLE PRECISION), 0)
FROM (SELECT CAST(date_trunc('quarter', CAST(t.month AS TIMESTAMP)) AS DATE) AS d0, CASE WHEN t.occupied THEN 1 ELSE 0 END AS m0, CASE WHEN t.rentable THEN 1 ELSE 0 END AS m1
FROM (SELECT m.building_id, m.unit_id, m.month, m.unit_use, m.area, m.rentable, m.occupied, m.rent_in_effect, m.market_rent, m.currency, u.unit_number, u.unit_type, u.bedrooms
FROM (SELECT *
FROM unit_month
WHERE org_id = $1 AND building_id IN (SELECT jsonb_array_elements_text($2))) AS m
LEFT JOIN (SELECT *
FROM units
WHERE org_id = $1 AND building_id IN (SELECT jsonb_array_elements_text($2))) AS u ON u.id = m.unit_id) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $1 AND id IN (SELECT jsonb_array_elements_text($2))) AS b ON b.id = t.building_id
WHERE t.month IN ($3, $4, $5, $6) AND ((t.month) >= $7 AND (t.month) <= $8)) AS r
GROUP BY d0
ORDER BY 1 NULLS LAST
LIMIT $9 OFFSET $10
