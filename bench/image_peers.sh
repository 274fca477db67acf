#!/bin/bash
# SPDX-License-Identifier: MIT
#
# image_peers.sh WHAT: packs the figure otherwise. reprozip: traces and packs it. tar: runs it, and archives the files that
# the image has. many COUNT: verifies so many small images, one after the other. cold ENGINE: verifies an image with an empty
# cache; warm ENGINE: with what that has left.
set -eu
figure=bench/linux/image_figure.py
case $1 in
reprozip)
	rm -rf bench/images/trace bench/images/figure.rpz
	REPROZIP_USAGE_STATS=off reprozip trace -d bench/images/trace --dont-identify-packages /usr/bin/python3 $figure >bench/images/log 2>&1
	REPROZIP_USAGE_STATS=off reprozip pack -d bench/images/trace bench/images/figure.rpz >bench/images/log 2>&1
	;;
tar)
	/usr/bin/python3 $figure >bench/images/log 2>&1
	[ -s bench/images/list ] || {
		rm -rf bench/images/figure && ./eremite extract bench/images/figure.eri bench/images/figure
		(cd bench/images/figure && find . -type f -printf '/%P\n') >bench/images/list
	}
	tar -cf bench/images/figure.tar -T bench/images/list 2>bench/images/log
	;;
cold | warm)
	export EREMITE_CACHE=$PWD/bench/images/cache
	[ "$1" = warm ] || rm -rf "$EREMITE_CACHE"
	exec ./eremite verify -q --engine "$2" bench/images/ffmpeg.eri >/dev/null
	;;
many)
	# shellcheck disable=SC2046 # one word for each image
	exec ./eremite verify -q --jobs 1 $(seq -f 'bench/images/many/%g.eri' "$2") >/dev/null
	;;
esac
