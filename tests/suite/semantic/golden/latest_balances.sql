-- {"limit":5,"measures":["debt_service.interest","debt_service.ending_balance"],"offset":10,"order":[["debt_service.interest","asc"]],"timeDimensions":[{"dateRange":"2026","dimension":"debt_service.payment_date","granularity":"quarter"}]}

-- SQLite
SELECT d0, d1, CAST(SUM(m0) AS BIGINT), CAST(SUM(CASE WHEN closing = 1 THEN m2 END) AS BIGINT)
FROM (SELECT (substr(t.payment_date, 1, 5) || substr('010101040404070707101010', substr(t.payment_date, 6, 2) * 2 - 1, 2) || '-01') AS d0, t.currency AS d1, t.interest AS m0, t.ending_balance AS m2, ROW_NUMBER() OVER (PARTITION BY t.loan_id, t.building_id, (substr(t.payment_date, 1, 5) || substr('010101040404070707101010', substr(t.payment_date, 6, 2) * 2 - 1, 2) || '-01')
ORDER BY t.payment_date DESC) AS closing
FROM (SELECT y.loan_id, p.building_id, y.payment_date, l.lender, l.loan_kind, y.currency, CASE WHEN p.share = 1000000 THEN y.interest ELSE (y.interest * p.share + 500000) / 1000000 END AS interest, CASE WHEN p.share = 1000000 THEN y.principal ELSE (y.principal * p.share + 500000) / 1000000 END AS principal, CASE WHEN p.share = 1000000 THEN y.ending_balance ELSE (y.ending_balance * p.share + 500000) / 1000000 END AS ending_balance
FROM (SELECT *
FROM loan_buildings
WHERE org_id = $1 AND building_id IN (SELECT value
FROM json_each($2))) AS p
JOIN (SELECT *
FROM loans
WHERE org_id = $1) AS l ON l.id = p.loan_id
JOIN (SELECT *
FROM loan_payments
WHERE org_id = $1) AS y ON y.loan_id = p.loan_id) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $1 AND id IN (SELECT value
FROM json_each($2))) AS b ON b.id = t.building_id
WHERE ((t.payment_date) >= $3 AND (t.payment_date) <= $4)) AS r
GROUP BY d0, d1
ORDER BY 3 NULLS LAST, 1 NULLS LAST, 2 NULLS LAST
LIMIT $5 OFFSET $6

-- PostgreSQL
SELECT d0, d1, CAST(SUM(m0) AS BIGINT), CAST(SUM(CASE WHEN closing = 1 THEN m2 END) AS BIGINT)
FROM (SELECT CAST(date_trunc('quarter', CAST(t.payment_date AS TIMESTAMP)) AS DATE) AS d0, t.currency COLLATE "C" AS d1, t.interest AS m0, t.ending_balance AS m2, ROW_NUMBER() OVER (PARTITION BY t.loan_id, t.building_id, CAST(date_trunc('quarter', CAST(t.payment_date AS TIMESTAMP)) AS DATE)
ORDER BY t.payment_date DESC) AS closing
FROM (SELECT y.loan_id, p.building_id, y.payment_date, l.lender, l.loan_kind, y.currency, CASE WHEN p.share = 1000000 THEN y.interest ELSE (y.interest * p.share + 500000) / 1000000 END AS interest, CASE WHEN p.share = 1000000 THEN y.principal ELSE (y.principal * p.share + 500000) / 1000000 END AS principal, CASE WHEN p.share = 1000000 THEN y.ending_balance ELSE (y.ending_balance * p.share + 500000) / 1000000 END AS ending_balance
FROM (SELECT *
FROM loan_buildings
WHERE org_id = $1 AND building_id IN (SELECT jsonb_array_elements_text($2))) AS p
JOIN (SELECT *
FROM loans
WHERE org_id = $1) AS l ON l.id = p.loan_id
JOIN (SELECT *
FROM loan_payments
WHERE org_id = $1) AS y ON y.loan_id = p.loan_id) AS t
JOIN (SELECT *
FROM buildings
WHERE org_id = $1 AND id IN (SELECT jsonb_array_elements_text($2))) AS b ON b.id = t.building_id
WHERE ((t.payment_date) >= $3 AND (t.payment_date) <= $4)) AS r
GROUP BY d0, d1
ORDER BY 3 NULLS LAST, 1 NULLS LAST, 2 NULLS LAST
LIMIT $5 OFFSET $6
