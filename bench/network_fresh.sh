#!/bin/sh
# SPDX-License-Identifier: MIT
#
# network_fresh.sh RECORDING COMMAND...: runs a command after an old recording was removed.
rm -rf "$1" && mkdir -p "${1%/*}" && shift && exec "$@"
