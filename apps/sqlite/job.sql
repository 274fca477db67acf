-- SPDX-License-Identifier: MIT
--
-- A job as people run it: import CSV files, clean them, compute, search, report. Run where stations.csv, readings.csv
-- and log.csv are and an empty directory out is: sqlite3 out/weather.db '.read job.sql'
--
-- out/weather.db, out/report.txt and out/monthly.json depend on the input alone; out/bootstrap.csv also on random().

.bail on
pragma journal_mode = delete;
pragma foreign_keys = on;

create table station (
	id integer primary key, name text not null, region text not null, elevation_m integer not null,
	meta text not null check (json_valid(meta)));
create table reading (
	station integer not null references station, day text not null, temperature real not null,
	rain_mm real not null, humidity integer not null, primary key (station, day)) without rowid;
create table rejected (reason text not null, station integer, day text, temperature real);
create virtual table log using fts5 (message, station unindexed, day unindexed, tokenize = 'porter unicode61');

.mode csv
.import --csv --skip 1 stations.csv station
create temp table raw (station integer, day integer, temperature real, rain_mm real, humidity integer);
.import --csv --skip 1 readings.csv raw
create temp table raw_log (station integer, day integer, message text);
.import --csv --skip 1 log.csv raw_log

-- Clean: nonsense goes, the first of two readings of a day stays.
begin;
insert into rejected select 'impossible', station, date('2023-01-01', day || ' days'), temperature
	from raw where temperature not between -60 and 60 order by rowid;
insert into rejected select 'duplicate', station, date('2023-01-01', day || ' days'), temperature
	from (select *, row_number() over (partition by station, day order by rowid) as copy, rowid as number
		from raw where temperature between -60 and 60)
	where copy > 1 order by number;
insert or ignore into reading select station, date('2023-01-01', day || ' days'), temperature, rain_mm, humidity
	from raw where temperature between -60 and 60 order by rowid;
insert into log (message, station, day) select message, station, date('2023-01-01', day || ' days') from raw_log order by rowid;
commit;

-- A transaction that is taken back leaves nothing, through the journal on disk.
pragma cache_size = 50;
begin;
update reading set temperature = temperature + 100, humidity = 0;
delete from rejected;
rollback;
pragma cache_size = 2000;

create index reading_by_day on reading (day, temperature);
create view monthly as
	select s.region, substr(r.day, 1, 7) as month, count(*) as readings, avg(r.temperature) as mean,
		min(r.temperature) as coldest, max(r.temperature) as warmest, sum(r.rain_mm) as rain_mm
	from reading r join station s on s.id = r.station group by s.region, month;
analyze;

.mode column
.output out/report.txt
select 'readings' as what, count(*) as number from reading
	union all select 'rejected, ' || reason, count(*) from rejected group by reason
	union all select 'log entries', count(*) from log;

.print
select region, month, readings, round(mean, 3) as mean, coldest, warmest, round(rain_mm, 1) as rain_mm from monthly
	order by region, month;

.print
-- The colder a station, the higher: ordinary least squares.
with per_station as (select s.elevation_m / 1000.0 as x, avg(r.temperature) as y
	from station s join reading r on r.station = s.id group by s.id)
select round((count(*) * sum(x * y) - sum(x) * sum(y)) / (count(*) * sum(x * x) - sum(x) * sum(x)), 9) as degrees_per_km,
	round((count(*) * sum(x * y) - sum(x) * sum(y)) /
		sqrt((count(*) * sum(x * x) - sum(x) * sum(x)) * (count(*) * sum(y * y) - sum(y) * sum(y))), 9) as correlation
from per_station;

.print
-- The steepest change of the weekly mean.
with weekly as (select station, day, avg(temperature) over week as mean, count(*) over week as days
	from reading window week as (partition by station order by day rows 6 preceding)),
change as (select station, day, mean - lag(mean, 7) over (partition by station order by day) as by_degrees
	from weekly where days = 7)
select name, day, round(by_degrees, 6) as by_degrees,
	rank() over (order by abs(by_degrees) desc, station, day) as rank
from change join station on id = station where by_degrees is not null order by rank limit 10;

.print
-- The longest gaps.
select name, gap_start, missing from (
	select station, lag(day) over (partition by station order by day) as gap_start,
		cast(julianday(day) - julianday(lag(day) over (partition by station order by day)) - 1 as integer) as missing
	from reading) join station on id = station
where missing > 1 order by missing desc, gap_start, station limit 10;

.print
select json_extract(meta, '$.sensor') as sensor, count(distinct s.id) as stations, round(avg(humidity), 4) as humidity,
	group_concat(distinct region) as regions
from station s join reading r on r.station = s.id group by sensor order by sensor;

.print
select day, station, snippet(log, 0, '[', ']', '...', 6) as entry, round(bm25(log), 6) as score
	from log where log match 'failures OR (lightning AND "rain gauge") NOT freeze' order by bm25(log), rowid limit 12;

.print
pragma integrity_check;
pragma foreign_key_check;

.output out/monthly.json
.mode list
select json_group_object(region, json(months)) from (
	select region, json_group_object(month, json_object('mean', mean, 'rain_mm', round(rain_mm, 1), 'readings', readings)) as months
	from (select * from monthly order by region, month) group by region order by region);

-- Bootstrap: how sure the mean of each region is, from 200 random samples of its stations' yearly means.
create temp table yearly as select row_number() over (partition by s.region order by s.id) - 1 as number, s.region,
	avg(r.temperature) as mean from station s join reading r on r.station = s.id group by s.id;
.output out/bootstrap.csv
.mode csv
.headers on
with recursive draw (n) as (select 0 union all select n + 1 from draw where n < 200 * 18 - 1),
region as (select region, count(*) as stations from yearly group by region),
picked as materialized (select region.region, n / 18 as sample, abs(random() % stations) as number from region, draw),
sampled as (select p.region, p.sample, avg(y.mean) as mean from picked p join yearly y using (region, number)
	group by p.region, p.sample),
ordered as (select region, mean, row_number() over (partition by region order by mean) as place from sampled)
select region, max(mean) filter (where place = 5) as low, max(mean) filter (where place = 100) as middle,
	max(mean) filter (where place = 195) as high, lower(hex(randomblob(4))) as batch
from ordered group by region order by region;
.output
vacuum;
