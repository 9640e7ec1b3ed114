-- SPDX-License-Identifier: GPL-2.0-or-later
-- Inserts, indexes, joins, groups, updates and deletes over :n rows.
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT, city INTEGER);
CREATE TABLE sale(id INTEGER PRIMARY KEY, customer INTEGER, amount INTEGER, note TEXT);
BEGIN;
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < :n / 10)
INSERT INTO customer SELECT x, printf('customer %06d', x * 7919 % 100003), x % 97 FROM c;
WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < :n)
INSERT INTO sale SELECT x, 1 + x * 31 % (:n / 10), x * 7919 % 1009, 'note ' || (x % 311) FROM c;
COMMIT;
CREATE INDEX sale_customer ON sale(customer);
CREATE INDEX customer_name ON customer(name);
SELECT city, count(*), sum(amount) FROM sale JOIN customer ON customer.id = sale.customer
GROUP BY city ORDER BY 3 DESC LIMIT 5;
SELECT count(DISTINCT note), max(length(note)) FROM sale;
SELECT count(*) FROM customer a WHERE EXISTS (SELECT 1 FROM sale WHERE customer = a.id AND amount > 1000);
UPDATE sale SET amount = amount + 1, note = note || ' changed' WHERE customer % 3 = 0;
DELETE FROM sale WHERE amount % 10 = 3;
SELECT count(*), sum(amount), sum(length(note)) FROM sale;
SELECT name FROM customer WHERE name LIKE '%99%' ORDER BY name DESC LIMIT 3;
WITH ranked AS (SELECT customer, amount, row_number() OVER (PARTITION BY customer ORDER BY amount DESC) AS place
                FROM sale)
SELECT sum(amount) FROM ranked WHERE place <= 2;
