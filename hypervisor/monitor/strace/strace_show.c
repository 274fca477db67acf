/* SPDX-License-Identifier: MIT */
/* Which arguments are shown when, and results. Each type of argument has a function in the other files. */
#include "strace/strace_show.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "abi/restart.h"
#include "strace/strace_argument.h"

#define SHOW(TYPE, capture, bytes, count) {strace_show_##TYPE, STRACE_CAPTURE_##capture, count},
static const struct {
	void (*show)(const struct strace_argument *a);
	uint8_t capture;
	int8_t count;
} types[] = {STRACE_TYPES(SHOW)};
#undef SHOW

#define CALL(name, ...) [STRACE_CALL_##name] = {STRACE_LIST(__VA_ARGS__)},
static const uint8_t calls[STRACE_CALLS][STRACE_ARGUMENTS] = {STRACE_CALL_LIST(CALL)};
#undef CALL

/* Calls without a row have six arguments of unknown types. */
static bool is_listed(unsigned number)
{
	return number < STRACE_CALLS && calls[number][0] != STRACE_ARG_NONE;
}

bool strace_show_is_last(unsigned number)
{
	return number == STRACE_CALL_exit || number == STRACE_CALL_exit_group;
}

/* --- arguments that depend on others --- */

/* The arguments of futex(2) that an operation has, one bit for each. */
static unsigned futex_arguments(uint64_t operation)
{
	static const uint8_t of[] = {
		0x0f, /* WAIT: the word, the operation, the value, the timeout */
		0x07, /* WAKE */
		0x07, /* FD */
		0x1f, /* REQUEUE: also a number in place of the timeout, and the other word */
		0x3f, /* CMP_REQUEUE: also the third value */
		0x3f, /* WAKE_OP */
		0x0b, /* LOCK_PI */
		0x03, /* UNLOCK_PI */
		0x03, /* TRYLOCK_PI */
		0x2f, /* WAIT_BITSET */
		0x27, /* WAKE_BITSET */
		0x1f, /* WAIT_REQUEUE_PI */
		0x3f, /* CMP_REQUEUE_PI */
		0x0b, /* LOCK_PI2 */
	};
	return (operation & 127) < sizeof(of) ? of[operation & 127] : 0x3f;
}

static unsigned prctl_arguments(uint64_t option)
{
	static const uint8_t without[] = {3, 7, 21, 25, 27, 30},
			     with_one[] = {1, 2, 4, 8, 15, 16, 23, 24, 26, 28, 29, 36, 37, 40};
	if (memchr(without, (int)option, sizeof(without)) && option < 256)
		return 0x01;
	return option < 256 && memchr(with_one, (int)option, sizeof(with_one)) ? 0x03 : 0x1f;
}

static bool fcntl_has_argument(uint64_t command)
{
	return command != F_GETFD && command != F_GETFL && command != F_GETOWN && command != F_GETSIG &&
	       command != F_GETLEASE && command != F_GETPIPE_SZ && command != F_GET_SEALS;
}

static bool ioctl_has_argument(uint64_t request)
{
	return request != FIOCLEX && request != FIONCLEX && request != TIOCNOTTY && request != TIOCEXCL &&
	       request != TIOCNXCL;
}

static bool is_device(uint64_t mode)
{
	return S_ISCHR(mode) || S_ISBLK(mode);
}

static bool makes_file(uint64_t flags)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

#define MEMBARRIER_HAS_PROCESSOR 1U /* MEMBARRIER_CMD_FLAG_CPU */

/* Whether an argument means something, by the others. */
static bool is_used(const struct strace_call *call, unsigned index)
{
	const uint64_t *arguments = call->arguments;
	switch (call->number) {
	case STRACE_CALL_open:
		return index < 2 || makes_file(arguments[1]);
	case STRACE_CALL_openat:
		return index < 3 || makes_file(arguments[2]);
	case STRACE_CALL_mknod:
		return index < 2 || is_device(arguments[1]);
	case STRACE_CALL_mknodat:
		return index < 3 || is_device(arguments[2]);
	case STRACE_CALL_mremap:
		return index < 4 || arguments[3] & MREMAP_FIXED;
	case STRACE_CALL_fcntl:
		return index < 2 || fcntl_has_argument(arguments[1]);
	case STRACE_CALL_ioctl:
		return index < 2 || ioctl_has_argument(arguments[1]);
	case STRACE_CALL_futex:
		return futex_arguments(arguments[1]) >> index & 1;
	case STRACE_CALL_membarrier:
		return index < 2 || arguments[1] & MEMBARRIER_HAS_PROCESSOR;
	case STRACE_CALL_prctl:
		return prctl_arguments(arguments[0]) >> index & 1;
	default:
		return true;
	}
}

/* Whether an argument exists and is shown. */
static bool is_shown(const struct strace_call *call, unsigned index)
{
	if (!is_listed(call->number))
		return true;
	const unsigned type = calls[call->number][index];
	return type != STRACE_ARG_NONE && type != STRACE_ARG_UNUSED && is_used(call, index);
}

/* Whether fcntl(2) or ioctl(2) reads the argument, which is known when the call begins. */
static bool is_request_in(const struct strace_argument *a)
{
	const uint64_t request = strace_other(a, -1);
	if (a->call->number == STRACE_CALL_fcntl)
		return request != F_GETLK && request != F_OFD_GETLK && request != F_GETOWN_EX;
	if (a->call->number == STRACE_CALL_prctl)
		return request != PR_GET_NAME && request != PR_GET_PDEATHSIG && request != PR_GET_CHILD_SUBREAPER;
	return request == TIOCSWINSZ || request == TIOCSPGRP || request == FIONBIO;
}

/* Whether the call fills the memory, or a part of it. strace(1) shows such an argument when the call has ended, NULL
 * too. */
static bool is_of_end(unsigned capture)
{
	switch (capture) {
	case STRACE_CAPTURE_out:
	case STRACE_CAPTURE_failed:
	case STRACE_CAPTURE_read:
	case STRACE_CAPTURE_filled:
	case STRACE_CAPTURE_received:
	case STRACE_CAPTURE_all_sent:
	case STRACE_CAPTURE_all_received:
	case STRACE_CAPTURE_named:
		return true;
	default:
		return false;
	}
}

/* Whether an argument can be shown now. */
static bool is_known(const struct strace_argument *a, unsigned type)
{
	const unsigned capture = types[type].capture;
	if (a->call->has_ended || capture == STRACE_CAPTURE_none)
		return true;
	if (is_of_end(capture))
		return false;
	if (!a->value)
		return true;
	if (type == STRACE_ARG_LENGTH || type == STRACE_ARG_OFFSET)
		return false;
	if (type == STRACE_ARG_IOCTL_ARG || type == STRACE_ARG_FCNTL_ARG || type == STRACE_ARG_PRCTL_ARG)
		return is_request_in(a);
	if (type == STRACE_ARG_TIME_FUTEX && !strace_call_in(a->call, a->value, 1))
		return true;
	return strace_call_in(a->call, a->value, 1) || (types[type].count && !strace_other(a, types[type].count));
}

/* --- clone --- */

#define CLONE_PARENT_TID 0x100000UL
#define CLONE_DESCRIPTOR 0x1000UL
#define CLONE_TLS 0x80000UL
#define CLONE_CHILD_TID 0x1200000UL /* CLONE_CHILD_CLEARTID, CLONE_CHILD_SETTID */

/* strace(1) names the arguments of clone(2), and shows those that the flags say. */
static void show_clone(struct strace_out *out, const struct strace_call *call, unsigned *from)
{
	const uint64_t *arguments = call->arguments, flags = arguments[0];
	struct strace_argument a = {.out = out, .call = call, .value = flags};
	if (*from == 0) {
		strace_out_text(out, "child_stack=");
		strace_show_address(out, arguments[1]);
		strace_out_text(out, ", flags=");
		strace_show_CLONE_FLAGS(&a);
		*from = 1;
	}
	if (!call->has_ended || *from > 1)
		return;
	if (flags & (CLONE_PARENT_TID | CLONE_DESCRIPTOR)) {
		a.index = 2;
		a.value = arguments[2];
		strace_out_text(out, flags & CLONE_PARENT_TID ? ", parent_tid=" : ", pidfd=");
		strace_show_CHILD_TID(&a);
	}
	if (flags & CLONE_TLS)
		strace_out_format(out, ", tls=%#lx", arguments[4]);
	if (flags & CLONE_CHILD_TID)
		strace_out_format(out, ", child_tidptr=%#lx", arguments[3]);
	*from = STRACE_ARGUMENTS;
}

/* The size comes behind what the call stores. */
static void show_clone3(struct strace_out *out, const struct strace_call *call, unsigned *from)
{
	const struct strace_argument a = {.out = out, .call = call, .value = call->arguments[0]};
	if (!call->has_ended && !strace_call_in(call, a.value, 1))
		return;
	if (*from == 0)
		strace_show_CLONE_ARGS(&a);
	*from = 1;
	if (!call->has_ended)
		return;
	strace_show_cloned(&a);
	strace_out_format(out, ", %lu", call->arguments[1]);
	*from = STRACE_ARGUMENTS;
}

void strace_show_arguments(struct strace_out *out, const struct strace_call *call, unsigned *from)
{
	if (call->number == STRACE_CALL_clone || call->number == STRACE_CALL_clone3) {
		(call->number == STRACE_CALL_clone ? show_clone : show_clone3)(out, call, from);
		return;
	}
	for (unsigned i = *from; i < STRACE_ARGUMENTS; i++) {
		const unsigned type = is_listed(call->number) ? calls[call->number][i] : STRACE_ARG_NONE;
		const struct strace_argument a = {out, call, i, call->arguments[i]};
		if (!is_shown(call, i))
			continue;
		if (i && i != *from)
			strace_out_text(out, ", ");
		*from = i;
		if (!is_known(&a, type))
			return;
		types[type].show(&a);
	}
	*from = STRACE_ARGUMENTS;
}

/* --- results --- */

static bool is_interrupted_by_any(unsigned number)
{
	return number == STRACE_CALL_pause || number == STRACE_CALL_rt_sigsuspend || number == STRACE_CALL_select ||
	       number == STRACE_CALL_pselect6 || number == STRACE_CALL_ppoll || number == STRACE_CALL_msgsnd ||
	       number == STRACE_CALL_msgrcv;
}

static bool continues_with_rest(unsigned number)
{
	return number == STRACE_CALL_nanosleep || number == STRACE_CALL_clock_nanosleep || number == STRACE_CALL_poll ||
	       number == STRACE_CALL_futex;
}

static void show_error(struct strace_out *out, const struct strace_call *call, int error)
{
	const char *name = strerrorname_np(error), *text = strerrordesc_np(error);
	if (error == EINTR && call->number == STRACE_CALL_rt_sigreturn)
		strace_out_format(out, "-1 %s (%s)", name,
		                  text); /* the result of the call that the handler interrupted */
	else if (error == EINTR && syscall_may_restart((long)call->number, (const void *)call->arguments[3]))
		strace_out_text(out, "? ERESTARTSYS (To be restarted if SA_RESTART is set)");
	else if (error == EINTR && is_interrupted_by_any(call->number))
		strace_out_text(out, "? ERESTARTNOHAND (To be restarted if no handler)");
	else if (error == EINTR && continues_with_rest(call->number))
		strace_out_text(out, "? ERESTART_RESTARTBLOCK (Interrupted by signal)");
	else if (name && text)
		strace_out_format(out, "-1 %s (%s)", name, text);
	else
		strace_out_format(out, "-1 (errno %d)", error);
}

/* The time that is left of a timeout. */
static void show_left(struct strace_out *out, const struct strace_call *call, unsigned index, const char *between)
{
	const struct strace_argument a = {out, call, index, call->arguments[index]};
	int64_t left[2];
	if (!a.value || !strace_load_out(&a, a.value, left, sizeof(left)))
		return;
	strace_out_format(out, "%sleft ", between);
	strace_show_time(out, left, call->number == STRACE_CALL_select ? "tv_usec" : "tv_nsec");
}

/* What poll(2) and select(2) have found. */
static void show_ready(struct strace_out *out, const struct strace_call *call)
{
	static const char *const words[] = {"in ", "out ", "except "};
	const bool is_poll = call->number == STRACE_CALL_poll || call->number == STRACE_CALL_ppoll;
	const char *between = " (";
	if (call->result == 0) {
		strace_out_text(out, " (Timeout)");
		return;
	}
	for (unsigned i = is_poll ? 0 : 1; i <= (is_poll ? 0 : 3); i++) {
		const struct strace_argument a = {out, call, i, call->arguments[i]};
		if (!a.value)
			continue;
		strace_out_format(out, "%s%s", between, is_poll ? "" : words[i - 1]);
		(is_poll ? strace_show_poll_result : strace_show_bits_result)(&a);
		between = ", ";
	}
	if (call->number != STRACE_CALL_poll)
		show_left(out, call, is_poll ? 2 : 4, between);
	strace_out_text(out, *between == ',' ? ")" : "");
}

/* The flags that fcntl(2) returns. */
static void show_fcntl(struct strace_out *out, const struct strace_call *call)
{
	const struct strace_argument a = {.out = out, .call = call, .value = (uint64_t)call->result};
	const uint64_t command = call->arguments[1];
	if (command == F_GETFL || (command == F_GETFD && call->result)) {
		strace_out_format(out, "%#lx (flags ", call->result);
		if (command == F_GETFL)
			strace_show_OPEN(&a);
		else
			strace_out_text(out, call->result == FD_CLOEXEC ? "FD_CLOEXEC" : "FD_???");
		strace_out_text(out, ")");
	} else {
		strace_out_format(out, "%ld", call->result);
	}
}

/* MEMBARRIER_CMD_QUERY returns the others. */
static void show_membarrier(struct strace_out *out, const struct strace_call *call)
{
	if (call->arguments[0] || !call->result) {
		strace_out_format(out, "%ld", call->result);
		return;
	}
	strace_out_format(out, "%#lx (", call->result);
	strace_names_flags(out, STRACE_NAMES_membarrier, (uint64_t)call->result);
	strace_out_text(out, ")");
}

static void show_prctl(struct strace_out *out, const struct strace_call *call)
{
	strace_out_format(out, "%ld", call->result);
	if (call->arguments[0] != PR_GET_DUMPABLE)
		return;
	strace_out_text(out, " (");
	strace_names_one(out, STRACE_NAMES_dumpable, (uint64_t)call->result);
	strace_out_text(out, ")");
}

static void show_success(struct strace_out *out, const struct strace_call *call)
{
	switch (call->number) {
	case STRACE_CALL_mmap:
	case STRACE_CALL_mremap:
	case STRACE_CALL_brk:
	case STRACE_CALL_shmat:
		strace_out_format(out, call->result ? "%#lx" : "%ld", call->result);
		break;
	case STRACE_CALL_rt_sigtimedwait:
		strace_out_format(out, "%ld (%s)", call->result, strace_names_signal((unsigned)call->result).text);
		break;
	case STRACE_CALL_personality:
		strace_out_format(out, call->result ? "%#lx (" : "%ld (", call->result);
		strace_show_personality(out, (uint32_t)call->result);
		strace_out_text(out, ")");
		break;
	case STRACE_CALL_sched_getscheduler:
		strace_out_format(out, "%ld (", call->result);
		strace_names_one(out, STRACE_NAMES_sched, (uint64_t)call->result);
		strace_out_text(out, ")");
		break;
	case STRACE_CALL_membarrier:
		show_membarrier(out, call);
		break;
	case STRACE_CALL_prctl:
		show_prctl(out, call);
		break;
	case STRACE_CALL_umask:
		strace_out_format(out, "%#03lo", call->result);
		break;
	case STRACE_CALL_fcntl:
		show_fcntl(out, call);
		break;
	case STRACE_CALL_poll:
	case STRACE_CALL_ppoll:
	case STRACE_CALL_select:
	case STRACE_CALL_pselect6:
		strace_out_format(out, "%ld", call->result);
		show_ready(out, call);
		break;
	default:
		strace_out_format(out, "%ld", call->result);
	}
}

#define ERROR_MAX 4095 /* of the kernel's results */

void strace_show_result(struct strace_out *out, const struct strace_call *call)
{
	strace_out_text(out, "= ");
	if (call->result < 0 && call->result >= -ERROR_MAX)
		show_error(out, call, (int)-call->result);
	else
		show_success(out, call);
}
