# SPDX-License-Identifier: MIT
# redis with two replicas and three sentinels, which find that the master has gone and make a replica the master.
# shellcheck shell=bash
ask() { redis-cli -p "$@" 2>&1; }
for port in 7001 7002 7003; do
	mkdir $port
	redis-server --port $port --dir $port --logfile log --save '' --repl-diskless-sync-delay 0 \
		$([ $port = 7001 ] || echo --replicaof 127.0.0.1 7001) &
done
for port in 8001 8002 8003; do
	mkdir $port
	printf '%s\n' "port $port" "dir $PWD/$port" 'logfile log' 'sentinel monitor main 127.0.0.1 7001 2' \
		'sentinel down-after-milliseconds main 1000' 'sentinel failover-timeout main 5000' >$port/conf
	redis-server $port/conf --sentinel &
done
until ask 7001 info replication | grep connected_slaves:2; do sleep 0.1; done
ask 7001 set a 1
ask 7001 wait 2 1000
ask 7003 get a
for port in 8001 8002 8003; do
	until ask $port sentinel ckquorum main | grep '^OK 3'; do sleep 1; done
	until [ "$(ask $port sentinel replicas main | grep -c '^name$')" = 2 ]; do sleep 1; done
done
ask 8001 sentinel get-master-addr-by-name main
ask 7001 shutdown nosave
for port in 8001 8002 8003; do
	until new=$(ask $port sentinel get-master-addr-by-name main | tail -n 1) && [ "$new" != 7001 ]; do sleep 1; done
	news+=" $new"
done
case $news in ' 7002 7002 7002' | ' 7003 7003 7003') echo "one replica is the new master" ;; *) echo "$news" ;; esac
until [ "$(ask "$new" set b 2)" = OK ]; do sleep 1; done
until ask "$new" info replication | grep connected_slaves:1; do sleep 1; done
ask "$new" wait 1 1000
ask 7002 mget a b
ask 7003 mget a b
grep -ho '+[sod]*down master main' 8001/log
for port in 7002 7003 8001 8002 8003; do ask $port shutdown nosave; done
wait
