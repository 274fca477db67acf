# SPDX-License-Identifier: MIT
# MariaDB over TCP. It refuses to run as root. shellcheck shell=bash
chown nobody .
mariadb-install-db --no-defaults --datadir="$PWD/data" --user=nobody --auth-root-authentication-method=normal \
	--skip-test-db >log 2>&1 || cat log
mariadbd --no-defaults --datadir="$PWD/data" --user=nobody --bind-address=127.0.0.1 --port=3307 --socket="$PWD/socket" \
	--skip-name-resolve >log 2>&1 &
at=(--no-defaults -h 127.0.0.1 -P 3307 -u root)
until mariadb-admin "${at[@]}" ping 2>/dev/null; do sleep 0.5; done
mariadb "${at[@]}" -e 'create database d; use d; create table t(a int primary key, b text) engine=innodb;
	insert into t select seq, md5(seq) from seq_1_to_1000; select count(*), min(b) from t'
for i in 1 2 3 4; do
	mariadb "${at[@]}" d -e "start transaction; update t set b = concat(b, '$i') where a = $i; commit" &
	clients+=($!)
done
wait "${clients[@]}"
mariadb "${at[@]}" d -Ne 'select a, b from t where a < 6'
mariadb-admin "${at[@]}" shutdown
wait
grep -om1 'Shutdown complete' log
