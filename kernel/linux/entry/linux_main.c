/* SPDX-License-Identifier: MIT */
/* The Linux personality as an application of the kernel: starts the program named by the run's arguments. */
#include "kernel/linux/entry/linux_main.h"

#include "abi/boot.h"
#include "abi/layout.h"
#include "kernel/arch/direct_map.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/linux/core/core.h"
#include "kernel/linux/debug/debug.h"
#include "kernel/linux/process/command.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/entry/view.h"
#include "kernel/linux/files/devices.h"
#include "kernel/linux/files/mounts.h"
#include "kernel/linux/files/pipe_pages.h"
#include "kernel/linux/patch/patch.h"
#include "kernel/linux/proc/proc.h"
#include "kernel/linux/process/error_text.h"
#include "kernel/linux/process/execve.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/process/linux_thread.h"
#include "kernel/linux/signal/linux_terminal.h"
#include "kernel/linux/strace/strace.h"

uint64_t linux_main_stack(const struct boot_info *boot)
{
	(void)boot;
	cpu_init();
	process_begin();
	view_init(linux_space_self(), &patch_files);
	end_hooks.tell_core = core_tell;
	thread_current->kernel_stack = linux_thread_stack();
	assert(thread_current->kernel_stack);
	return (uint64_t)linux_frame(thread_current);
}

static unsigned count_strings(char *const *strings)
{
	unsigned n = 0;
	while (strings[n])
		n++;
	return n;
}

_Noreturn void linux_main_start(const struct application_args *args)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	struct trap_frame *frame = linux_frame(thread_current);
	strace_note(STRACE_PAD, 0, NULL);
	mounts_init(boot);
	if (devices_init() < 0 || proc_init() < 0)
		end_with_report(
			END_REFUSED, 0,
			"what Linux has in /dev and /proc cannot be made: out of memory; give more by --memory");
	mounts_enter();
	linux_terminal_init();
	const struct strings arguments = {args->argv, (unsigned)args->argc};
	const struct strings environment = {args->envp, count_strings(args->envp)};
	const char *program = boot->program ? phys_to_virt(boot->program) : args->argv[0];
	int status = command_execute(program, arguments, environment, frame);
	if (status)
		end_not_started(status);
	debug_note(DEBUG_AT_START, 0, NULL);
	trap_resume(frame);
}
