# SPDX-License-Identifier: MIT
# Shared by the tests of engines.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"
count=0

# Commands to run at the end.
at_end=()
trap 'for command in "${at_end[@]}"; do eval "$command"; done' EXIT

# others_may_run COMMAND...: lets another user, as whom COMMAND runs something, run what was built. If other users
# cannot enter the clone, $B and $T are copies from now on.
others_may_run() {
	"$@" test -x "$B/eremite" && return
	local copy
	copy=$(mktemp -d /tmp/eremite-test-XXXXXX) && at_end+=("rm -rf '$copy'") && chmod 755 "$copy" || exit 1
	mkdir -p "$copy/build/tests/linux" "$copy/build/apps" "$copy/t"
	cp -r "$B/eremite" "$B/eremite-symbolize" "$B/lib" "$copy/build/"
	cp "$B/apps/hello" "$copy/build/apps/"
	cp -r "$B/tests/engines" "$copy/build/tests/"
	cp "$B/tests/linux/thread_exec" "$B/tests/linux/thread_state" "$copy/build/tests/linux/"
	B=$copy/build T=$copy/t
	restricted=$B/tests/engines/restricted
	"$@" test -x "$B/eremite" || { echo "another user cannot run $B/eremite" && exit 1; }
}

# Whether this host has a KVM that the tests may use.
has_kvm() {
	[ -w /dev/kvm ] && "$B/eremite" run --quiet --engine kvm "$B/apps/hello" >/dev/null 2>&1
}
