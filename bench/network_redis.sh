#!/bin/bash
# SPDX-License-Identifier: MIT
#
# network_redis.sh COUNT: COUNT requests to get, and as many to set, from 16 connections to a server beside it.
set -eu
network=bench/linux/network
port=$($network free-port)
# Debian's package redis-server would start one; redis-tools has the same program by another name.
(exec -a redis-server redis-check-rdb --port "$port" --save '' --logfile /dev/null) &
trap 'kill $! 2>/dev/null || :' EXIT
$network wait "$port"
redis-benchmark -p "$port" -q -n "$1" -c 16 -t get,set
redis-cli -p "$port" shutdown nosave
wait $!
