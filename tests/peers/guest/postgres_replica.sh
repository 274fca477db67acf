# SPDX-License-Identifier: MIT
# PostgreSQL with a replica that streams. shellcheck shell=bash
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
chown nobody .
server() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
ask() { psql -X -h 127.0.0.1 -U me postgres -At -p "$@"; }
server initdb -D one -A trust --no-sync -U me >/dev/null
server postgres -D one -k '' -h 127.0.0.1 -p 5432 -c fsync=off >one/log 2>&1 &
until pg_isready -q -h 127.0.0.1 -p 5432; do sleep 0.5; done
server pg_basebackup -h 127.0.0.1 -U me -D two -R -X stream --no-sync
server postgres -D two -k '' -h 127.0.0.1 -p 5433 -c fsync=off >two/log 2>&1 &
until pg_isready -q -h 127.0.0.1 -p 5433; do sleep 0.5; done
until [ "$(ask 5432 -c 'select state from pg_stat_replication')" = streaming ]; do sleep 0.1; done
ask 5432 -c 'create table t as select generate_series(1, 10000) i'
until [ "$(ask 5433 -c 'select count(*) from t' 2>/dev/null)" = 10000 ]; do sleep 0.1; done
ask 5433 -c 'select sum(i), pg_is_in_recovery() from t'
ask 5433 -c 'insert into t values (1)' 2>&1
kill -QUIT "$(head -n 1 one/postmaster.pid)"
ask 5433 -c 'select pg_promote()'
ask 5433 -c 'insert into t values (1)' -c 'select count(*) from t'
kill -INT "$(head -n 1 two/postmaster.pid)"
wait
