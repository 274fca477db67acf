#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Bug: lost update between processes. Each reads a number from a file, adds one, and writes it back; nothing keeps the
# other out between the two. Bites: "1 of 2 counted", status 1. With the argument `fixed`, mkdir is the lock.
dir=$(mktemp -d) || exit 2
echo 0 >"$dir/count"

count() {
	if [ "$1" = fixed ]; then
		until mkdir "$dir/lock" 2>/dev/null; do sleep 0.01; done
	fi
	read -r number <"$dir/count"
	echo $((number + 1)) >"$dir/count"
	[ "$1" != fixed ] || rmdir "$dir/lock"
}

count "$1" &
count "$1" &
wait
read -r number <"$dir/count"
rm -r "$dir"
[ "$number" = 2 ] && exit 0
echo "$number of 2 counted"
exit 1
