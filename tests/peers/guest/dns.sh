# SPDX-License-Identifier: MIT
# dnsmasq, and dig over UDP and TCP. shellcheck shell=bash
cat >conf <<END
no-resolv
no-hosts
user=root
log-facility=$PWD/log
log-queries
pid-file=$PWD/pid
address=/example.test/192.0.2.7
host-record=host.test,192.0.2.9,2001:db8::9
txt-record=text.test,"some text"
cname=alias.test,host.test
END
for i in $(seq 100); do echo "txt-record=long.test,string number $i of many"; done >>conf
dnsmasq -k -C conf &
until dig +time=1 +tries=1 @127.0.0.1 host.test >/dev/null; do sleep 0.1; done
ask() { dig +short "$@"; }
ask @127.0.0.1 a.example.test A
ask @127.0.0.1 host.test AAAA
ask @127.0.0.1 alias.test
ask @127.0.0.1 text.test TXT
ask @127.0.0.1 long.test TXT | wc -l # too long for UDP
ask @127.0.0.1 +tcp host.test
ask @127.0.0.1 -x 192.0.2.9
ask @::1 host.test
ask @10.0.2.15 host.test
dig @127.0.0.1 nothing.test | grep -oE 'status: [A-Z]*|127.0.0.1#53.*'
dig +time=1 +tries=1 -p 54 @127.0.0.1 host.test | grep -o 'connection refused\|no servers could be reached'
kill "$(cat pid)"
wait
grep -c 'query\[' log
