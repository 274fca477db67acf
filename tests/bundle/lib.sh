# SPDX-License-Identifier: MIT
# Shared by tests of the bundle: a root directory that holds nothing but the bundle, /proc and /dev/null.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"
LIMIT=120 # seconds after which a command hangs, on a loaded host, too
needs_bwrap
bundle=$(echo "$B"/bundle/eremite-*-x86_64)
[ -d "$bundle" ] || fail "there is no bundle; make it by: make bundle"
bare=$(mktemp -d /tmp/eremite-test-XXXXXX) && trap 'rm -rf "$bare"' EXIT && chmod 755 "$bare" || exit 1
cp -r "$bundle" "$bare/bundle" && cp "$B/tests/linux/epoll" "$bare/program" && cp "$B/tests/fault/misbehave" "$bare/misbehave" && chmod -R go=rX "$bare" || exit 1
user=() # the command that changes the user; only root can
[ "$(id -u)" != 0 ] || user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
place=/eremite # of the bundle in the root
more=()        # more options of bwrap

# bare PROGRAM ARG...: runs a program in the root, with output in $T/out and $T/err; sets status.
bare() {
	command="${user[*]} bwrap $*"
	(cd / && exec "$B/tests/watchdog" "$LIMIT" "${user[@]}" bwrap --unshare-all --die-with-parent --clearenv --proc /proc \
		--dev-bind /dev/null /dev/null --ro-bind "$bare/bundle" "$place" --ro-bind "$bare/program" /program --ro-bind "$bare/misbehave" /misbehave \
		--dir /work "${more[@]}" --chdir /work "$@") >"$T/out" 2>"$T/err" </dev/null
	status=$?
}

# ends STATUS PATTERN: the last command ended so, with a line of output or of messages that has the pattern.
ends() {
	[ "$status" = "$1" ] || complain "status $status instead of $1" "$command" "$(head -5 "$T/err")" "$(head -5 "$T/out")"
	cat "$T/out" "$T/err" | grep -qE -- "$2" || complain "no line with $2" "$command" "$(head -5 "$T/err")" "$(head -5 "$T/out")"
}
