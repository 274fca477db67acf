-- SPDX-License-Identifier: MIT
-- A table, an index, groups, a join and a search.
create table t(a integer primary key, b text, c real);
with recursive n(i) as (select 1 union all select i+1 from n where i<200000) insert into t select i, 'name '||(i*7919%10007), i*1.5 from n;
create index tb on t(b);
select b, count(*), sum(c) from t group by b order by 3 desc limit 3;
select count(*) from t x join t y on x.b=y.b where x.a<2000;
select sum(length(b)) from t where b like '%99%';
