# SPDX-License-Identifier: MIT
# net/http, and the interfaces; also as with four processors. shellcheck shell=bash
./network interfaces
./network
GOMAXPROCS=4 ./network | tail -n 5
