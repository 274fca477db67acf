# SPDX-License-Identifier: MIT
BEGIN {
	srand()
	print srand(), rand(), systime(), strftime()
	PROCINFO["sorted_in"] = "@unsorted"
	for (key in ENVIRON) print key, ENVIRON[key]
	for (key in PROCINFO) if (!isarray(PROCINFO[key])) print key, PROCINFO[key]
	while ((getline line < "/jobs/text") > 0) count[line]++
	for (line in count) print count[line], line | "sort"
	close("sort")
}
