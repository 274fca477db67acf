# SPDX-License-Identifier: MIT
#
# For each C file NAME=FOLDER: of the monitor's folders (-v folders, bottom to top) the highest that it includes from, also
# by headers in tests/.

BEGIN {
	count = split(folders, names, " ")
	for (i = 1; i <= count; i++)
		height[names[i]] = i
}

function look(line, path, at) {
	if (line !~ /^#include "/)
		return
	path = substr(line, 11)
	sub(/".*/, "", path)
	if (path ~ /^tests\//) {
		while ((getline at < path) > 0)
			look(at)
		close(path)
		return
	}
	sub(/\/.*/, "", path)
	if (height[path] > height[highest])
		highest = path
}

function tell() {
	sub(/.*\//, "", file)
	sub(/\.c$/, "", file)
	if (file)
		print file "=" highest
}

FNR == 1 { tell(); file = FILENAME; highest = "" }
{ look($0) }
END { tell() }
