# SPDX-License-Identifier: MIT
# memcached with four threads; the shell and six threads of Python as clients. shellcheck shell=bash
memcached -u root -l 127.0.0.1 -p 11211 -U 11211 -t 4 -v 2>log &
until exec 3<>/dev/tcp/127.0.0.1/11211; do sleep 0.1; done 2>/dev/null
printf 'set a 0 0 5\r\nhello\r\nget a\r\nincr a 1\r\nset n 0 0 2\r\n41\r\nincr n 1\r\nquit\r\n' >&3
cat <&3
python3 /scripts/memcached.py
kill $!
wait
cat log
