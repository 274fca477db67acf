# SPDX-License-Identifier: MIT
#
# For tests of Linux programs. Source it in $T, which programs see at the same path.

. "$SRC/tests/lib.sh"

export T B SRC ERM
MODEL=() # options of every guest that choose its processor model
guest() { "$B/tests/watchdog" 60 "$ERM" run -q "${MODEL[@]}" --bind "$T:$T" --workdir "$T/work" --no-env --env PATH=/usr/bin:/bin --env LC_ALL=C.UTF-8 "$@"; }

# native NAME COMMAND...: runs it natively, with its output in NAME.native; NATIVE=(K=V ...) adds to its environment.
NATIVE=()
native() {
	local name=$1
	shift
	mkdir native.$name
	# With at least the stack that guests have: R and others stop on a smaller one.
	(cd native.$name && { [ "$(ulimit -S -s)" = unlimited ] || [ "$(ulimit -S -s)" -ge 8192 ] || ulimit -S -s 8192; } && env -i PATH=/usr/bin:/bin LC_ALL=C.UTF-8 "${NATIVE[@]}" "$@") >$name.native 2>$name.native.err </dev/null
}

# same OPTIONS NAME COMMAND...: compares output and status with the native run.
same() {
	local options=$1 name=$2 status=0
	shift 2
	mkdir -p work
	# shellcheck disable=SC2086
	guest $options "$@" >$name.guest 2>$name.err </dev/null || status=$?
	rm -r work
	diff $name.native $name.guest || fail "$name $options differs (< native, > eremite): $(tail -3 $name.err)"
	[ $status -eq $expected ] || fail "$name $options ends with $status, natively with $expected: $(tail -3 $name.err)"
}

# compare NAME COMMAND...: output and status as natively, and one digest of five runs with other environments, from other
# directories, and while another runs.
compare() {
	local name=$1 i
	expected=0
	native "$@" 2>/dev/null || expected=$?
	same --summary=json:$name.1 "$@"
	shift
	mkdir work
	(cd / && OTHER=x guest --summary=json:"$T/$name.2" "$@" >/dev/null 2>&1 </dev/null) || true &
	(cd /usr && env -i "$(command -v bash)" -c 'exec "$@"' x "$B/tests/watchdog" 60 "$ERM" run -q "${MODEL[@]}" --bind "$T:$T" --workdir "$T/work" \
		--no-env --env PATH=/usr/bin:/bin --env LC_ALL=C.UTF-8 --summary=json:"$T/$name.3" "$@" >/dev/null 2>&1 </dev/null) || true
	wait
	for i in 4 5; do guest --summary=json:$name.$i "$@" >/dev/null 2>&1 </dev/null || true; done
	for i in 1 2 3 4 5; do
		[ -n "$(digest $name.$i)" ] && [ "$(digest $name.$i)" = "$(digest $name.1)" ] || fail "$name: run $i has another digest"
	done
	rm -r work native.$name
}

# compare, and the same output and status under other schedules.
compare_schedules() {
	local policy seed
	compare "$@"
	for policy in rr:quantum=20us random random:p=0.1 pct pos; do
		for seed in 1 2; do same "--sched=$policy --sched-seed=$seed" "$@"; done
	done
}
