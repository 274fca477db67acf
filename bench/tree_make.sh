#!/bin/bash
# SPDX-License-Identifier: MIT
#
# tree_make.sh DIR: makes DIR/tree, 81,000 small files in directories as they are below /usr, unless it is there; and
# DIR/tree.git, a repository that has all of them, if git is installed.
set -euo pipefail
dir=$1
[ -e "$dir/tree.done" ] && exit
rm -rf "$dir/tree" "$dir/tree.git"
mkdir -p "$dir/tree"
dir=$(cd "$dir" && pwd)
cd /
find usr/include usr/share -type f -size -64k -print0 2>/dev/null | LC_ALL=C sort -z >"$dir/tree.list"
count=0
for ((copy = 1; count < 81000; copy++)); do
	mkdir "$dir/tree/$copy"
	head -z -n $((81000 - count)) "$dir/tree.list" | tar c --null --ignore-failed-read -T - 2>/dev/null | tar x -C "$dir/tree/$copy"
	count=$(find "$dir/tree" -type f | wc -l)
done
if type git >/dev/null 2>&1; then
	# A guest has its own inode numbers and times of change.
	at=(git "--git-dir=$dir/tree.git" "--work-tree=$dir/tree" -c user.name=b -c user.email=b@example.com)
	"${at[@]}" -c init.defaultBranch=main init -q
	"${at[@]}" config core.checkStat minimal
	"${at[@]}" config core.trustctime false
	cd "$dir/tree"
	"${at[@]}" add -Af
	"${at[@]}" commit -qm tree
	"${at[@]}" repack -adq
	sleep 2 # so that the index is younger than the files
	"${at[@]}" update-index -q --really-refresh
fi
touch "$dir/tree.done"
