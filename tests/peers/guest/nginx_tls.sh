# SPDX-License-Identifier: MIT
# nginx with four workers that share ports by SO_REUSEPORT: TLS, HTTP/2, threads for files, FastCGI. shellcheck shell=bash
mkdir tmp www
echo page >www/page
openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 10 -subj /CN=localhost \
	-addext subjectAltName=DNS:localhost 2>/dev/null
cat >conf <<END
worker_processes 4;
daemon off;
pid pid;
error_log error.log info;
events { worker_connections 64; multi_accept on; }
http {
	access_log off;
	client_body_temp_path tmp; proxy_temp_path tmp; fastcgi_temp_path tmp; uwsgi_temp_path tmp; scgi_temp_path tmp;
	aio threads;
	sendfile on;
	tcp_nopush on;
	server {
		listen 8443 ssl http2 reuseport so_keepalive=on backlog=10;
		listen [::]:8443 ssl http2 reuseport ipv6only=on;
		ssl_certificate cert.pem;
		ssl_certificate_key key.pem;
		root www;
		location /cgi {
			include /etc/nginx/fastcgi_params;
			fastcgi_param SCRIPT_FILENAME $PWD/cgi.sh;
			fastcgi_pass 127.0.0.1:9090;
		}
	}
}
END
cat >cgi.sh <<'END'
#!/bin/sh
printf 'Content-Type: text/plain\r\n\r\n'
echo "$REQUEST_METHOD $QUERY_STRING $REMOTE_ADDR $(cat)"
END
chmod +x cgi.sh
fcgiwrap -s tcp:127.0.0.1:9090 -c 2 &
cgi=$!
nginx -e error.log -p "$PWD" -c conf 2>/dev/null &
at=https://localhost:8443
until curl -sk $at/page >/dev/null; do sleep 0.1; done
curl -s --cacert cert.pem --http2 -w '%{http_version}\n' $at/page
curl -s -k -6 -w '%{http_version}\n' 'https://[::1]:8443/page'
curl -s --cacert cert.pem -d body "$at/cgi?q=1"
for i in $(seq 30); do urls+=("$at/page?$i" -o "out$i"); done
curl -s --cacert cert.pem --parallel --parallel-max 10 "${urls[@]}" 2>/dev/null
cat out* | sort | uniq -c
ab -q -n 100 -c 10 $at/page | grep -E '^(Complete|Failed)'
kill -QUIT "$(cat pid)"
kill $cgi
wait
grep -c 'exited with code 0' error.log
