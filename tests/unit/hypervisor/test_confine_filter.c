/* SPDX-License-Identifier: MIT */
/* The filters decide each call as the list says, for every number and for the arguments that the list checks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/kvm.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine/confine_calls.h"
#include "confine/confine_filter.h"

#define NUMBERS 600
#define X32 0x40000000U

/* Runs a filter as the kernel does: only the instructions that it uses. */
static uint32_t verdict(const struct sock_filter *filter, size_t count, const struct seccomp_data *data)
{
	uint32_t a = 0;
	for (size_t at = 0; at < count; at++) {
		const struct sock_filter *in = &filter[at];
		bool yes = false;
		switch (in->code) {
		case BPF_LD | BPF_W | BPF_ABS:
			memcpy(&a, (const char *)data + in->k, sizeof(a));
			continue;
		case BPF_RET | BPF_K:
			return in->k;
		case BPF_JMP | BPF_JA:
			at += in->k;
			continue;
		case BPF_JMP | BPF_JEQ | BPF_K:
			yes = a == in->k;
			break;
		case BPF_JMP | BPF_JGE | BPF_K:
			yes = a >= in->k;
			break;
		case BPF_JMP | BPF_JGT | BPF_K:
			yes = a > in->k;
			break;
		case BPF_JMP | BPF_JSET | BPF_K:
			yes = a & in->k;
			break;
		default:
			fail_msg("instruction %#x", in->code);
		}
		at += yes ? in->jt : in->jf;
	}
	fail_msg("the filter does not end");
	return 0;
}

static bool is_needed(const struct confine_plan *plan, unsigned need)
{
	return !need || (plan->needs & need);
}

static bool is_value(const struct confine_plan *plan, const struct seccomp_data *data)
{
	bool found = false;
#define VALUE(need, name, argument, value, reason) \
	found |= data->nr == SYS_##name && is_needed(plan, CONFINE_##need) && \
	         (uint32_t)data->args[argument] == (uint32_t)(value);
	CONFINE_VALUES(VALUE)
#undef VALUE
	return found;
}

static bool is_any_of(const int *of, unsigned count, int sign, uint32_t value)
{
	for (unsigned i = 0; i < count; i++)
		if ((uint32_t)(sign * of[i]) == value)
			return true;
	return false;
}

#define ANY true
#define VALUES is_value(plan, data)
#define NO_CODE (!(data->args[2] & PROT_EXEC))
#define READING (!(data->args[2] & (O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY))))
#define OWN (first == (uint32_t)getpid())
#define GUESTS is_any_of(plan->groups, plan->group_count, -1, first)
#define KEEPER (first == (uint32_t)plan->keeper)
#define SENDING (KEEPER || is_any_of(plan->sockets, plan->socket_count, 1, first))
#define NOT_SIGSYS (first != SIGSYS)
#define MISSING false

/* What the list says, line by line. */
static uint32_t expected(const struct confine_plan *plan, const struct seccomp_data *data)
{
	const uint32_t first = (uint32_t)data->args[0];
	bool allowed = false;
#define CALL(role_, need, name, check, reason) \
	allowed |= \
		plan->role == CONFINE_##role_ && is_needed(plan, CONFINE_##need) && data->nr == SYS_##name && (check);
	CONFINE_CALLS(CALL)
#undef CALL
	if (plan->role == CONFINE_MONITOR && data->nr == SYS_clone3)
		return SECCOMP_RET_ERRNO | ENOSYS;
	return allowed ? SECCOMP_RET_ALLOW : SECCOMP_RET_TRAP;
}

static void compare_filter(const struct confine_plan *plan)
{
	static struct sock_filter filter[CONFINE_FILTER_MAX];
	const size_t count = confine_filter(plan, filter);
	const uint32_t arguments[] = {0,
	                              1,
	                              2,
	                              (uint32_t)plan->keeper,
	                              (uint32_t)plan->sockets[1],
	                              (uint32_t)-plan->groups[0],
	                              (uint32_t)plan->groups[0],
	                              (uint32_t)getpid(),
	                              SIGSYS,
	                              O_TMPFILE,
	                              O_CREAT,
	                              PROT_READ | PROT_EXEC,
#define VALUE(need, name, argument, value, reason) (uint32_t)(value),
	                              CONFINE_VALUES(VALUE)
#undef VALUE
	};
	for (int number = 0; number < NUMBERS; number++)
		for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
			struct seccomp_data data = {.nr = number, .arch = AUDIT_ARCH_X86_64};
			for (unsigned j = 0; j < 6; j++)
				data.args[j] = arguments[i];
			assert_int_equal(verdict(filter, count, &data), expected(plan, &data));
			data.nr = (int)(X32 | (uint32_t)number);
			assert_int_equal(verdict(filter, count, &data), SECCOMP_RET_TRAP);
			data.arch = AUDIT_ARCH_I386;
			assert_int_equal(verdict(filter, count, &data), SECCOMP_RET_KILL_PROCESS);
		}
}

static void test_lists(void **state)
{
	const unsigned all = CONFINE_HOST_FILES | CONFINE_KVM | CONFINE_KVM_AGAIN | CONFINE_PROCESS | CONFINE_TTY |
	                     CONFINE_NET | CONFINE_NET_OUT | CONFINE_EVENTS;
	struct confine_plan plan = {
		.keeper = 77, .groups = {1234, 5678}, .group_count = 2, .sockets = {88, 99}, .socket_count = 2};
	(void)state;
	for (unsigned open = CONFINE_READ; open <= CONFINE_OUT; open *= 2) {
		for (unsigned need = CONFINE_HOST_FILES; need <= CONFINE_EVENTS; need *= 2) {
			plan.needs = open | need;
			compare_filter(&plan);
		}
		plan.needs = open | all;
		compare_filter(&plan);
	}
	plan.role = CONFINE_KEEPER;
	plan.needs = 0;
	compare_filter(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lists)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
