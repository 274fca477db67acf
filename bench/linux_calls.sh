# SPDX-License-Identifier: MIT
# What shell scripts usually ask of the kernel: files, pipes, child processes, applets over some data.
set -e
mkdir -p /tmp/eremite-bench-calls
cd /tmp/eremite-bench-calls
for i in 1 2 3 4 5; do
	seq 1 20000 >numbers
	sort -rn numbers | head -n 10 >top
	gzip -c numbers | gunzip -c | cmp - numbers
	awk '{s += $1} END {print s}' numbers >sum
	sed -n '/7$/p' numbers | wc -l >count
	tar -cf all.tar numbers top sum count
	sha256sum all.tar >sums
	find . -type f | sort | while read -r name; do test -s "$name"; done
done
rm -rf /tmp/eremite-bench-calls
