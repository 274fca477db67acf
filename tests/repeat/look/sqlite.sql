-- SPDX-License-Identifier: MIT
create table t(a, b);
with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) insert into t select i, random() from n;
create index x on t(b);
pragma journal_mode = wal;
insert into t values (datetime('now'), randomblob(9));
select count(*), sum(b % 1000), hex(max(b)) from t;
select * from t where b > 0 order by b limit 5;
vacuum;
