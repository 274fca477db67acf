# SPDX-License-Identifier: MIT
#
# Looks for cycles without a check: awk -f cycles.awk RELOCATIONS LISTING, which are `readelf -rW` and
# `objdump -dr --no-show-raw-insn` of an object whose functions have sections of their own (-ffunction-sections), or of an
# archive of such objects.
#
# Prints each function that has a cycle of instructions that passes no check, or that reaches a call, which may come
# back to it, without having passed one; and in the end how many functions, checks and cycles it saw. Functions named
# exempt* must have no check at all.
#
# A jump through a table goes to what the table has, any other jump to a computed address to all that data refer to in
# the function. What libc has to copy, clear and compare blocks charges by itself, and calls nobody back: the compiler may
# put calls of it anywhere. Instructions that do the same, for any length, must not be there.

BEGIN { never_returns = "[\t ](_?longjmp|siglongjmp|abort|exit|_exit|__assert_func|pthread_exit|__chk_fail|__stack_chk_fail)-0x" }

# From the relocations: which code data refer to, and where tables start.
FNR == 1 { file++ }
file == 1 && /^File: .*\)$/ {
	is_archive = 1
	member = $0
	gsub(/^.*\(|\)$/, "", member)
}
file == 2 && is_archive && /^[^ ]*: +file format / {
	finish()
	member = $1
	sub(/:$/, "", member)
	next
}
file == 1 && /^Relocation section/ {
	data = $3 !~ /debug|eh_frame|\.text/
	place = $3
	gsub(/\x27|\.rela/, "", place)
}
file == 1 && data && $3 == "R_X86_64_64" && $5 ~ /^\.text/ {
	targets[member, $5] = targets[member, $5] " " hex($7)
	entry[member, place, hex($1)] = hex($7)
}
file == 1 && !data && $3 == "R_X86_64_32S" && $5 ~ /^\.(rodata|data)/ { table[member, $5, hex($7)] = 1 }
file == 1 { next }

/^Disassembly of section / { finish(); section = $4; sub(/:$/, "", section); next }
/^[0-9a-f]+ <.*>:$/ {
	finish()
	name = $2
	gsub(/[<>:]/, "", name)
	start = hex($1)
	next
}
/^ *[0-9a-f]+:\t/ {
	at = $0
	sub(/:.*/, "", at)
	gsub(/ /, "", at)
	count++
	address[count] = hex(at)
	number[address[count]] = count
	text[count] = $0
	sub(/^[^\t]*\t/, "", text[count])
	next
}
/R_X86_64/ { relocated[count] = relocated[count] " " $0 }

END {
	finish()
	printf "%d functions, %d checks, %d cycles\n", functions, all_checks, cycles
}

function hex(digits, value, i)
{
	sub(/^0x/, "", digits)
	value = 0
	for (i = 1; i <= length(digits); i++)
		value = value * 16 + index("0123456789abcdef", substr(digits, i, 1)) - 1
	return value
}

function complain(what, where)
{
	printf "%s%s: %s at %x: %s\n", member (is_archive ? ": " : ""), name, what, address[where], text[where]
}

# Where a jump to a computed address may go, as addresses.
function computed(i, word, at, all)
{
	if (!match(relocated[i], /R_X86_64_32S\t\.(rodata|data)[^+ ]*/))
		return targets[member, section]
	split(substr(relocated[i], RSTART), word, /[\t+]/)
	for (at = hex(word[3]); (member, word[2], at) in entry && (all == "" || !((member, word[2], at) in table)); at += 8)
		all = all " " entry[member, word[2], at]
	return all
}

# The instructions that can come after instruction i, as numbers, in next_of[1..n]; returns n.
function successors(i, n, word, list, j, m)
{
	split(text[i], word, /[ \t]+/)
	if (word[1] == "notrack" || word[1] == "bnd")
		word[1] = word[2]
	n = 0
	if (word[1] ~ /^(ret|ud2|hlt)/ || relocated[i] ~ never_returns)
		return 0
	if (text[i] ~ /^jmp +\*%r/ && text[i - 1] ~ /^(pop|leave|add .*,%rsp)/) # a call, as the last thing a function does
		return 0
	if (word[1] ~ /^(j|loop)/) {
		if (text[i] ~ /\*/) {
			m = split(computed(i), list, " ")
			for (j = 1; j <= m; j++)
				if (list[j] in number)
					next_of[++n] = number[list[j]]
			return n
		}
		if (relocated[i] == "" && (hex(word[2]) in number))
			next_of[++n] = number[hex(word[2])]
		if (word[1] == "jmp") # to __eremite_ticks_out, too: it goes on behind the check, as if it had not run out
			return n
	}
	if (i < count)
		next_of[++n] = i + 1
	return n
}

# The countdown is charged, or compared with what a loop has counted in a register and told the kernel of.
function is_check(i)
{
	if (relocated[i] !~ /__eremite_ticks_left/ || text[i + 1] !~ /^jle /)
		return 0
	return text[i] ~ /^sub/ || (text[i] ~ /^cmp +%r/ && text[i - 1] ~ /^mov +%r/ && relocated[i - 1] ~ /__eremite_ticks_owed/)
}

function is_call(i)
{
	if (relocated[i] ~ /__eremite_ticks_out|[\t ]mem(cpy|move|set|cmp)-0x/)
		return 0
	return text[i] ~ /^(call|jmp).*\*/ ? text[i] ~ /^call/ : text[i] ~ /^call/ || (text[i] ~ /^jmp/ && relocated[i] != "")
}

# Depth first, with a stack of its own, from instruction `from`; when `stop`, not beyond checks. Colours: 1 on the path,
# 2 done. A cycle that never meets a check is an edge to a colour of 1.
function visit(from, stop, depth, i, j, n)
{
	depth = 1
	stack[1] = from
	while (depth > 0) {
		i = stack[depth]
		if (!colour[i]) {
			colour[i] = 1
			if (stop && entry_pass && is_call(i))
				complain("a call before any check", i)
			n = stop && is_check(i) ? 0 : successors(i)
			ways[i] = n
			for (j = 1; j <= n; j++)
				way[i, j] = next_of[j]
			done[i] = 0
		}
		if (done[i] == ways[i]) {
			colour[i] = 2
			depth--
			continue
		}
		j = way[i, ++done[i]]
		if (!colour[j])
			stack[++depth] = j
		else if (colour[j] == 1) {
			if (!stop)
				cycles++
			else
				complain("a cycle without a check", j)
		}
	}
}

function visit_all(stop, i)
{
	delete colour
	if (stop && name !~ /\.cold$/) { # a function's cold part is come to from the other, through its check
		entry_pass = 1
		visit(1, 1)
		entry_pass = 0
	}
	for (i = 1; i <= count; i++)
		if (!colour[i])
			visit(i, stop)
}

function finish(i, checks)
{
	if (count) {
		functions++
		checks = 0
		for (i = 1; i <= count; i++)
			if (is_check(i))
				checks++
			else if (relocated[i] ~ /__eremite_ticks_left/ && text[i] !~ /^(sub|add) +%r/) # what a loop has counted
				complain("a check that looks at nothing", i)
		all_checks += checks
		for (i = 1; i <= count; i++)
			if (text[i] ~ /^rep/ && text[i] !~ /^repz? ret/)
				complain("an instruction for a block", i)
		if (name ~ /^exempt/) {
			if (checks)
				complain("a check in an exempt function", 1)
		} else {
			visit_all(0)
			visit_all(1)
		}
	}
	delete address
	delete number
	delete text
	delete relocated
	delete ways
	delete way
	delete done
	count = 0
}
