# SPDX-License-Identifier: MIT
# HTTPS with a CA of its own: openssl's server, and openssl, curl and Python as clients. shellcheck shell=bash
exec 2>/dev/null
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 3650 -subj /CN=ca
openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out request -subj /CN=localhost
openssl x509 -req -in request -CA ca.pem -CAkey ca.key -CAcreateserial -days 365 -out cert.pem \
	-extfile <(echo subjectAltName=DNS:localhost,IP:127.0.0.1)
seq 20000 >numbers
mkfifo ready
openssl s_server -accept 4433 -cert cert.pem -key key.pem -WWW >ready &
exec 3<ready
grep -qm1 ACCEPT <&3
cat <&3 >log &
sha256sum <numbers
curl -s --cacert ca.pem https://localhost:4433/numbers | sha256sum
curl -s --cacert ca.pem --tls-max 1.2 https://127.0.0.1:4433/numbers | sha256sum
curl -s https://localhost:4433/numbers
echo "without the CA: $?"
printf 'GET /numbers HTTP/1.0\r\n\r\n' | openssl s_client -quiet -CAfile ca.pem -verify_return_error \
	-connect localhost:4433 | head -n 1
openssl s_client -CAfile ca.pem -connect 127.0.0.1:4433 </dev/null | grep -E '^subject|^Verification|Cipher is'
python3 -c '
import ssl, urllib.request
context = ssl.create_default_context(cafile="ca.pem")
print(len(urllib.request.urlopen("https://localhost:4433/numbers", context=context).read()))'
kill %1
wait
