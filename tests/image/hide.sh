# SPDX-License-Identifier: MIT
# Shared by tests that hand an image over. The receiver is another user, in a root directory that holds eremite, its
# libraries and the image, and nothing else of this host.
# shellcheck shell=bash

. "$SRC/tests/engines/lib.sh"
. "$SRC/tests/image/verify.sh"
received=$(mktemp -d /tmp/eremite-test-XXXXXX) && at_end+=("rm -rf '$received'") && chmod 755 "$received" || exit 1
mkdir "$received/lib" && cp "$B/eremite" "$B/apps/hello" "$received/" && cp "$B/lib/linux.image" "$received/lib/" || exit 1

receiver=() # the command that changes the user; only root can
if [ "$(id -u)" = 0 ]; then
	group=65534
	[ ! -c /dev/kvm ] || group=$(stat -c %g /dev/kvm)
	[ "$group" != 0 ] || group=65534
	receiver=(setpriv --reuid 65534 --regid "$group" --clear-groups)
fi
needs_bwrap "${receiver[@]}"
hiding=(bwrap --unshare-all --die-with-parent --clearenv --proc /proc --dev /dev --tmpfs /tmp)
[ ! -c /dev/kvm ] || hiding+=(--dev-bind /dev/kvm /dev/kvm)
# What eremite is linked with, and what it loads when it needs it.
mapfile -t loads < <(sed -n 's/^#define LIBRARY_.* "\(.*\)"$/\1/p' "$B/names/library_names.h" | grep -v libarchive |
	while read -r name; do /sbin/ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }'; done)
while read -r library; do
	hiding+=(--ro-bind "$library" "$library")
done < <(printf '%s\n' "${loads[@]}" && ldd "$B/eremite" "${loads[@]}" | grep -o '/[^ ]* (' | sed 's/ ($//' | sort -u)
hiding+=(--ro-bind "$received" /received --chdir /received)

# hidden ARG...: the receiver runs eremite, with output in $T/out and $T/err; sets status.
hidden() {
	command="${receiver[*]} ${hiding[*]} ./eremite $*"
	(cd / && exec "$B/tests/watchdog" "$LIMIT" "${receiver[@]}" "${hiding[@]}" ./eremite "$@") >"$T/out" 2>"$T/err" </dev/null
	status=$?
}

# The engines of this host that the receiver can use.
engines=(process)
if has_kvm; then
	hidden run -q --engine kvm hello
	[ "$status" = 0 ] && engines+=(kvm) || echo "the receiver cannot use KVM: $(head -1 "$T/err")"
fi

# hand_over IMAGE: moves $T/IMAGE to the receiver, who verifies it on each engine.
hand_over() {
	local engine start
	mv "$T/$1" "$received/" && chmod 644 "$received/$1" || exit 1
	hidden run env
	[ "$status" = 127 ] || complain "the receiver sees programs of this host" "$command" "$(head -5 "$T/err")"
	for engine in "${engines[@]}"; do
		start=$SECONDS
		hidden verify --engine "$engine" --results json "$1"
		[ "$status" = 0 ] && jq -e --arg engine "$engine" '.[0].result == "pass" and .[0].engine == $engine' "$T/out" >"$T/said" ||
			complain "$1 does not pass on $engine" "$command" "$(jq -c '.[0] | .error, .notes, .steps' "$T/out" | head -c 2000)" "$(head -5 "$T/err")"
		echo "$1: $(($(stat -c %s "$received/$1") / 1000000)) MB, verified on $engine in $((SECONDS - start)) s"
	done
}

# stored IMAGE PATH TO: copies what the packed run left at PATH, from $T/IMAGE, to TO.
stored() {
	local inside
	inside=$("$B/eremite" info --json "$T/$1" | jq -r --arg path "$2" '.manifest.steps[].outputs[] | select(.path == $path) | .stored')
	[ -n "$inside" ] || { complain "$1 lacks the output $2" && return; }
	rm -rf "$T/stored" && "$B/eremite" extract "$T/$1" "$T/stored" "$inside" && cp "$T/stored/$inside" "$3" ||
		complain "cannot extract $inside from $1"
}

# saves IMAGE NAME...: eremite run --save writes these files as $T/NAME has them, which `stored` copied from $T/IMAGE.
saves() {
	local name
	mkdir "$T/saved" || exit 1
	command="$ERM run -q --save=$T/saved $T/$1"
	"$B/tests/watchdog" "$LIMIT" "$ERM" run -q --save="$T/saved" "$T/$1" >"$T/out" 2>"$T/err" ||
		complain "status $?" "$command" "$(head -5 "$T/err")"
	for name in "${@:2}"; do
		cmp "$T/saved/$name" "$T/$name" || complain "run --save writes another $name" "$command"
	done
	cmp "$T/out" "$T/pack.out" || complain "the run prints something else than the packed one" "$command"
}
