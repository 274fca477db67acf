#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tree_make.sh DIR: makes DIR/tree, unless it is there: 20,250 text files of 200 bytes to 32 KiB, half of them below 3 KiB, in
# 1,660 directories of one to three levels, a quarter of what /usr/include and /usr/share of a desktop have. With git, also
# makes DIR/tree.git, a repository that has all of them.
set -euo pipefail
dir=$1
[ -e "$dir/tree.done" ] && exit
rm -rf "$dir/tree" "$dir/tree.git"
mkdir -p "$dir/tree"
dir=$(cd "$dir" && pwd)
cd "$dir/tree"
for ((i = 0; i < 1350; i++)); do
	echo "part$((i % 9))/$([ $((i % 3)) = 0 ] || echo "group$((i % 50))/")set$i"
done | tee "$dir/tree.list" | xargs mkdir -p
awk '
	{
		for (i = 0; i < 15; i++) {
			number += 7919
			place = number % 1009 / 1009 # spreads sizes evenly over powers of two
			size = int(200 * exp(place * 5.08))
			name = $0 "/file" i ".h"
			for (at = 0; at < size; at += length(line) + 1) {
				line = "#include <" $0 "/name" (number * 31 + at) % 65536 ".h> /* line at " at " */"
				print line >name
			}
			close(name)
		}
	}' "$dir/tree.list"
rm "$dir/tree.list"
if type git >/dev/null 2>&1; then
	# A guest has its own inode numbers and times of change.
	at=(git "--git-dir=$dir/tree.git" "--work-tree=$dir/tree" -c user.name=b -c user.email=b@example.com)
	"${at[@]}" -c init.defaultBranch=main init -q
	"${at[@]}" config core.checkStat minimal
	"${at[@]}" config core.trustctime false
	"${at[@]}" add -Af
	"${at[@]}" commit -qm tree
	"${at[@]}" repack -adq
	sleep 2 # so that the index is younger than the files
	"${at[@]}" update-index -q --really-refresh
fi
touch "$dir/tree.done"
