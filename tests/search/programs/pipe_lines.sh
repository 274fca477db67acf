#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Bug: two processes write lines into one pipe, each line in two pieces, so a line of one can come between the pieces of
# the other. Bites: the reader says "a broken line: ..." and ends with status 1. With the argument `fixed`, a line is one
# write, which a pipe keeps whole.
write_lines() {
	if [ "$2" = fixed ]; then
		printf '%s begins and ends\n' "$1"
	else
		printf '%s begins ' "$1"
		printf 'and ends\n'
	fi
}

{
	write_lines one "$1" &
	write_lines two "$1" &
	wait
} | python3 -SEs -c '
import sys

for line in sys.stdin:
    if line not in ("one begins and ends\n", "two begins and ends\n"):
        sys.exit("a broken line: " + line.rstrip())
'
