# SPDX-License-Identifier: MIT
#
# A machine that QEMU emulates, an AMD processor with SVM and nested paging included, with Debian's kernel and the host's
# files (tests/stock/init). For scripts with SRC and B.

stock=$B/stock
limit=${STOCK_LIMIT:-7200} # seconds of wall time for one boot

# The machines end with the script, however it ends; QEMU then removes the files.
trap 'kill $(cat "$stock"/*.pid 2>/dev/null) 2>/dev/null' EXIT
trap 'exit 1' INT TERM HUP

# In the machine another user also runs Eremite from the clone: prints what keeps other users out of it.
others_may_enter() {
	local at
	for at in "$B/eremite" "$B/apps/hello"; do
		case $(stat -L -c %A "$at") in *r-[xt]) ;; *) echo "$at: other users cannot run it: chmod o+rx $at" && return 1 ;; esac
		while at=${at%/*} && [ -n "$at" ]; do
			case $(stat -L -c %A "$at") in *[xt]) ;; *) echo "$at: other users cannot enter it, as the tests do: chmod o+x $at" && return 1 ;; esac
		done
	done
}

# machine FOLDER INSIDE NAME=VALUE...: boots it and runs the tree's script INSIDE there, with these variables; the
# script may write to FOLDER, as /stock/results. Prints its output until it ends. The machine has one processor: with
# two, QEMU hung in several boots with both busy. It has no SMAP: TCG (7.2) reads the frame of an IRET of ring 3 as the
# supervisor, which SMAP forbids, and the process engine's guests end so.
machine() {
	local folder=$1 inside=$2
	shift 2
	"$B/tests/watchdog" --foreground "$limit" qemu-system-x86_64 -M q35 -accel tcg,thread=multi -cpu "${STOCK_CPU:-max,la57=off,smap=off}" \
		-m 5G -nodefaults -no-user-config -display none -no-reboot -serial stdio -pidfile "$stock/${folder##*/}.pid" \
		-kernel "$stock/vmlinuz" -initrd "$stock/initramfs.gz" \
		-virtfs local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap \
		-virtfs "local,path=$folder,mount_tag=results,security_model=none" \
		-append "console=ttyS0 loglevel=1 panic=-1 no_timer_check tsc=reliable nowatchdog SRC=$SRC B=$B STOCK_INSIDE=$inside $*" \
		</dev/null 2>&1
}
