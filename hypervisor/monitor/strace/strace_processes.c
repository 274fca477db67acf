/* SPDX-License-Identifier: MIT */
/* Structures of signals and processes. */
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "strace/strace_argument.h"
#include "strace/strace_show.h"

/* --- signals --- */

/* A set is shown by what is in it or, if that is shorter, by what is not. */
void strace_show_set(struct strace_out *out, uint64_t set)
{
	const bool is_inverse = __builtin_popcountl(set) > 42;
	const char *between = "";
	if (is_inverse)
		set = ~set;
	strace_out_text(out, is_inverse ? "~[" : "[");
	for (unsigned signal = 1; signal <= 64; signal++)
		if (set >> (signal - 1) & 1) {
			strace_out_format(out, "%s%s", between, strace_names_signal(signal).text + sizeof("SIG") - 1);
			between = " ";
		}
	strace_out_text(out, "]");
}

static void show_set(const struct strace_argument *a, uint64_t address, bool is_out)
{
	uint64_t set;
	if ((is_out ? strace_load_out : strace_load_in)(a, address, &set, sizeof(set)))
		strace_show_set(a->out, set);
	else
		strace_show_address(a->out, address);
}

void strace_show_SIGSET(const struct strace_argument *a)
{
	show_set(a, a->value, false);
}

void strace_show_SIGSET_OUT(const struct strace_argument *a)
{
	show_set(a, a->value, true);
}

/* The last argument of pselect6(2): a pointer to the set, and its size. */
void strace_show_PSELECT_MASK(const struct strace_argument *a)
{
	uint64_t mask[2];
	if (!strace_load_in(a, a->value, mask, sizeof(mask))) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_text(a->out, "{sigmask=");
	show_set(a, mask[0], false);
	strace_out_format(a->out, ", sigsetsize=%lu}", mask[1]);
}

#define HAS_RESTORER 0x04000000UL

static void show_action(const struct strace_argument *a, bool is_out)
{
	struct {
		uint64_t handler, flags, restorer, mask;
	} action;
	struct strace_out *out = a->out;
	if (!(is_out ? strace_load_out : strace_load_in)(a, a->value, &action, sizeof(action))) {
		strace_show_address(out, a->value);
		return;
	}
	const uint64_t handler = action.handler;
	if (handler <= 1)
		strace_out_format(out, "{sa_handler=%s, sa_mask=", handler ? "SIG_IGN" : "SIG_DFL");
	else
		strace_out_format(out, "{sa_handler=%#lx, sa_mask=", handler);
	strace_show_set(out, action.mask);
	strace_out_text(out, ", sa_flags=");
	strace_names_flags(out, STRACE_NAMES_sa_flags, action.flags);
	if (action.flags & HAS_RESTORER)
		strace_out_format(out, ", sa_restorer=%#lx", action.restorer);
	strace_out_text(out, "}");
}

void strace_show_SIGACTION(const struct strace_argument *a)
{
	show_action(a, false);
}

void strace_show_SIGACTION_OUT(const struct strace_argument *a)
{
	show_action(a, true);
}

/* The kernel gives the address of the mask in the frame of the handler. */
void strace_show_SIGRETURN(const struct strace_argument *a)
{
	uint64_t mask;
	if (!strace_load_in(a, a->value, &mask, sizeof(mask)))
		return;
	strace_out_text(a->out, "{mask=");
	strace_show_set(a->out, mask);
	strace_out_text(a->out, "}");
}

static void show_stack(const struct strace_argument *a, bool is_out)
{
	struct {
		uint64_t sp;
		int32_t flags, pad;
		uint64_t size;
	} stack;
	if (!(is_out ? strace_load_out : strace_load_in)(a, a->value, &stack, sizeof(stack))) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_text(a->out, "{ss_sp=");
	strace_show_address(a->out, stack.sp);
	strace_out_text(a->out, ", ss_flags=");
	strace_names_flags(a->out, STRACE_NAMES_ss_flags, (uint32_t)stack.flags);
	strace_out_format(a->out, ", ss_size=%lu}", stack.size);
}

void strace_show_SIGSTACK(const struct strace_argument *a)
{
	show_stack(a, false);
}

void strace_show_SIGSTACK_OUT(const struct strace_argument *a)
{
	show_stack(a, true);
}

static void show_code(struct strace_out *out, int signal, int code)
{
	static const struct {
		int signal;
		enum strace_names names;
	} own[] = {{SIGCHLD, STRACE_NAMES_cld_code},
	           {SIGSEGV, STRACE_NAMES_segv_code},
	           {SIGFPE, STRACE_NAMES_fpe_code},
	           {SIGILL, STRACE_NAMES_ill_code},
	           {SIGBUS, STRACE_NAMES_bus_code}};
	enum strace_names names = STRACE_NAMES_si_code;
	for (unsigned i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (own[i].signal == signal && code > 0 && code < SI_KERNEL)
			names = own[i].names;
	const char *name = strace_names_find(names, (uint64_t)(int64_t)code);
	if (name)
		strace_out_text(out, name);
	else
		strace_out_format(out, "%d", code);
}

/* What a program has given a signal or timer. */
static void show_value(struct strace_out *out, const siginfo_t *info)
{
	strace_out_format(out, ", si_int=%d, si_ptr=", info->si_int);
	strace_show_address(out, (uint64_t)info->si_ptr);
}

static void show_info(struct strace_out *out, const siginfo_t *info)
{
	strace_out_format(out, "{si_signo=%s, si_code=", strace_names_signal((unsigned)info->si_signo).text);
	show_code(out, info->si_signo, info->si_code);
	if (info->si_signo == SIGCHLD && info->si_code > 0 && info->si_code < SI_KERNEL) {
		strace_out_format(out, ", si_pid=%d, si_uid=%u, si_status=", info->si_pid, info->si_uid);
		if (info->si_code == CLD_EXITED)
			strace_out_format(out, "%d", info->si_status);
		else
			strace_out_text(out, strace_names_signal((unsigned)info->si_status).text);
		strace_out_format(out, ", si_utime=%ld, si_stime=%ld", info->si_utime, info->si_stime);
	} else if (info->si_code > 0 && info->si_code < SI_KERNEL) {
		strace_out_text(out, ", si_addr=");
		strace_show_address(out, (uint64_t)info->si_addr);
	} else if (info->si_code == SI_TIMER) {
		strace_out_format(out, ", si_timerid=%#x, si_overrun=%d", (unsigned)info->si_timerid, info->si_overrun);
		show_value(out, info);
	} else if (info->si_code <= 0) {
		strace_out_format(out, ", si_pid=%d, si_uid=%u", info->si_pid, info->si_uid);
		if (info->si_code == SI_QUEUE)
			show_value(out, info);
	}
	strace_out_text(out, "}");
}

void strace_show_signal(struct strace_out *out, const struct strace_call *memory, uint64_t signal)
{
	siginfo_t info;
	const void *from = strace_call_out(memory, 0, sizeof(info));
	strace_out_format(out, "--- %s ", strace_names_signal((unsigned)signal).text);
	if (from) {
		__builtin_memcpy(&info, from, sizeof(info));
		show_info(out, &info);
	} else {
		strace_out_format(out, "{si_signo=%s}", strace_names_signal((unsigned)signal).text);
	}
	strace_out_text(out, " ---");
}

static void show_own_info(const struct strace_argument *a, bool is_out)
{
	siginfo_t info;
	if ((is_out ? strace_load_out : strace_load_in)(a, a->value, &info, sizeof(info)))
		show_info(a->out, &info);
	else
		strace_show_address(a->out, a->value);
}

void strace_show_SIGINFO(const struct strace_argument *a)
{
	show_own_info(a, false);
}

/* waitid(2) succeeds without a child, too. */
void strace_show_SIGINFO_OUT(const struct strace_argument *a)
{
	siginfo_t info;
	if (strace_load_out(a, a->value, &info, sizeof(info)) && !info.si_signo)
		strace_out_text(a->out, "{}");
	else
		show_own_info(a, true);
}

void strace_show_SIGEVENT(const struct strace_argument *a)
{
	struct {
		uint64_t value;
		int32_t signal, notify;
		int32_t tid;
	} event;
	if (!strace_load_in(a, a->value, &event, sizeof(event))) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_format(a->out, "{sigev_value={sival_int=%d, sival_ptr=", (int)event.value);
	strace_show_address(a->out, event.value);
	strace_out_format(a->out, "}, sigev_signo=%s, sigev_notify=", strace_names_signal((unsigned)event.signal).text);
	strace_out_text(a->out, event.notify == 0   ? "SIGEV_SIGNAL"
	                        : event.notify == 1 ? "SIGEV_NONE"
	                        : event.notify == 4 ? "SIGEV_THREAD_ID"
	                                            : "SIGEV_THREAD");
	if (event.notify == 4)
		strace_out_format(a->out, ", sigev_notify_thread_id=%d", event.tid);
	strace_out_text(a->out, "}");
}

/* --- processes --- */

void strace_show_STATUS(const struct strace_argument *a)
{
	int status;
	struct strace_out *out = a->out;
	if (a->call->result <= 0 || !strace_load_out(a, a->value, &status, sizeof(status)))
		strace_show_address(out, a->value);
	else if (WIFEXITED(status))
		strace_out_format(out, "[{WIFEXITED(s) && WEXITSTATUS(s) == %d}]", WEXITSTATUS(status));
	else if (WIFSTOPPED(status))
		strace_out_format(out, "[{WIFSTOPPED(s) && WSTOPSIG(s) == %s}]",
		                  strace_names_signal((unsigned)WSTOPSIG(status)).text);
	else if (WIFCONTINUED(status))
		strace_out_text(out, "[{WIFCONTINUED(s)}]");
	else
		strace_out_format(out, "[{WIFSIGNALED(s) && WTERMSIG(s) == %s%s}]",
		                  strace_names_signal((unsigned)WTERMSIG(status)).text,
		                  WCOREDUMP(status) ? " && WCOREDUMP(s)" : "");
}

/* A number of a thread that clone(2) stores. */
void strace_show_CHILD_TID(const struct strace_argument *a)
{
	uint32_t tid;
	if (a->index == 2 && strace_load_out(a, a->value, &tid, sizeof(tid)))
		strace_out_format(a->out, "[%u]", tid);
	else
		strace_show_address(a->out, a->value);
}

#define CLONE_ARGS_MEMBERS 8
#define CLONE_DESCRIPTOR 0x1000UL
#define CLONE_PARENT_TID 0x100000UL

void strace_show_CLONE_ARGS(const struct strace_argument *a)
{
	static const char *const names[CLONE_ARGS_MEMBERS] = {"flags",       "pidfd", "child_tid",  "parent_tid",
	                                                      "exit_signal", "stack", "stack_size", "tls"};
	uint64_t members[CLONE_ARGS_MEMBERS];
	struct strace_out *out = a->out;
	if (!strace_load_in(a, a->value, members, sizeof(members))) {
		strace_show_address(out, a->value);
		return;
	}
	for (unsigned i = 0; i < CLONE_ARGS_MEMBERS; i++) {
		const bool is_address = i == 1 || i == 2 || i == 3 || i == 5 || i == 7;
		const bool is_wanted =
			i == 0 || i == 4 || i == 5 || i == 6 || (i == 1 ? members[0] & CLONE_DESCRIPTOR : members[i]);
		if (!is_wanted)
			continue;
		strace_out_format(out, "%s%s=", i ? ", " : "{", names[i]);
		if (i == 0)
			strace_names_flags(out, STRACE_NAMES_clone, members[i]);
		else if (i == 4)
			strace_out_text(out, members[i] ? strace_names_signal((unsigned)members[i]).text : "0");
		else if (is_address)
			strace_show_address(out, members[i]);
		else
			strace_out_format(out, members[i] ? "%#lx" : "%lu", members[i]);
	}
	strace_out_text(out, "}");
}

/* What clone3(2) stores where a member leads. */
void strace_show_cloned(const struct strace_argument *a)
{
	uint64_t members[CLONE_ARGS_MEMBERS];
	if (a->call->result > 0 && strace_load_in(a, a->value, members, sizeof(members)) &&
	    members[0] & CLONE_PARENT_TID)
		strace_out_format(a->out, " => {parent_tid=[%ld]}", a->call->result);
}

void strace_show_CAP_HEADER(const struct strace_argument *a)
{
	uint32_t head[2];
	if (!strace_load_in(a, a->value, head, sizeof(head))) {
		strace_show_address(a->out, a->value);
		return;
	}
	if (head[0] == 0x20080522)
		strace_out_format(a->out, "{version=_LINUX_CAPABILITY_VERSION_3, pid=%d}", (int)head[1]);
	else
		strace_out_format(a->out, "{version=%#x, pid=%d}", head[0], (int)head[1]);
}

static void show_capabilities(const struct strace_argument *a, bool is_out)
{
	uint32_t data[6];
	if ((is_out ? strace_load_out : strace_load_in)(a, a->value, data, sizeof(data)))
		strace_out_format(a->out, "{effective=%#lx, permitted=%#lx, inheritable=%#lx}",
		                  (uint64_t)data[3] << 32 | data[0], (uint64_t)data[4] << 32 | data[1],
		                  (uint64_t)data[5] << 32 | data[2]);
	else
		strace_show_address(a->out, a->value);
}

void strace_show_CAP_DATA(const struct strace_argument *a)
{
	show_capabilities(a, false);
}

void strace_show_CAP_DATA_OUT(const struct strace_argument *a)
{
	show_capabilities(a, true);
}

void strace_show_SEMBUFS(const struct strace_argument *a)
{
	const uint64_t count = strace_other(a, 1);
	struct {
		uint16_t number;
		int16_t operation, flags;
	} one;
	if (!strace_load_in(a, a->value, &one, sizeof(one))) {
		strace_show_address(a->out, a->value);
		return;
	}
	strace_out_text(a->out, "[");
	for (uint64_t i = 0; i < count && strace_load_in(a, a->value + i * sizeof(one), &one, sizeof(one)); i++)
		strace_out_format(a->out, "%s{sem_num=%u, sem_op=%d, sem_flg=%s}", i ? ", " : "", one.number,
		                  one.operation,
		                  one.flags == 0x1000   ? "SEM_UNDO"
		                  : one.flags == 0x800  ? "IPC_NOWAIT"
		                  : one.flags == 0x1800 ? "SEM_UNDO|IPC_NOWAIT"
		                                        : "0");
	strace_out_text(a->out, "]");
}

void strace_show_PRCTL_ARG(const struct strace_argument *a)
{
	char name[16];
	int number;
	switch (strace_other(a, -1)) {
	case PR_SET_NAME:
	case PR_GET_NAME:
		if ((strace_other(a, -1) == PR_SET_NAME ? strace_load_in : strace_load_out)(a, a->value, name,
		                                                                            sizeof(name)))
			strace_show_string(a->out, name, sizeof(name));
		else
			strace_show_address(a->out, a->value);
		break;
	case PR_SET_PDEATHSIG:
		strace_show_SIG(a);
		break;
	case PR_GET_PDEATHSIG:
	case PR_GET_CHILD_SUBREAPER:
		if (strace_load_out(a, a->value, &number, sizeof(number)))
			strace_out_format(a->out, "[%d]", number);
		else
			strace_show_address(a->out, a->value);
		break;
	case PR_CAPBSET_READ:
	case PR_CAPBSET_DROP:
		strace_names_one(a->out, STRACE_NAMES_capability, a->value);
		break;
	case PR_SET_DUMPABLE:
		strace_names_one(a->out, STRACE_NAMES_dumpable, a->value);
		break;
	case PR_SET_KEEPCAPS:
	case PR_SET_NO_NEW_PRIVS:
	case PR_SET_CHILD_SUBREAPER:
	case PR_SET_TIMERSLACK:
		strace_out_format(a->out, "%lu", a->value);
		break;
	default:
		strace_out_format(a->out, a->value ? "%#lx" : "%lu", a->value);
	}
}

void strace_show_ARCH_PRCTL_ARG(const struct strace_argument *a)
{
	const uint64_t code = strace_other(a, -1);
	uint64_t value;
	if ((code == 0x1003 || code == 0x1004) && strace_load_out(a, a->value, &value, sizeof(value)))
		strace_out_format(a->out, "[%#lx]", value);
	else
		strace_show_address(a->out, a->value);
}
