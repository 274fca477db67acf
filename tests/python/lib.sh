# SPDX-License-Identifier: MIT
#
# Modules of CPython's own suite (Debian's libpython3.11-testsuite), natively and in the guest. tests/python/modules
# lists them, and the tests that are left out.

. "$SRC/tests/lib.sh"

# Natively, bytecode would be written beside the sources, which the guest sees.
PYTHON_ENVIRONMENT=(PYTHONDONTWRITEBYTECODE=1 PATH=/usr/bin:/bin LC_ALL=C.UTF-8 HOME=/root)
PYTHON_LIMIT=${PYTHON_LIMIT:-300}

# python_modules [quick]: the modules of the list, or those that `make check-long` runs.
python_modules() { awk -v quick="${1:-}" '/^test_/ && (!quick || $2 == quick) { print $1 }' "$SRC/tests/python/modules"; }

# python_command XML MODULE...: sets the array `command` to the command that runs them.
python_command() {
	local xml=$1 pattern
	shift
	command=(/usr/bin/python3 -m test --junit-xml "$xml")
	while read -r pattern; do
		command+=(-i "$pattern")
	done < <(awk -v modules=" $* " '
		/^test_/ { wanted = index(modules, " " $1 " ") }
		wanted && $1 == "-" { print $2 }' "$SRC/tests/python/modules")
	command+=("$@")
}

# python_native NAME MODULE...: runs them natively, into NAME.xml, NAME.log and NAME.status.
python_native() {
	local name=$1 status=0 command
	shift
	mkdir "$name.dir"
	python_command "$PWD/$name.xml" "$@"
	(cd "$name.dir" && env -i "${PYTHON_ENVIRONMENT[@]}" "$B/tests/watchdog" "$PYTHON_LIMIT" "${command[@]}") >"$name.log" 2>&1 </dev/null ||
		status=$?
	rm -rf "$name.dir"
	echo "$status" >"$name.status"
}

# python_guest NAME MODULE...: the same in the guest, with its digest in NAME.digest.
python_guest() {
	local name=$1 status=0 command
	shift
	mkdir "$name.out"
	python_command /out/outcomes.xml "$@"
	"$B/tests/watchdog" "$PYTHON_LIMIT" "$ERM" run -q --workdir / --memory 2G --no-env "${PYTHON_ENVIRONMENT[@]/#/--env=}" --out "$name.out" \
		"--summary=json:$name.summary" "${command[@]}" >"$name.log" 2>&1 </dev/null || status=$?
	[ ! -f "$name.out/outcomes.xml" ] || mv "$name.out/outcomes.xml" "$name.xml"
	rm -rf "$name.out"
	echo "$status" >"$name.status"
	[ ! -f "$name.summary" ] || digest "$name.summary" >"$name.digest"
}

# python_compare NATIVE GUEST: whether status and each test's outcome are the same; prints differences.
python_compare() {
	local name
	for name; do
		"$SRC/tests/python/outcomes" "$name.xml" >"$name.outcomes" 2>/dev/null ||
			{ echo "no outcomes of $name: status $(cat "$name.status"), $(tail -n 3 "$name.log")" && return 1; }
	done
	diff "$1.outcomes" "$2.outcomes" || { echo "outcomes differ (< native, > eremite)" && return 1; }
	cmp -s "$1.status" "$2.status" ||
		{ echo "ends with $(cat "$2.status"), natively with $(cat "$1.status"): $(tail -n 3 "$2.log")" && return 1; }
}

# python_same_digests NAME...: whether all runs have one and the same digest.
python_same_digests() {
	local name
	for name; do
		[ -s "$name.digest" ] && cmp -s "$1.digest" "$name.digest" || { echo "$name has another digest" && return 1; }
	done
}
