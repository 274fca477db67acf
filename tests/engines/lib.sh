# SPDX-License-Identifier: MIT
# What the tests of engines have in common.
# shellcheck shell=bash

count=0 failed=0

complain() { # WHAT COMMAND
	echo "$1"
	[ $# -lt 2 ] || echo "  $2"
	failed=1
}

# Whether this host has a KVM that the tests may use.
has_kvm() {
	[ -w /dev/kvm ] && "$B/eremite" run --quiet --engine kvm "$B/apps/hello" >/dev/null 2>&1
}
