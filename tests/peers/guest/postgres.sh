# SPDX-License-Identifier: MIT
# PostgreSQL over TCP, with psql and pgbench. It refuses to run as root. shellcheck shell=bash
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
chown nobody .
server() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
server initdb -D db -A trust --no-sync -U me >/dev/null
server postgres -D db -k '' -h 127.0.0.1,::1 -F >db/log 2>&1 &
until pg_isready -q -h 127.0.0.1; do sleep 0.5; done
ask() { psql -X -U me postgres -h "$@"; }
ask 127.0.0.1 -c 'create table t(a int, b text)' \
	-c 'insert into t select i, md5(i::text) from generate_series(1, 2000) i' -c 'select count(*), min(b), sum(a) from t'
ask ::1 -Atc 'select inet_client_addr(), inet_server_addr(), inet_server_port()'
ask localhost -c '\copy t to numbers.csv csv'
sha256sum numbers.csv
ask localhost -Atq <<END
listen news;
\! psql -X -U me postgres -h localhost -qc "notify news, 'an item'"
select 1;
END
ask localhost -Atc 'select pg_sleep(10)' 2>&1 &
until [ "$(ask localhost -Atc "select pg_cancel_backend(pid) from pg_stat_activity where query like 'select pg_sleep%'")" = t ]; do
	sleep 0.1
done
wait $!
pgbench -h 127.0.0.1 -U me -i -q postgres >/dev/null 2>&1
pgbench -h 127.0.0.1 -U me -c 4 -j 2 -t 20 postgres 2>/dev/null | grep processed
ask localhost -Atc 'select count(*) from pgbench_history' -c 'select sum(abalance) = (select sum(bbalance) from pgbench_branches) from pgbench_accounts'
kill -INT "$(head -n 1 db/postmaster.pid)"
wait
grep -o 'database system is shut down' db/log
