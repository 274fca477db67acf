# SPDX-License-Identifier: MIT
# Small servers: iperf3, socat, rsync's daemon, Mosquitto with retained messages. shellcheck shell=bash
: >iperf.log
iperf3 -s -1 -B 127.0.0.1 --forceflush >iperf.log 2>&1 &
until grep -q listening iperf.log; do sleep 0.1; done
iperf3 -c 127.0.0.1 -n 20M -P 2 -J | jq -c '.error, .end.sum_sent.bytes'
wait
iperf3 -s -1 -B 127.0.0.1 --forceflush >iperf.log 2>&1 &
until grep -q listening iperf.log; do sleep 0.1; done
iperf3 -u -c 127.0.0.1 -n 1M -b 100M -J | jq -c '.error, .end.sum.lost_packets'
wait

socat TCP-LISTEN:9000,bind=127.0.0.1,fork,reuseaddr EXEC:'tr a-z A-Z' &
server=$!
until socat /dev/null TCP:127.0.0.1:9000 2>/dev/null; do sleep 0.1; done
echo hello | socat - TCP:127.0.0.1:9000
kill $server
wait

mkdir module copy
seq 10000 >module/numbers
printf '%s\n' port=8730 address=127.0.0.1 'use chroot=no' uid=root gid=root '[module]' "path=$PWD/module" 'read only=no' >rsync.conf
rsync --daemon --no-detach --config=rsync.conf &
server=$!
at=rsync://127.0.0.1:8730/module/
until rsync $at >/dev/null 2>&1; do sleep 0.1; done
rsync -a $at copy/
cmp module/numbers copy/numbers && echo same
echo more >>copy/numbers
rsync -a --stats copy/ $at | grep '^Matched'
cmp module/numbers copy/numbers && echo same
kill $server
wait

printf '%s\n' 'listener 1883 127.0.0.1' 'allow_anonymous true' 'user root' >mosquitto.conf
mosquitto -c mosquitto.conf 2>mosquitto.log &
server=$!
until mosquitto_pub -h 127.0.0.1 -t first -m x 2>/dev/null; do sleep 0.1; done
mosquitto_pub -h 127.0.0.1 -r -t news/1 -m one -q 2
mosquitto_pub -h 127.0.0.1 -r -t news/2 -m two -q 2
mosquitto_pub -h 127.0.0.1 -r -t news/3 -m three -q 2
mosquitto_sub -h 127.0.0.1 -t 'news/#' -C 3 -v -q 1
kill $server
wait
