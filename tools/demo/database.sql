-- SPDX-License-Identifier: GPL-2.0-or-later
-- Run by an ILP32 SQLite shell on a new database file: tables, some thousand rows, indices, transactions,
-- triggers, joins, window functions, recursion, and the library's own check of the file.
.bail on
PRAGMA journal_mode = WAL;
PRAGMA page_size;

CREATE TABLE customer (
	id INTEGER PRIMARY KEY,
	name TEXT NOT NULL UNIQUE,
	city TEXT NOT NULL
);
CREATE TABLE purchase (
	id INTEGER PRIMARY KEY,
	customer INTEGER NOT NULL REFERENCES customer (id),
	cents INTEGER NOT NULL CHECK (cents > 0),
	day TEXT NOT NULL
);
CREATE TABLE log (entry TEXT);

BEGIN;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)
INSERT INTO customer
SELECT i, printf('customer %03d', i), CASE i % 4 WHEN 0 THEN 'Oslo' WHEN 1 THEN 'Rome' WHEN 2 THEN 'Lima' ELSE 'Pune' END
FROM n;
WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
INSERT INTO purchase
SELECT i, i * 7919 % 200 + 1, i * 104729 % 9973 + 1, date('2038-01-01', printf('+%d days', i % 365))
FROM n;
COMMIT;
CREATE INDEX purchase_customer ON purchase (customer, day);
ANALYZE;

SELECT count(*), sum(cents), min(day), max(day) FROM purchase;

.print -- turnover by city
SELECT city, count(*), printf('%.2f', sum(cents) / 100.0)
FROM purchase JOIN customer ON customer.id = purchase.customer
GROUP BY city ORDER BY city;

.print -- the best customers, with rank and running total
SELECT rank() OVER w, name, total, sum(total) OVER w
FROM (SELECT name, sum(cents) AS total FROM purchase JOIN customer ON customer.id = customer GROUP BY name)
WINDOW w AS (ORDER BY total DESC) LIMIT 5;

.print -- a trigger, an update, a transaction taken back
CREATE TRIGGER price AFTER UPDATE OF cents ON purchase BEGIN
	INSERT INTO log VALUES (new.id || ': ' || old.cents || ' to ' || new.cents);
END;
UPDATE purchase SET cents = cents * 2 WHERE id IN (7, 77, 777);
SELECT * FROM log;
BEGIN;
DELETE FROM purchase WHERE customer % 2 = 0;
SELECT count(*) FROM purchase;
ROLLBACK;
SELECT count(*) FROM purchase;

.print -- text, blobs, 64-bit integers, floats, dates past 2038
SELECT upper('ilp32'), hex(zeroblob(4)), 9223372036854775807, 1e100 / 3, length('größe'), quote(x'00ff');
SELECT datetime(4000000000, 'unixepoch'), julianday('2038-01-19') - julianday('1970-01-01');

.print -- recursion: a sum over a tree of 2047 nodes
WITH RECURSIVE tree (id, level) AS (
	SELECT 1, 0 UNION ALL
	SELECT 2 * id + bit, level + 1 FROM tree JOIN (SELECT 0 AS bit UNION SELECT 1) ON level < 10
)
SELECT count(*), sum(id), max(level) FROM tree;

DROP INDEX purchase_customer;
DELETE FROM purchase WHERE id > 2500;
VACUUM;
PRAGMA wal_checkpoint(TRUNCATE);
PRAGMA integrity_check;
PRAGMA foreign_key_check;
SELECT count(*), sum(cents) FROM purchase;
.print database demo finished
