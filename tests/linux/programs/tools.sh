# SPDX-License-Identifier: MIT
# coreutils, grep, sed, awk, find, diff, tar, compressors, and gcc with make; $1 is a text.
for a in md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum base32 base64 'basenc --base16' 'cat -A' tac nl 'od -tx1' \
	fmt fold 'tail -c +100' wc sort 'sort -n -k2 -u' 'uniq -c' 'cut -c1-5' 'tr a-z A-Z' expand 'unexpand -a' 'head -c 100' ptx \
	'grep -n the' 'grep -c -E a|b' 'grep -o -P \bthe\b' 'sed s/a/b/g;1,5d' 'sed -n /The/,/^$/p' 'gzip -9n' 'bzip2 -9' 'xz -T2' "shuf --random-source=$1"; do
	echo "$a: $($a <"$1" | md5sum)"
done
sort --parallel=4 -S 1M -R --random-source="$1" "$1" | md5sum
awk '{a[$1]++} END {for (k in a) print k, a[k] | "sort"}' "$1" | md5sum
awk 'BEGIN {printf "%.10f %s\n", sin(1), substr("hello", 2, 3); while (("echo 1 2" | getline l) > 0) print l; system("echo s")}'
mkdir f && cd f || exit 1
cp "$1" s && ln s hard && ln -s s soft && stat -c '%n %s %h %F %a' s soft && rm s && touch -d 2000-01-02 t && date -r t +%s
truncate -s 5000 t; dd if=t of=u bs=512 count=4 status=none; install -D -m 600 u x/y/z; find . -printf '%p %m\n' | sort
cp -a x xx; diff -r x xx && echo same; seq 3 >p; seq 2 4 >q; diff -u p q | tail -n +3; cmp p q; diff3 p q p; split -b 1000 "$1" z. && cat z.* | md5sum
find . -type f -print0 | sort -z | xargs -0 -n 5 -P 3 cat | wc -c
for c in z j J; do tar c${c}f t.tar hard && tar x${c}Of t.tar | md5sum; done; tar cf - --sort=name --mtime=@0 --owner=0 --group=0 --mode=644 x | md5sum
date -u -d '2000-01-01 +1 month' +%F; nice -n 5 nice; timeout 0.1 sleep 2; echo $?; stdbuf -oL echo y; env -i A=b env; numfmt --to=iec 123456; factor 123456789012
cat >h.c <<'X'
#include <stdio.h>
#include <math.h>
int main(int c, char **v) { (void)v; return printf("hello %d %.17g\n", c, sin(1.0) + c) < 0; }
X
printf 'all: h\n\t./h a b\nh: h.o\n\tgcc -o $@ $^ -lm\n%%.o: %%.c\n\tgcc -O2 -c $< -o $@\n' >Makefile
make -j2 2>/dev/null; make -n
git init -q . 2>/dev/null && git add p q && git -c user.name=a -c user.email=a@b commit -q --date=@0 -m first && git log --format='%an %s' && git status --short p q
