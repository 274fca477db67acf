/* SPDX-License-Identifier: MIT */
/* A binary search by call number. The kernel runs a new filter once for each call number, to remember the calls that
 * are always allowed (Linux 5.11), and a linear chain made that slow. */
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

/* A filter under construction. */
struct maker {
	const struct confine_plan *plan;
	struct sock_filter *to;
	size_t count;
	const struct rule *chosen[RULES]; /* sorted by call number */
	size_t chosen_count;
};

static bool is_needed(const struct confine_plan *plan, unsigned need)
{
	return !need || (plan->needs & need);
}

static void put(struct maker *maker, uint16_t code, uint32_t k, uint8_t jt, uint8_t jf)
{
	assert(maker->count < CONFINE_FILTER_MAX);
	maker->to[maker->count++] = (struct sock_filter){code, jt, jf, k};
}

static void put_return(struct maker *maker, uint32_t what)
{
	put(maker, BPF_RET | BPF_K, what, 0, 0);
}

/* Loads the lower half of an argument. The kernel uses only this half of the checked arguments. */
static void put_load(struct maker *maker, unsigned argument)
{
	put(maker, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, args[argument]), 0, 0);
}

/* Returns `then` if the comparison holds, or else `otherwise`. */
static void put_choice(struct maker *maker, uint16_t comparison, uint32_t with, uint32_t then, uint32_t otherwise)
{
	put(maker, BPF_JMP | comparison | BPF_K, with, 0, 1);
	put_return(maker, then);
	put_return(maker, otherwise);
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
		put(maker, BPF_JMP | BPF_JEQ | BPF_K, values[i].value, 0, 1);
		put_return(maker, SECCOMP_RET_ALLOW);
	}
	put_return(maker, SECCOMP_RET_TRAP);
}

/* Decides a call by its arguments. */
static void put_check(struct maker *maker, const struct rule *rule)
{
	const uint32_t allow = SECCOMP_RET_ALLOW, trap = SECCOMP_RET_TRAP;
	switch (rule->check) {
	case CHECK_ANY:
		put_return(maker, allow);
		return;
	case CHECK_VALUES:
		put_values(maker, rule->call);
		return;
	case CHECK_NO_CODE:
		put_load(maker, 2);
		put_choice(maker, BPF_JSET, PROT_EXEC, trap, allow);
		return;
	case CHECK_READING:
		put_load(maker, 2);
		put_choice(maker, BPF_JSET, O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY), trap, allow);
		return;
	case CHECK_OWN:
		put_load(maker, 0);
		put_choice(maker, BPF_JEQ, (uint32_t)getpid(), allow, trap);
		return;
	case CHECK_GUESTS:
		put_load(maker, 0);
		for (unsigned i = 0; i < maker->plan->group_count; i++) {
			put(maker, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)-maker->plan->groups[i], 0, 1);
			put_return(maker, allow);
		}
		put_return(maker, trap);
		return;
	case CHECK_KEEPER:
		put_load(maker, 0);
		put_choice(maker, BPF_JEQ, (uint32_t)maker->plan->keeper, allow, trap);
		return;
	case CHECK_SENDING:
		put_load(maker, 0);
		for (unsigned i = 0; i < maker->plan->socket_count; i++) {
			put(maker, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)maker->plan->sockets[i], 0, 1);
			put_return(maker, allow);
		}
		put_choice(maker, BPF_JEQ, (uint32_t)maker->plan->keeper, allow, trap);
		return;
	case CHECK_NOT_SIGSYS:
		put_load(maker, 0);
		put_choice(maker, BPF_JEQ, SIGSYS, trap, allow);
		return;
	case CHECK_MISSING:
		put_return(maker, SECCOMP_RET_ERRNO | ENOSYS);
		return;
	}
}

/* Makes the search tree over chosen[first] to chosen[last]. The call number is loaded. */
static void put_tree(struct maker *maker, size_t first, size_t last)
{
	if (first == last) {
		put(maker, BPF_JMP | BPF_JEQ | BPF_K, maker->chosen[first]->call, 1, 0);
		put_return(maker, SECCOMP_RET_TRAP);
		put_check(maker, maker->chosen[first]);
		return;
	}
	size_t middle = first + (last - first + 1) / 2;
	put(maker, BPF_JMP | BPF_JGE | BPF_K, maker->chosen[middle]->call, 0, 1);
	size_t jump = maker->count;
	put(maker, BPF_JMP | BPF_JA, 0, 0, 0); /* too far for a conditional jump */
	put_tree(maker, first, middle - 1);
	maker->to[jump].k = (uint32_t)(maker->count - jump - 1);
	put_tree(maker, middle, last);
}

static int by_number(const void *a, const void *b)
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
	qsort(maker.chosen, maker.chosen_count, sizeof(maker.chosen[0]), by_number);
	for (size_t i = 1; i < maker.chosen_count; i++)
		assert(maker.chosen[i - 1]->call != maker.chosen[i]->call);
	put(&maker, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch), 0, 0);
	put(&maker, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	put_return(&maker, SECCOMP_RET_KILL_PROCESS);
	put(&maker, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0, 0);
	put_tree(&maker, 0, maker.chosen_count - 1);
	return maker.count;
}
