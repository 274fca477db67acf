# SPDX-License-Identifier: MIT
# redis: a server, its clients and redis-benchmark. shellcheck shell=bash
# Server and checker are one program, which goes by its name; another package only links it as redis-server.
(exec -a redis-server redis-check-rdb --save '' --logfile log) &
until redis-cli ping; do sleep 0.1; done 2>/dev/null
redis-cli set a 1
redis-cli incr a
redis-cli rpush list x y z
redis-cli lrange list 0 -1
seq 1000 | sed 's/.*/set key& value&/' | redis-cli --pipe | tail -n 1
redis-cli get key777
redis-cli -h ::1 strlen key777
redis-cli subscribe news >heard &
until [ "$(redis-cli pubsub numsub news | tail -n 1)" = 1 ]; do sleep 0.1; done
redis-cli publish news "an item"
until grep -A 1 '^news$' heard | grep '^an item'; do sleep 0.1; done
kill $!
redis-cli eval 'local s = 0 for i = 1, 100 do s = s + i end return s' 0
redis-benchmark -q -n 1000 -c 20 -t set,get,lpush,ping_mbulk --csv | cut -d, -f1
redis-benchmark -q -n 1000 -c 10 -P 16 -d 5000 -r 100 -t set,get --csv | cut -d, -f1
redis-cli dbsize
redis-cli info clients | grep ^connected_clients
redis-cli shutdown nosave
wait
grep -o 'bye bye' log
redis-cli ping 2>&1 | grep -o 'Connection refused'
