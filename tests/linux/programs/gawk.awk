# gawk: coprocesses, pipes both ways, sorted arrays, arrays of arrays, regular expressions, time, processes by an
# extension of gawk's own.
@load "ordchr"
@load "readdir"
@load "fork"

function compare(i1, v1, i2, v2) { return v2 - v1 || (i1 < i2 ? -1 : 1) }

BEGIN {
	while ((getline line < text) > 0) {
		lines++
		n = split(tolower(line), word, /[^a-z]+/)
		for (i = 1; i <= n; i++)
			if (word[i] != "")
				count[word[i]]++
	}
	PROCINFO["sorted_in"] = "compare"
	for (w in count)
		if (++shown <= 5)
			print w, count[w]
	print lines, length(count)

	sort = "sort -k2 | head -4"
	for (w in count)
		if (length(w) > 13)
			print count[w], w | sort
	close(sort)

	upper = "tr a-z A-Z"
	print "through a coprocess" |& upper
	close(upper, "to")
	while ((upper |& getline answer) > 0)
		print answer
	print close(upper)

	print gensub(/(.)(.)/, "\\2\\1", "g", "abcdef"), strtonum("0x1F"), and(12, 10), xor(12, 10), lshift(1, 40)
	print strftime("%Y-%m-%d %H:%M:%S", 1e9, 1), mktime("2001 09 09 01 46 40", 1)
	print patsplit("a1b22c333", part, /[0-9]+/), part[3], toupper(substr("héllo", 2, 3)), length("héllo")
	a["x"]["y"] = 5; a["x"]["z"] = 6
	for (i in a) for (j in a[i]) print i, j, a[i][j]
	printf "%.17g %5.2f %c %x %s\n", atan2(0, -1), exp(1), 228, 255, sqrt(2)
	print ord("A"), chr(66)
	srand(3); print (rand() == rand()), int(1000 * rand()), srand()
	fflush()
	pid = fork()
	if (pid == 0)
		exit 7
	while (!(ended = waitpid(pid))) # it does not wait
		;
	print ended == pid
	print system("exit 3"), ERRNO
	if ((getline x < "nothing/here") < 0)
		print ERRNO
	print length(ENVIRON["PATH"]), PROCINFO["version"]
	printf "%s", "" > "empty"
	close("empty")
	print "to stderr" > "/dev/stderr"
	print "to stdout" > "/dev/fd/1"
}
END {
	exit 4
}
