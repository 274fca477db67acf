# SPDX-License-Identifier: MIT
# What dash scripts do.
trap 'echo bye' 0
x=5; while [ $x -gt 0 ]; do printf '%d ' $x; x=$((x-1)); done; echo
set -- a b c; echo $# $*; shift; echo $1
cat <<'X' | sed s/a/b/
aaa
X
(sleep 0.02; echo late) & echo early; wait
trap 'echo int' INT; kill -INT $$
v=$(echo `echo nested`); echo $v
f() { return 7; }; f; echo $?
ls /nonexistent 2>/dev/null; echo $?
if ! false; then echo notfalse; fi
sh -c 'kill -9 $$'; echo $?
sh -c 'kill -TERM $$'; echo $?
echo a:b:c | { IFS=: read p q r; echo $r; }
