/* SPDX-License-Identifier: MIT */
/* Calls the kernel function of a system call's number, and then delivers signals and restarts calls (signal(7),
 * "Interruption of system calls"). */
#include "kernel/linux/entry/entry.h"

#include <stddef.h>

#include "abi/boot.h"
#include "abi/doorbell.h"
#include "abi/errno.h"
#include "abi/stats.h"
#include "kernel/arch/direct_map.h"
#include "kernel/dev/console.h"
#include "kernel/end.h"
#include "kernel/lib/format.h"
#include "kernel/linux/entry/rseq.h"
#include "kernel/linux/patch/jit_patches.h"
#include "kernel/linux/signal/deliver.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/kcall.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/keyboard.h"
#include "kernel/linux/memory/linux_space.h"

#define PAUSE_NS 900 /* together with a call of sched_yield(2), 1 us */

_Static_assert(offsetof(struct thread, kernel_stack) == THREAD_KERNEL_STACK, "entry.S");
_Static_assert(offsetof(struct run_stats, trapped_calls) == STATS_TRAPPED_CALLS, "entry.S");
_Static_assert(offsetof(struct boot_info, flags) == ENTRY_BOOT_FLAGS, "entry.S");
_Static_assert(BOOT_FLAG_STRACE == ENTRY_FLAG_STRACE, "entry.S");
_Static_assert(BOOT_FLAG_DEBUG == ENTRY_FLAG_DEBUG, "entry.S");

#define ENTRY(number, name, ...) [number] = (const void *)kcall_##name,
const void *const linux_calls[LINUX_CALLS] = {SYSCALL_LIST_COMMON(ENTRY) SYSCALL_LIST_LINUX(ENTRY)};
#undef ENTRY

const char *dispatch_call_name(unsigned number)
{
#define NAME(number, name) [number] = #name,
	static const char *const names[LINUX_CALLS] = {LINUX_CALL_LIST(NAME)};
#undef NAME
	return number < LINUX_CALLS ? names[number] : NULL;
}

/* The error of a call that programs try and can do without; 0: no such call. */
static long refused(uint64_t number)
{
#define REFUSED(n, name, error, why) {n, -error},
	static const struct {
		uint16_t number;
		int16_t error;
	} all[] = {LINUX_REFUSED_LIST(REFUSED)};
#undef REFUSED
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].number == number)
			return all[i].error;
	return 0;
}

static bool is_probed(uint64_t number)
{
#define PROBED(n, name, why) n,
	static const uint16_t all[] = {LINUX_PROBED_LIST(PROBED)};
#undef PROBED
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i] == number)
			return true;
	return false;
}

/* Whether an unimplemented call fails with ENOSYS, by --unknown-syscall. */
static bool may_fail(uint64_t number)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	return boot->flags & BOOT_FLAG_ENOSYS || (boot->flags & BOOT_FLAG_PROBE && is_probed(number));
}

/* The monitor names the call at the end. */
static long fail_call(uint64_t number, long error)
{
	struct run_stats *stats = phys_to_virt(LAYOUT_STATS);
	if (error == -ENOSYS && number < STATS_CALLS)
		stats->failed_calls[number / 64] |= 1UL << number % 64;
	return error;
}

long dispatch_call_unknown(struct trap_frame *frame)
{
	char what[200];
	uint64_t number = frame->error_code;
	const char *name = number < LINUX_CALLS ? dispatch_call_name((unsigned)number) : NULL;
	if (refused(number))
		return fail_call(number, refused(number));
	if (may_fail(number))
		return fail_call(number, -ENOSYS);
	format(what, sizeof(what),
	       "the program made the system call %s (%lu: 0x%lx, 0x%lx, 0x%lx, 0x%lx, 0x%lx, 0x%lx), which "
	       "is not implemented; --unknown-syscall=enosys has it fail",
	       name ? name : "unknown", number, frame->rdi, frame->rsi, frame->rdx, frame->r10, frame->r8, frame->r9);
	end_at_fault(frame, LINUX_SIGSYS, what);
}

#define NUMBER(number, name, ...) CALL_##name = (number),
enum { SYSCALL_LIST_COMMON(NUMBER) SYSCALL_LIST_LINUX(NUMBER) };
#undef NUMBER

/* futex(2) */
#define FUTEX_WAKE 1
#define FUTEX_WAKE_BITSET 10
#define FUTEX_COMMANDS 127

/* Whether a thread has woken others, in a program that makes code at run time. */
static bool has_woken(const struct trap_frame *frame)
{
	uint64_t command = frame->rsi & FUTEX_COMMANDS;
	return frame->error_code == CALL_futex && (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET) &&
	       (int64_t)frame->rax > 0 && linux_space_self()->jit_patches.is_used;
}

/* A compiler thread of a program that compiles at run time is woken when it has work. Threads that compute have no
 * other reason to give way, and would continue without ever being compiled. */
bool dispatch_call_ends(struct trap_frame *frame)
{
	if (__builtin_expect(has_woken(frame), 0))
		kcall_sched_yield();
	if (__builtin_expect(console_has_interrupt(), 0))
		keyboard_take_interrupt();
	if (__builtin_expect(signal_pending() != 0, 0))
		linux_deliver(frame);
	return frame->vector != LINUX_BY_TRAP && frame->vector != LINUX_BY_JUMP;
}

/* A thread that waits in a loop gives way. This counts as a call of sched_yield(2), but costs more virtual time: it is
 * a trap, and a thread that waits for a deadline in this way would otherwise take many of them. */
void dispatch_pause(struct trap_frame *frame)
{
	const uint64_t switches = thread_current->switches;
	frame->vector = 0;
	vclock_advance(PAUSE_NS);
	kcall_sched_yield();
	if (thread_current->switches != switches)
		rseq_interrupted(frame);
	if (signal_pending())
		linux_deliver(frame);
}
