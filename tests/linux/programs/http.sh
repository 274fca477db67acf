# SPDX-License-Identifier: MIT
# A server of HTTP in Python and curl: a page, a large file, a page that does not exist. shellcheck shell=sh
seq 100000 >numbers
echo hello >index.html
mkfifo ready
python3 -u -m http.server --bind 127.0.0.1 0 >ready 2>log &
read -r line <ready # the server listens now
url=${line#*(} url=${url%%)*}
curl -s "$url"
curl -s "$url/numbers" | sha256sum
curl -s -o /dev/null -w '%{http_code} %{size_download}\n' "$url/nothing"
curl -s --http1.0 "$url" "$url"
kill $!
wait
curl -s "$url"
echo "without a server: $?"
sed 's/\[.*\] //' log
