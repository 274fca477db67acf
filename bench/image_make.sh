#!/bin/bash
# SPDX-License-Identifier: MIT
#
# image_make.sh WHAT COMMAND...: makes what the rows of images need, unless it is there, and then runs the command.
set -eu
what=$1
shift
mkdir -p bench/images
case $what in
start) # images of a program that starts and ends: one of a megabyte, and one with a file of a gigabyte
	[ -s bench/images/large.eri ] || {
		head -c 1000000000 /dev/urandom >bench/images/large.dat
		./eremite pack -q -o bench/images/small.eri -- bench/linux/hello-static >bench/images/log
		./eremite pack -q -o bench/images/large.eri --include bench/images/large.dat -- bench/linux/hello-static >bench/images/log
		rm bench/images/large.dat
	}
	;;
php | ffmpeg | python3) # programs with many libraries
	arguments=(-version)
	[ "$what" != php ] || arguments=(-r '1;')
	[ "$what" != python3 ] || arguments=(-c pass)
	./eremite pack -q -o "bench/images/$what.eri" -- "/usr/bin/$what" "${arguments[@]}" >bench/images/log
	sleep 3 # what a younger image has is copied and hashed in each run (docs/cache.md)
	;;
many) # copies of a small image
	[ -s bench/images/many/400.eri ] || {
		mkdir -p bench/images/many
		./eremite pack -q -o bench/images/many/1.eri -- apps/hello bench >bench/images/log
		for i in $(seq 2 400); do cp bench/images/many/1.eri "bench/images/many/$i.eri"; done
	}
	;;
figure) # a figure by NumPy and Matplotlib, packed
	./eremite pack -q -o bench/images/figure.eri -- /usr/bin/python3 bench/linux/image_figure.py >bench/images/log 2>&1
	;;
packed) # the same packed by the others, for their sizes
	./eremite pack -q -o bench/images/figure.eri -- /usr/bin/python3 bench/linux/image_figure.py >bench/images/log 2>&1
	./eremite pack -q --compress -o bench/images/figure-compressed.eri -- /usr/bin/python3 bench/linux/image_figure.py >bench/images/log 2>&1
	/bin/bash bench/linux/image_peers.sh tar
	# Its tracer fails on some kernels; the other sizes are shown then, too.
	! command -v reprozip >/dev/null || /bin/bash bench/linux/image_peers.sh reprozip || rm -f bench/images/figure.rpz
	;;
esac
[ $# = 0 ] || exec "$@"
