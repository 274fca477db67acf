# SPDX-License-Identifier: MIT
#
# For tests of peers of which one is in the guest and the other on the host: live and recorded, then replayed three times
# without a network, each with the recorded digest and output.
# shellcheck shell=bash
source "$SRC/tests/peers/lib.sh"
source "$SRC/tests/net/lib.sh"

# serve NAME PORT SCRIPT: runs a server in a guest, recorded, with its port published; sets `port` and `pid`.
serve() {
	mkdir -p "$T/$1.dir"
	rm -rf peers && mkdir peers
	"$ERM" run --timeout 120 --publish "0:$2" --record "$1" --summary="json:$T/first" --bind "$T/peers:/peers" --workdir /peers \
		--env PATH=/usr/sbin:/usr/bin:/sbin:/bin /bin/bash -c "$3" >first.out 2>err &
	pid=$!
	wait_line err 'is published at' $pid || fail "$1: no port: $(cat err)"
	port=$(sed -n 's/.*is published at .*:\([0-9]*\)$/\1/p' err)
	wait_line first.out '^ready' $pid || fail "$1 did not start: $(cat err)"
}

# ended NAME: the server has ended by itself; its recording repeats.
ended() {
	wait $pid || complain "the server $1: status $?" "$(tail -5 err)"
	repeat "$1"
}

# client NAME COMMAND...: runs a client in a guest, recorded, and repeats it.
client() {
	local name=$1
	shift
	"$ERM" run --timeout 60 --net host --record "$name" --summary="json:$T/first" "$@" >first.out 2>err ||
		complain "$name: status $?" "$(tail -5 err)"
	repeat "$name"
}
