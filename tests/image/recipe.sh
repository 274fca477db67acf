# SPDX-License-Identifier: MIT
# Shared by the tests of docs/recipes/: they work with the files of the pages.
# shellcheck shell=bash

. "$SRC/tests/image/verify.sh"
mkdir "$T/bin" && ln -s "$ERM" "$T/bin/eremite" || exit 1
PATH=$T/bin:$PATH

# recipe PAGE: enters a new directory and writes the files of docs/recipes/PAGE.md there. A line with a name in backticks
# and a colon names the block of code that follows.
recipe() {
	mkdir "$T/$1" && cd "$T/$1" || exit 1
	awk '
		inside && /^```$/ { close(name); inside = 0; name = ""; next }
		inside { print > name; next }
		/^`[^`]+`:$/ { name = substr($0, 2, length($0) - 3); next }
		/^```/ && name == "" { print "block of code without a name in line " NR; failed = 1; exit }
		/^```/ {
			inside = 1; files++
			if (name ~ /\//) { folder = name; sub(/\/[^\/]*$/, "", folder); system("mkdir -p " folder) }
		}
		END { exit failed || inside || !files }' "$SRC/docs/recipes/$1.md" || fail "docs/recipes/$1.md has no sound blocks of code"
}

# typed STATUS COMMAND...: the command has this status; its output is in $T/out.
typed() {
	local want=$1 got
	shift
	command="in $PWD: $*"
	"$B/tests/watchdog" "$LIMIT" "$@" >"$T/out" 2>&1 </dev/null
	got=$?
	[ "$got" = "$want" ] || complain "status $got instead of $want" "$command" "$(tail -20 "$T/out")"
}

# typed_page PAGE: types the commands of docs/recipes/PAGE.md.
typed_page() {
	sed -n 's/^    \$ //p' "$SRC/docs/recipes/$1.md" >"$T/commands"
	[ -s "$T/commands" ] || complain "docs/recipes/$1.md has no commands"
	typed 0 bash -ex "$T/commands"
}

# other FROM TO: makes an image whose run prints something else than what is sealed.
other() {
	edit "$1" "$2" 'store("stdout", b"edited\n")'
}
