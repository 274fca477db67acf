-- SQLite's shell: a database on a file, in both journal modes, transactions, indices, import and export.
CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 20000)
	INSERT INTO t SELECT i, printf('row %d', i * 7919 % 10007), i / 3.0 FROM n;
CREATE INDEX tb ON t(b);
SELECT count(*), sum(a), avg(c), max(b) FROM t;
EXPLAIN QUERY PLAN SELECT a FROM t WHERE b = 'row 5';
.mode box
SELECT b, count(*) AS n FROM t GROUP BY b ORDER BY n DESC, b LIMIT 5;
BEGIN; DELETE FROM t WHERE a % 3 = 0; SELECT count(*) FROM t; ROLLBACK;
PRAGMA journal_mode = WAL;
BEGIN; UPDATE t SET c = c * 2 WHERE a % 5 = 0; COMMIT;
PRAGMA wal_checkpoint(TRUNCATE);
.mode json
SELECT a, b, c FROM t WHERE b LIKE 'row 99%' ORDER BY b, a LIMIT 3;
SELECT json_group_array(a) FROM (SELECT a FROM t WHERE a < 10);
.mode csv
.once out.csv
SELECT * FROM t WHERE a < 50;
.import out.csv u
SELECT count(*), sin(1), pow(2, 0.5), exp(1) FROM u;
.mode list
INSERT INTO t VALUES (1, 'again', 0);
.shell wc -c <out.csv
.backup copy.db
.open copy.db
SELECT count(*), sum(c) FROM t;
PRAGMA integrity_check;
PRAGMA page_count;
.dump u
.system rm out.csv
.exit 3
