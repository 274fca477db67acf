# SPDX-License-Identifier: MIT
# A redis cluster of three masters and three replicas. shellcheck shell=bash
ports=$(seq 7101 7106)
ask() { redis-cli -c -p "$@" 2>&1; }
for port in $ports; do
	mkdir "$port"
	redis-server --port "$port" --dir "$port" --cluster-enabled yes --cluster-node-timeout 2000 --save '' --logfile log &
done
for port in $ports; do until ask "$port" ping | grep -q PONG; do sleep 0.1; done; done
redis-cli --cluster create 127.0.0.1:710{1..6} --cluster-replicas 1 --cluster-yes | grep -o 'All 16384 slots covered'
for port in $ports; do until ask "$port" cluster info | grep -q cluster_state:ok; do sleep 0.1; done; done
for i in $(seq 20); do ask 7101 set "key$i" "value$i"; done | uniq -c
ask 7102 get key5
ask 7106 get key19
redis-benchmark --cluster -p 7101 -q -n 1000 -t set 2>/dev/null | tr '\r' '\n' | grep -o 'SET: .*requests per second' | grep -c . | sed 's/.*/done/'
redis-cli --cluster check 127.0.0.1:7101 | grep -o 'All 16384 slots covered'
for port in $ports; do ask "$port" shutdown nosave; done
wait
