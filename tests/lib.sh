# SPDX-License-Identifier: MIT
# Shared by scripts of all folders: reports of failures, and reading a summary.
# shellcheck shell=bash

failed=0 # a script ends with `exit $failed`

# complain WHAT LINE...: reports a failure with details; the script continues.
complain() {
	failed=1
	echo "WRONG: $1"
	shift
	for line; do echo "    $line"; done
}

# fail WHAT...: reports a failure and ends the script.
fail() {
	echo "$*"
	exit 1
}

# skip WHY...: ends the script, which cannot run on this host.
skip() {
	echo "$*"
	exit 77
}

# needs_bwrap [USER...]: ends the script unless bubblewrap works here, after the command that becomes another user. In a chroot,
# the kernel permits no user namespace (EPERM, user_namespaces(7)); some hosts permit none at all.
needs_bwrap() {
	local why
	command -v bwrap >/dev/null || fail "needs bubblewrap (apt-get install bubblewrap)"
	why=$(cd / && "$@" bwrap --unshare-all --die-with-parent --ro-bind / / true 2>&1) ||
		skip "this host lets bubblewrap make no namespaces, as in a chroot or a container: ${why##*$'\n'}"
}

# digest [SUMMARY]: the digest in a JSON summary (default: $T/summary); nothing if there is none.
digest() {
	jq -r '.digest // empty' "${1:-$T/summary}" 2>/dev/null
}

# take_summary FILE: sets `end`, `run_digest`, `virtual_ns` and `decisions` from a JSON summary, or empties them. It
# starts no program, because some scripts run a thousand guests.
take_summary() {
	local text=
	[ ! -s "$1" ] || IFS= read -r -d '' text <"$1"
	end= run_digest= virtual_ns= decisions=
	[[ $text =~ \"end\":[^\"]*\"([a-z]*)\" ]] && end=${BASH_REMATCH[1]}
	[[ $text =~ \"digest\":[^\"]*\"(sha256:[0-9a-f]*)\" ]] && run_digest=${BASH_REMATCH[1]}
	[[ $text =~ \"virtual_ns\":[^0-9]*([0-9]+) ]] && virtual_ns=${BASH_REMATCH[1]}
	[[ $text =~ \"decisions\":[^0-9]*([0-9]+) ]] && decisions=${BASH_REMATCH[1]}
	return 0
}

# wait_line FILE PATTERN PID: waits until FILE, which need not exist yet, has a line with the pattern, or the process
# has ended. tail waits by inotify(7); -s is the interval at which it checks for the process.
wait_line() {
	grep -qaEm1 -- "$2" < <(exec tail -n +1 -s 0.2 -F --pid="$3" "$1" 2>/dev/null)
}

# wait_end PID...: waits until these processes, which need not be children, have ended.
wait_end() {
	python3 -c '
import os, select, sys
for pid in sys.argv[1:]:
    try:
        process = os.pidfd_open(int(pid))
    except ProcessLookupError:
        continue
    select.select([process], [], [])' "$@"
}

# wait_old FILE: waits until the times of FILE are more than two seconds old, so that the store takes a copy of it.
wait_old() {
	until [ "$(date +%s)" -gt $(($(stat -c %Z "$1") + 2)) ]; do sleep 0.1; done
}

# unpack FOLDER PACKAGE VERSION FILE SHA256: the sources of a package of Debian, in FOLDER.
unpack() {
	"$SRC/scripts/fetch-source" "$2" "$3" "$4" "$5" "$B/download"
	mkdir -p "$1" && tar -xf "$B/download/$4" --strip-components=1 -C "$1"
}
# shellcheck disable=SC2034 # for unpack
zlib=(zlib 1:1.2.13.dfsg-1 zlib_1.2.13.dfsg.orig.tar.bz2 71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1)
