# SPDX-License-Identifier: MIT
# nginx with two workers; curl, wget, ab and wrk. shellcheck shell=bash
mkdir www tmp
echo hello >www/index.html
seq 200000 >www/numbers
cat >conf <<END
worker_processes 2;
daemon off;
pid pid;
error_log error.log notice;
events { worker_connections 128; }
http {
	access_log access.log;
	client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
	sendfile on;
	gzip on; gzip_types application/octet-stream;
	upstream behind { server 127.0.0.1:8081; keepalive 4; }
	server {
		listen 8080;
		root $PWD/www;
		location /behind/ { proxy_pass http://behind; proxy_http_version 1.1; proxy_set_header Connection ""; }
	}
	server { listen 127.0.0.1:8081 reuseport; location / { return 200 "behind \$remote_addr \$server_port\n"; } }
}
END
nginx -e error.log -p "$PWD" -c conf &
at=http://127.0.0.1:8080
until curl -s $at >/dev/null; do sleep 0.1; done
curl -s $at/ $at/behind/ http://10.0.2.15:8080/behind/x
sha256sum <www/numbers
curl -s --compressed $at/numbers | sha256sum
wget -q -O - $at/numbers | sha256sum
curl -s -r 10-17 $at/numbers
curl -s -o /dev/null -w '%{http_code}\n' $at/nothing
ab -q -n 200 -c 10 $at/ | grep -E '^(Complete|Failed|HTML)'
ab -q -k -n 200 -c 10 $at/behind/ | grep -E '^(Complete|Failed|Keep|HTML)'
cat >stop.lua <<'END'
local count = 0
function response(status, headers, body)
	count = count + 1
	if body ~= "hello\n" then print("wrong", body) end
	if count == 500 then wrk.thread:stop() end
end
END
wrk -t 2 -c 8 -d 1s -s stop.lua $at/ | grep -E 'requests in|Socket|Non-2xx|wrong' | sed 's/.* in .*/wrk ends/'
kill -HUP "$(cat pid)" # new workers
until grep -q 'worker process .* exited' error.log; do sleep 0.1; done
curl -s $at/
kill -QUIT "$(cat pid)"
wait
cut -d ' ' -f 6- access.log | grep -v '"-" "-"$' | sed 's/"Wget.*/"Wget"/; s/"curl.*/"curl"/' | sort | uniq -c
grep -c 'exited with code 0' error.log
