# SPDX-License-Identifier: MIT
# Shared by the tests of sealed images in people's work, whose programs are large packages.
# shellcheck shell=bash

. "$SRC/tests/lib.sh"

# needs PACKAGE=FILE...: the test is skipped where a file is missing, and names the packages to install.
needs() {
	local need missing=()
	for need; do [ -e "${need#*=}" ] || missing+=("${need%%=*}"); done
	[ ${#missing[@]} -eq 0 ] || skip "programs are missing: apt-get install --no-install-recommends ${missing[*]}"
}
