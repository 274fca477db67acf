#!/bin/bash
# SPDX-License-Identifier: MIT
#
# network_live.sh SIDE COUNT [RECORDING]: COUNT requests from 16 connections of the host to nginx on SIDE: natively, or in
# a guest with the engine SIDE, recorded in RECORDING.
set -eu
network=bench/linux/network
options=()
if [ $# -gt 2 ]; then
	rm -rf "$3" && mkdir -p "${3%/*}"
	options=(--record "$3")
fi
if [ "$1" = native ]; then
	port=$($network free-port) stop=$($network free-port)
	/bin/bash bench/linux/network_nginx.sh "$port" "$stop" &
	server=$!
else
	port='' stop=''
	exec 3< <(exec ./eremite run --engine "$1" --publish 0:8000 --publish 0:8001 "${options[@]}" --bind .:/figures:ro \
		--workdir /figures /bin/bash bench/linux/network_nginx.sh 8000 8001 2>&1)
	server=$!
	while [ -z "$port" ] || [ -z "$stop" ]; do
		read -r line <&3
		case $line in
		*'port 8000 of the guest'*) port=${line##*:} ;;
		*'port 8001 of the guest'*) stop=${line##*:} ;;
		esac
	done
	cat <&3 >/dev/null &
fi
trap 'kill $server 2>/dev/null || :' EXIT
$network wait "$port"
ab -q -k -n "$2" -c 16 "http://127.0.0.1:$port/"
$network wait "$stop"
wait "$server"
