# SPDX-License-Identifier: MIT
# Applets of busybox; $1 is a text.
b=/bin/busybox
for a in md5sum sha1sum sha256sum sha512sum sha3sum base64 crc32 tac rev nl wc uniq sort expand unexpand fold od hexdump xxd cat unix2dos; do
	echo "$a $($b $a <"$1" | $b md5sum)"
done
$b head -n 2 "$1"; $b tail -n 2 "$1"; $b cut -d' ' -f2 "$1" | $b cksum 2>/dev/null
$b grep -c the "$1"; $b egrep -c 'a|b' "$1"; $b fgrep -c the "$1"; $b sed -n 's/the/THE/p' "$1" | $b head -n 2
$b awk '{n += NF} END {print n}' "$1"; $b paste "$1" "$1" | $b md5sum; $b tr a-z A-Z <"$1" | $b md5sum
$b cmp "$1" "$1" && echo same; $b strings /bin/busybox | $b md5sum; $b xargs -n 2 echo <"$1" | $b tail -n 1
for a in gzip bzip2 lzop; do $b $a -c <"$1" | $b ${a}cat 2>/dev/null; done | $b md5sum
$b gzip -c "$1" | $b gunzip | $b md5sum; $b bzip2 -c "$1" | $b bunzip2 | $b md5sum; $b bzip2 -c "$1" | $b bzcat | $b md5sum
$b uuencode x <"$1" | $b uudecode -o - | $b md5sum
$b mkdir -p t/x/y; cd t || exit 1
$b touch a b x/c; $b mv a d; $b cp -r x z; $b ls -1R; $b find . | $b sort; $b chmod 640 d; $b stat -c '%a %s %F' d
$b ln -s d l; $b readlink l; $b ln d h; $b stat -c %h d; $b rm -r z; $b rmdir x/y; $b truncate -s 100 b; $b wc -c b
$b tar cf t.tar x b; $b tar tf t.tar; $b find . -type f | $b sort | $b cpio -o -H newc 2>/dev/null | $b cpio -t 2>/dev/null
$b mkfifo f; (echo through >f) & $b cat f; wait
$b dd if=b bs=10 count=3 2>/dev/null | $b wc -c; $b fallocate -l 10 a; $b stat -c %s a; $b shred -u a; $b install -m 600 b i; $b stat -c %a i
$b unlink h; $b mktemp qXXXXXX | $b wc -c; $b rm q??????; $b sync; $b fsync b; $b tee q </dev/null; $b ls
cd .. && $b rm -r t
$b date -u -d @86400; $b basename /a/b.c .c; $b dirname /a/b/c; $b expr 3 + 4; $b factor 1001; $b seq 1 3 10; $b printf '%s-%d\n' a 5
$b env -i A=1 $b env; $b which sh; $b yes | $b head -n 2; echo '2^100' | $b bc; echo '2 3 + p' | $b dc; $b cal 1 2000
$b timeout 1 $b echo t; $b timeout 0.05 $b sleep 5; echo $?; $b usleep 10; $b sleep 0.01; $b test 1 -lt 2 && echo less; $b false; echo $?; $b true
$b ipcalc -n 10.1.2.3/8; $b getopt ab: -a -b c; $b ash -c 'echo ash'; $b arch; $b uname -s; $b echo -e 'a\tb'; $b ts </dev/null
