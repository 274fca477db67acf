# SPDX-License-Identifier: MIT
# HAProxy in front of two servers, of which one ends. shellcheck shell=bash
mkdir www
echo page >www/page
for port in 8001 8002; do
	python3 -u -m http.server -d www --bind 127.0.0.1 $port >$port.log 2>&1 &
	servers+=($!)
done
cat >conf <<END
global
	stats socket $PWD/stats mode 600 level admin
	nbthread 2
defaults
	mode http
	timeout connect 1s
	timeout client 5s
	timeout server 5s
frontend front
	bind 127.0.0.1:8080
	default_backend back
backend back
	balance roundrobin
	server one 127.0.0.1:8001 check inter 500ms
	server two 127.0.0.1:8002 check inter 500ms
END
for port in 8001 8002; do until grep -q Serving $port.log; do sleep 0.1; done; done
haproxy -f conf -db 2>log &
proxy=$!
until curl -s http://127.0.0.1:8080/page >/dev/null; do sleep 0.1; done
for i in 1 2 3 4 5 6; do curl -s http://127.0.0.1:8080/page; done | uniq -c
status() { python3 -c 'import socket
s = socket.socket(socket.AF_UNIX)
s.connect("stats")
s.sendall(b"show stat\n")
print(s.makefile().read())' | grep '^back' | cut -d , -f 1,2,18 | cut -d ' ' -f 1; }
status
kill "${servers[0]}"
until status | grep -q one,DOWN; do sleep 0.5; done
status
for i in 1 2 3 4; do curl -s http://127.0.0.1:8080/page; done | uniq -c
kill $proxy "${servers[1]}"
wait
grep -o 'Server back/one is DOWN' log
