-- {"dimensions":["buildings.city"],"filters":[{"member":"financials.noi","operator":"gt","values":["1000000"]}],"measures":["financials.noi","financials.opex_ratio"],"timeDimensions":[{"dateRange":"last 12 months","dimension":"financials.month"}]}

-- SQLite
SELECT d0, d1, CAST(SUM(m0) AS BIGINT), CAST(SUM(m2) AS DOUBLE PRECISION) / NULLIF(CAST(SUM(m3) AS DOUBLE PRECISION), 0)
FROM (SELECT (b.city) AS d0, t.currency AS d1, CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.amount WHEN t.included_in_noi AND t.category = 'operating_expense' THEN -t.amount ELSE 0 END AS m0, CASE WHEN t.included_in_noi AND t.category = 'operating_expense' THEN t.amount ELSE 0 END AS m2, CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.amount ELSE 0 END AS m3
FROM (SELECT f.building_id, f.month, f.account_code, f.amount, f.budget_amount, f.currency, a.name AS account_name, a.category, a.included_in_noi
FROM (SELECT *
FROM monthly_financials
WHERE org_id = $1 AND building_id IN (SELECT value
FROM json_each($2))) AS f
LEFT JOIN (SELECT *
FROM accounts
WHERE org_id = $1) AS a ON a.code = f.account_code) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $1 AND id IN (SELECT value
FROM json_each($2))) AS b ON b.id = t.building_id
WHERE ((t.month) >= $3 AND (t.month) <= $4)) AS r
GROUP BY d0, d1
HAVING (CAST(SUM(m0) AS BIGINT)) > $5
ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST, 2 NULLS LAST
LIMIT $6 OFFSET $7

-- PostgreSQL
SELECT d0, d1, CAST(SUM(m0) AS BIGINT), CAST(SUM(m2) AS DOUBLE PRECISION) / NULLIF(CAST(SUM(m3) AS DOUBLE PRECISION), 0)
FROM (SELECT (b.city) COLLATE "C" AS d0, t.currency COLLATE "C" AS d1, CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.amount WHEN t.included_in_noi AND t.category = 'operating_expense' THEN -t.amount ELSE 0 END AS m0, CASE WHEN t.included_in_noi AND t.category = 'operating_expense' THEN t.amount ELSE 0 END AS m2, CASE WHEN t.included_in_noi AND t.category = 'revenue' THEN t.amount ELSE 0 END AS m3
FROM (SELECT f.building_id, f.month, f.account_code, f.amount, f.budget_amount, f.currency, a.name AS account_name, a.category, a.included_in_noi
FROM (SELECT *
FROM monthly_financials
WHERE org_id = $1 AND building_id IN (SELECT jsonb_array_elements_text($2))) AS f
LEFT JOIN (SELECT *
FROM accounts
WHERE org_id = $1) AS a ON a.code = f.account_code) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $1 AND id IN (SELECT jsonb_array_elements_text($2))) AS b ON b.id = t.building_id
WHERE ((t.month) >= $3 AND (t.month) <= $4)) AS r
GROUP BY d0, d1
HAVING (CAST(SUM(m0) AS BIGINT)) > $5
ORDER BY 3 DESC NULLS LAST, 1 NULLS LAST, 2 NULLS LAST
LIMIT $6 OFFSET $7
