-- SPDX-License-Identifier: MIT
-- A tour of SQLite whose output is the same wherever it runs: sqlite.test compares with the native shell.

.echo off
.headers on
.mode list
select sqlite_version() as version;
pragma compile_options;

-- Numbers and text.
select 1/3, 1.0/3, 1e300*1e10, -1e300*1e10, 9223372036854775807 + 0, 9223372036854775807 + 1, 5 % -3, 0x7f, 1e15, 1e16, 123456789.125;
select printf('%.17g|%08.3f|%+d|%x|%e|%,d|%q|%w', 0.1, 3.14159, 42, 255, 1.5e-7, 1234567, 'it''s', 'a"b');
select round(2.5), round(-2.5), round(1.005, 2), abs(-7), sign(-3.5), max(1, 2.5, 'a'), min(3, 2), typeof(1e0), typeof(x'00');
select sqrt(2), ceil(1.2), floor(-1.2), trunc(-1.7), mod(10.5, 3), pi();
select upper('straße'), length('日本語'), length(cast('日本語' as blob)), substr('hello', -3, 2), instr('hello', 'l'), hex('é'), unicode('€'), char(8364, 65);
select replace('banana', 'an', 'AN'), trim('  x '), ltrim('xxy', 'x'), 'abc' like 'A%', 'abc' glob 'a*', quote(x'0aff'), quote('a''b'), zeroblob(3) = x'000000';
select date('2024-02-29', '+1 year'), datetime('1999-12-31 23:59:59', '+1 second'), strftime('%Y-%j %W %w %s', '2024-06-01'), julianday('2000-01-01'), unixepoch('2001-09-09 01:46:40');
select date('2024-01-31', '+1 month'), time('12:00', '-90 minutes'), datetime(1.7e9, 'unixepoch'), datetime('2024-03-10', 'weekday 0');

-- Tables, keys, conflict, triggers, generated columns, foreign keys.
pragma foreign_keys = on;
create table author (id integer primary key, name text unique not null collate nocase);
create table book (id integer primary key autoincrement, author integer references author on delete cascade, title text,
	price real check (price >= 0), tax real generated always as (price * 0.07) stored, slug text as (lower(replace(title, ' ', '-'))));
create table audit (n integer primary key, what text);
create trigger book_added after insert on book begin insert into audit (what) values ('added ' || new.title); end;
create trigger book_priced after update of price on book when old.price <> new.price
	begin insert into audit (what) values (printf('%s %.2f -> %.2f', old.title, old.price, new.price)); end;
insert into author values (1, 'Ada'), (2, 'Brian'), (3, 'Carla');
insert into author values (4, 'ADA');
insert or ignore into author values (4, 'ADA');
insert into author values (4, 'ADA') on conflict (name) do update set name = excluded.name || '!' returning id, name;
insert into book (author, title, price) values (1, 'First Steps', 10), (1, 'Second Steps', 20.5), (2, 'C by Night', 35), (3, 'Tides', 7.25) returning *;
insert into book (author, title, price) values (9, 'Nobody', 1);
insert into book (author, title, price) values (1, 'Free', -1);
update book set price = price * 1.1 where author = 1;
delete from author where id = 2;
select * from book;
select * from audit;
select name, (select group_concat(title, '; ') from book where author = author.id order by title) as titles from author order by name;
select a.name, b.title from author a left join book b on b.author = a.id order by 1, 2;
select a.name, b.title from author a full outer join book b on b.author = a.id and b.price > 15 order by 1, 2;

-- Sets, aggregates, common table expressions, windows.
with recursive n(i) as (select 1 union all select i + 1 from n where i < 50)
select i % 7 as k, count(*), sum(i), avg(i), total(i), group_concat(i, ' ') filter (where i % 2) from n group by k having count(*) > 6 order by k desc;
select 1 union select 2 except select 1 union all select 3 intersect select 3;
with recursive mandel(y, line) as (select -12, '' union all select y + 1, (
	with recursive x(i, row) as (select -30, '' union all select i + 1, row || (
		with recursive z(n, a, b) as (select 0, 0.0, 0.0 union all
			select n + 1, a*a - b*b + i / 15.0, 2*a*b + y / 10.0 from z where n < 20 and a*a + b*b < 4)
		select substr(' .:-=+*#%@', min(max(n) / 2, 9) + 1, 1) from z) from x where i < 12)
	select row from x order by i desc limit 1) from mandel where y < 12)
select line from mandel;
create table sale (day integer, shop text, amount real);
with recursive n(i) as (select 0 union all select i + 1 from n where i < 59)
insert into sale select i / 3, char(65 + i % 3), (i * 37 % 101) / 4.0 from n;
select shop, day, amount, sum(amount) over w as running, rank() over (partition by shop order by amount) as rank, ntile(4) over (order by amount, shop, day) as quarter,
	lag(amount, 1, 0) over w as before, lead(amount) over w as after, first_value(amount) over w as first, nth_value(amount, 3) over w as third,
	percent_rank() over (order by amount) as pr, cume_dist() over (order by amount) as cd
	from sale window w as (partition by shop order by day) order by shop, day limit 25;
select day, avg(amount) over (order by day range between 2 preceding and 1 following exclude current row) from sale where shop = 'A' order by day;
select shop, sum(amount) over (order by shop groups 1 preceding) from sale where day < 2 order by shop, 2;

-- JSON.
select json('{ "a" : [1, 2.50, "x\u00e9", null, true] }'), json_extract('{"a":{"b":[1,2,{"c":3}]}}', '$.a.b[2].c'), '{"a":5}' -> '$.a', '{"a":"t"}' ->> 'a';
select key, value, type, path from json_tree('{"a":[1,{"b":2}],"c":"d"}');
select json_set('{"a":1}', '$.b', json('[1]')), json_patch('{"a":1,"b":2}', '{"b":null}'), json_group_array(i) from (select 1 as i union select 2);
select json_valid('{'), json_array_length('[1,2,3]'), json_type('1.5'), json_quote('a"b');
select json('{');

-- Full-text search and the R*Tree.
create virtual table mail using fts5 (subject, body, tokenize = 'porter unicode61', prefix = '2 3');
insert into mail values ('Meeting moved', 'The meeting is moved to Friday, running late'), ('Lunch', 'Who runs to the café?'), ('Re: Lunch', 'I am meeting Ada'), ('Zürich', 'Trains to ZURICH run hourly');
select rowid, highlight(mail, 1, '<', '>') from mail where mail match 'run' order by rank, rowid;
select rowid, subject from mail where mail match 'meet* NOT subject:moved';
select rowid from mail where mail match 'zurich' order by rowid;
select rowid from mail where mail match 'NEAR(trains hourly, 4)';
insert into mail(mail) values ('integrity-check');
insert into mail(mail) values ('optimize');
select count(*) from mail_data;
create virtual table box using rtree (id, x0, x1, y0, y1);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) insert into box select i, i % 25, i % 25 + 0.5, i / 25, i / 25 + 2 from n;
select count(*), min(id), max(id) from box where x0 >= 3 and x1 <= 6 and y0 < 9;
select rtreecheck('box');

-- Databases in files: journals, WAL, savepoints, attach, vacuum, backup.
attach 'tmp/one.db' as one;
pragma one.page_size = 1024;
create table one.t (a integer primary key, b blob);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) insert into one.t select i, zeroblob(i % 200) from n;
pragma one.journal_mode;
begin;
delete from one.t where a % 2;
savepoint s;
delete from one.t;
select count(*) from one.t;
rollback to s;
select count(*) from one.t;
commit;
pragma one.journal_mode = wal;
update one.t set b = x'01' where a < 100;
pragma one.wal_checkpoint(truncate);
pragma one.journal_mode = persist;
update one.t set b = null where a < 50;
pragma one.journal_mode = delete;
pragma one.page_count;
vacuum one;
pragma one.page_count;
pragma one.freelist_count;
pragma one.integrity_check;
vacuum one into 'tmp/two.db';
attach 'tmp/two.db' as two;
select count(*), sum(length(b)), min(a), max(a) from two.t;
select (select group_concat(quote(b)) from one.t) = (select group_concat(quote(b)) from two.t) as same;
detach two;
.backup one tmp/three.db
attach 'tmp/three.db' as three;
select count(*) from three.t;
detach three;
pragma one.auto_vacuum;
pragma one.mmap_size = 1048576;
select sum(length(b)) from one.t;
attach 'missing/none.db' as none;
select * from nothing;
selec 1;

-- A sort and an index that do not fit the cache.
pragma cache_size = 20;
pragma temp_store = file;
create table big as with recursive n(i) as (select 1 union all select i + 1 from n where i < 40000) select i, (i * 7919) % 100003 as k, hex(i * 31) as t from n;
create index big_k on big (k, t);
select sum(i * number % 997) from (select i, row_number() over (order by t, k desc) as number from big);
select count(*), sum(k) from big where k between 5000 and 6000;
explain query plan select * from big where k = 5 order by t;
analyze;
select * from sqlite_stat1 order by tbl, idx;
drop table big;

-- What the shell itself does.
.mode column
select * from author;
.mode box
select id, name from author;
.mode markdown
select id, name from author;
.mode insert author
select * from author;
.mode json
select * from author;
.mode quote
select 1, 'a', null, x'00', 1.5;
.mode csv
select 'a,b', 'c"d', null;
.once tmp/out.csv
select i.a, i.b from (select 1 as a, 'x y' as b union select 2, 'z,"') i;
.mode list
.import --csv tmp/out.csv imported
select * from imported;
.schema book
.dump author
.tables
select fileio from (select length(readfile('tmp/out.csv')) as fileio);
select writefile('tmp/w.bin', x'00010203');
select hex(readfile('tmp/w.bin'));
.sha3sum
select sum(value) from generate_series(1, 1000, 3);
select regexp('^a.c$', 'abc'), 'abc' regexp 'b+';
select decimal_add('0.1', '0.2'), decimal_mul('123456789012345678901234567890', '3');
