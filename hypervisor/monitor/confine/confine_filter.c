/* SPDX-License-Identifier: MIT */
/* A binary search by call number. The kernel runs a new filter once for each call number, to remember the calls that
 * are always allowed (Linux 5.11), and a linear chain made that slow. It also compiles the filter at the start of each
 * run, so adjacent calls are one range, and neighbours in the tree share the instructions that return. */
#include "confine/confine_filter.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/kvm.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/confine_calls.h"

enum check {
	CHECK_ANY,
	CHECK_VALUES,
	CHECK_NO_CODE,
	CHECK_READING,
	CHECK_OWN,
	CHECK_GUESTS,
	CHECK_KEEPER,
	CHECK_SENDING,
	CHECK_NOT_SIGSYS,
	CHECK_MISSING,
};

struct rule {
	enum confine_role role;
	unsigned need;
	uint32_t call;
	enum check check;
};

static const struct rule rules[] = {
#define RULE(role, need, name, check, reason) {CONFINE_##role, CONFINE_##need, SYS_##name, CHECK_##check},
	CONFINE_CALLS(RULE)
#undef RULE
};

#define RULES (sizeof(rules) / sizeof(rules[0]))

static const struct value {
	unsigned need;
	uint32_t call, argument, value;
} values[] = {
#define VALUE(need, name, argument, value, reason) {CONFINE_##need, SYS_##name, argument, (uint32_t)(value)},
	CONFINE_VALUES(VALUE)
#undef VALUE
};

#define VALUES (sizeof(values) / sizeof(values[0]))

/* Adjacent calls that are decided in the same way: one call, or several that are always allowed. */
struct range {
	uint32_t first, last;
	const struct rule *rule;
};

/* A filter under construction. */
struct maker {
	const struct confine_plan *plan;
	struct sock_filter *to;
	size_t count;
	const struct rule *chosen[RULES]; /* sorted by call number */
	size_t chosen_count;
	struct range ranges[RULES];
	size_t range_count;
};

/* Ranges of a part of the tree that shares its returns: few enough that a jump of 8 bits reaches them. */
#define PART_RANGES 24

/* Stand for the shared returns until their place is known. */
#define TO_ALLOW 255
#define TO_TRAP 254

static bool is_needed(const struct confine_plan *plan, unsigned need)
{
	return !need || (plan->needs & need);
}

static void put_instruction(struct maker *maker, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf)
{
	assert(maker->count < CONFINE_FILTER_MAX);
	maker->to[maker->count++] = (struct sock_filter){code, jt, jf, k};
}

static void put_return(struct maker *maker, uint32_t what)
{
	put_instruction(maker, BPF_RET | BPF_K, what, 0, 0);
}

/* Loads the lower half of an argument. The kernel uses only this half of the checked arguments. */
static void put_load(struct maker *maker, unsigned argument)
{
	put_instruction(maker, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[argument]), 0, 0);
}

static void put_jump(struct maker *maker, uint16_t comparison, uint32_t with, uint8_t yes, uint8_t no)
{
	put_instruction(maker, BPF_JMP | comparison | BPF_K, with, yes, no);
}

/* Allows the loaded value if it is `with`. */
static void put_allowed(struct maker *maker, uint32_t with)
{
	put_jump(maker, BPF_JEQ, with, TO_ALLOW, 0);
}

/* Decides that no value was allowed. */
static void put_trap(struct maker *maker)
{
	put_jump(maker, BPF_JGE, 0, TO_TRAP, TO_TRAP);
}

static void put_values(struct maker *maker, uint32_t call)
{
	bool loaded = false;
	for (size_t i = 0; i < VALUES; i++) {
		if (values[i].call != call || !is_needed(maker->plan, values[i].need))
			continue;
		if (!loaded)
			put_load(maker, values[i].argument);
		loaded = true;
		put_allowed(maker, values[i].value);
	}
	put_trap(maker);
}

/* Decides a call by its arguments. */
static void put_check(struct maker *maker, const struct rule *rule)
{
	const struct confine_plan *plan = maker->plan;
	switch (rule->check) {
	case CHECK_ANY:
		return;
	case CHECK_VALUES:
		put_values(maker, rule->call);
		return;
	case CHECK_NO_CODE:
		put_load(maker, 2);
		put_jump(maker, BPF_JSET, PROT_EXEC, TO_TRAP, TO_ALLOW);
		return;
	case CHECK_READING:
		put_load(maker, 2);
		put_jump(maker, BPF_JSET, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), TO_TRAP,
		         TO_ALLOW);
		return;
	case CHECK_OWN:
		put_load(maker, 0);
		put_jump(maker, BPF_JEQ, (uint32_t)getpid(), TO_ALLOW, TO_TRAP);
		return;
	case CHECK_GUESTS:
		put_load(maker, 0);
		for (unsigned i = 0; i < plan->group_count; i++)
			put_allowed(maker, (uint32_t)-plan->groups[i]);
		put_trap(maker);
		return;
	case CHECK_KEEPER:
		put_load(maker, 0);
		put_jump(maker, BPF_JEQ, (uint32_t)plan->keeper, TO_ALLOW, TO_TRAP);
		return;
	case CHECK_SENDING:
		put_load(maker, 0);
		for (unsigned i = 0; i < plan->socket_count; i++)
			put_allowed(maker, (uint32_t)plan->sockets[i]);
		put_jump(maker, BPF_JEQ, (uint32_t)plan->keeper, TO_ALLOW, TO_TRAP);
		return;
	case CHECK_NOT_SIGSYS:
		put_load(maker, 0);
		put_jump(maker, BPF_JEQ, SIGSYS, TO_TRAP, TO_ALLOW);
		return;
	case CHECK_MISSING:
		put_return(maker, SECCOMP_RET_ERRNO | ENOSYS);
		return;
	}
}

/* Decides a call number that is below the next range, and not below this one unless it is the first. */
static void put_range(struct maker *maker, size_t at)
{
	const struct range *range = &maker->ranges[at];
	if (!at && range->first)
		put_jump(maker, BPF_JGE, range->first, 0, TO_TRAP);
	put_jump(maker, BPF_JGT, range->last, TO_TRAP, range->rule->check == CHECK_ANY ? TO_ALLOW : 0);
	put_check(maker, range->rule);
}

/* Ends a part of the filter by the returns that it shares. */
static void put_returns(struct maker *maker, size_t first)
{
	const size_t allow = maker->count, trap = maker->count + 1;
	assert(trap - first < TO_TRAP);
	for (size_t i = first; i < allow; i++) {
		struct sock_filter *jump = &maker->to[i];
		if (BPF_CLASS(jump->code) != BPF_JMP || BPF_OP(jump->code) == BPF_JA)
			continue;
		for (uint8_t *to = &jump->jt;; to = &jump->jf) {
			if (*to == TO_ALLOW || *to == TO_TRAP)
				*to = (uint8_t)((*to == TO_ALLOW ? allow : trap) - i - 1);
			if (to == &jump->jf)
				break;
		}
	}
	put_return(maker, SECCOMP_RET_ALLOW);
	put_return(maker, SECCOMP_RET_TRAP);
}

/* Makes the search tree over ranges[first] to ranges[last]. The call number is loaded. `is_part`: the caller puts the
 * returns. */
static void put_tree(struct maker *maker, size_t first, size_t last, bool is_part)
{
	const size_t begin = maker->count, middle = first + (last - first + 1) / 2;
	const bool puts_returns = !is_part && last - first < PART_RANGES;
	if (first == last) {
		put_range(maker, first);
	} else {
		const bool is_far = !is_part && !puts_returns; /* for a conditional jump */
		put_jump(maker, BPF_JGE, maker->ranges[middle].first, 0, is_far ? 1 : 0);
		if (is_far)
			put_instruction(maker, BPF_JMP | BPF_JA, 0, 0, 0);
		const size_t jump = maker->count - 1;
		put_tree(maker, first, middle - 1, !is_far);
		const size_t over = maker->count - jump - 1;
		if (is_far)
			maker->to[jump].k = (uint32_t)over;
		else
			maker->to[jump].jt = (uint8_t)over;
		put_tree(maker, middle, last, !is_far);
	}
	if (puts_returns)
		put_returns(maker, begin);
}

static void make_ranges(struct maker *maker)
{
	for (size_t i = 0; i < maker->chosen_count; i++) {
		const struct rule *rule = maker->chosen[i];
		struct range *last = maker->range_count ? &maker->ranges[maker->range_count - 1] : NULL;
		if (last && last->last + 1 == rule->call && rule->check == CHECK_ANY && last->rule->check == CHECK_ANY)
			last->last++;
		else
			maker->ranges[maker->range_count++] = (struct range){rule->call, rule->call, rule};
	}
}

static int by_call_number(const void *a, const void *b)
{
	const struct rule *x = *(const struct rule *const *)a, *y = *(const struct rule *const *)b;
	return (x->call > y->call) - (x->call < y->call);
}

size_t confine_filter(const struct confine_plan *plan, struct sock_filter filter[CONFINE_FILTER_MAX])
{
	struct maker maker = {.plan = plan, .to = filter};
	for (size_t i = 0; i < RULES; i++)
		if (rules[i].role == plan->role && is_needed(plan, rules[i].need))
			maker.chosen[maker.chosen_count++] = &rules[i];
	qsort(maker.chosen, maker.chosen_count, sizeof(maker.chosen[0]), by_call_number);
	for (size_t i = 1; i < maker.chosen_count; i++)
		assert(maker.chosen[i - 1]->call != maker.chosen[i]->call);
	put_instruction(&maker, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
	put_instruction(&maker, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	put_return(&maker, SECCOMP_RET_KILL_PROCESS);
	put_instruction(&maker, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	make_ranges(&maker);
	put_tree(&maker, 0, maker.range_count - 1, false);
	return maker.count;
}
