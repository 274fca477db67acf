#!/bin/bash
# SPDX-License-Identifier: MIT
#
# network_nginx.sh PORT STOP [COUNT]: serves a page with nginx until something connects to the port STOP. With COUNT, as
# many requests from 16 connections come from beside it. PORT 0: free ports.
set -eu
network=bench/linux/network
port=$1 stop=$2
[ "$port" != 0 ] || port=$($network free-port) stop=$($network free-port)
dir=$(mktemp -d /tmp/eremite-bench.XXXXXX)
trap 'kill ${server-} ${stopped-} 2>/dev/null || :; rm -rf "$dir"' EXIT
mkdir "$dir/www" "$dir/tmp"
head -c 600 /dev/zero | tr '\0' x >"$dir/www/index.html"
cat >"$dir/conf" <<END
daemon off; master_process off; pid pid; error_log error.log; events {}
http { access_log off; keepalive_requests 1000000; client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp;
uwsgi_temp_path tmp; scgi_temp_path tmp; server { listen $port; root $dir/www; } }
END
$network accept "$stop" &
stopped=$!
nginx -e error.log -p "$dir" -c conf &
server=$!
if [ $# -gt 2 ]; then
	$network wait "$port"
	ab -q -k -n "$3" -c 16 "http://127.0.0.1:$port/"
	$network wait "$stop"
fi
wait $stopped
kill -QUIT $server
wait $server
