/* SPDX-License-Identifier: MIT */
/* The personality of the image that runs Linux programs. */
#include "kernel/personality.h"

#include "kernel/linux/debug/debug.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/entry/linux_main.h"
#include "kernel/linux/entry/linux_point.h"
#include "kernel/linux/entry/rseq.h"
#include "kernel/linux/entry/view.h"
#include "kernel/linux/event/signalfd.h"
#include "kernel/linux/files/file_limit.h"
#include "kernel/linux/files/hostfs.h"
#include "kernel/linux/files/pipe_pages.h"
#include "kernel/linux/files/stream.h"
#include "kernel/linux/memory/content_copies.h"
#include "kernel/linux/memory/memory_layout.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/memory/shared_frames.h"
#include "kernel/linux/memory/space_tables.h"
#include "kernel/linux/patch/constant_seeds.h"
#include "kernel/linux/patch/jit_pages.h"
#include "kernel/linux/patch/patch.h"
#include "kernel/linux/patch/stub_rounds.h"
#include "kernel/linux/process/credentials.h"
#include "kernel/linux/process/execve.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/signal/owner.h"
#include "kernel/linux/strace/strace.h"
#include "kernel/linux/signal/deliver.h"
#include "kernel/linux/signal/linux_terminal.h"
#include "kernel/linux/signal/xsave_frame.h"
#include "kernel/linux/time/cpu_timer.h"
#include "kernel/sys/memory.h"

/* Signals are delivered later, by linux_deliver. */
static void signal_deliver(void)
{
}

/* A trap is noted before the debugger may take it. */
static bool trap_begins(struct trap_frame *frame)
{
	stub_rounds_leave(frame);
	strace_faults(frame);
	return debug_trap_begins(frame);
}

static void linux_forget(void)
{
	linux_point_forget();
	hostfs_forget();
}

const struct personality personality = {
	.pagetable_more = SPACE_TABLES_MORE,
	.memory_is_lazy = true,
	.exec_is_settled_late = true,
	.vm_map_object = constant_seeds_map_object,
	.vm_unmap = linux_space_unmap,
	.vm_protect = constant_seeds_protect,
	.vm_discard = constant_seeds_discard,
	.space_after = linux_space_after,
	.vm_zap_elsewhere = linux_space_zap_elsewhere,
	.frame_has_other = shared_frames_has_other,
	.pagetable_reclaim = space_tables_reclaim,
	.exec_check = patch_exec_check,
	.exec_detach = patch_exec_detach,
	.exec_is_plain = patch_is_plain,
	.copy_later = content_copies_add,
	.copy_now = content_copies_end,
	.trap_begins = trap_begins,
	.trap_ends = debug_trap_ends,
	.exec_fault = jit_pages_fault,
	.exec_thaw = jit_pages_thaw,
	.image_is_program = memory_layout_is_image,
	.image_protect = memory_layout_protect_image,
	.memory_gap = memory_layout_gap,
	.memory_grow = memory_grow,
	.memory_shared = memory_layout_shared,
	.data_write = file_limit_write,
	.data_truncate = file_limit_truncate,
	.data_reserve = file_limit_reserve,
	.inode_contents_writable = execve_contents_writable,
	.namei_make = credentials_make_inode,
	.device_stream_poll = stream_poll,
	.device_stream_ioctl = stream_ioctl,
	.file_set_async = owner_set_async,
	.file_owner = owner_control,
	.file_vector = pipe_pages_vector,
	.pipe_rules = &pipe_pages_rules,
	.terminal_rules = &linux_terminal_rules,
	.forget = linux_forget,
	.timers_expire = cpu_timer_expire,
	.process_cpu_ns = cpu_timer_process_cpu,
	.process_cpu_due = cpu_timer_due,
	.process_exists = process_exists,
	.may = process_may,
	.limit_may_rise = process_may_raise_limit,
	.limits_find = process_limits,
	.thread_moved = rseq_moved,
	.thread_registers = view_thread_registers,
	.deadlocked = debug_deadlocked,
	.op_name = dispatch_call_name,
	.signal_added = signalfd_notice,
	.signal_deliver = signal_deliver,
	.signal_die_at = debug_die_at,
	.signal_fault_place = deliver_fault_place,
	.signal_return_address = deliver_return_address,
	.signal_frame_push = debug_frame_push,
	.signal_caller_stack = deliver_caller_stack,
	.emulate_site = patch_site,
	.emulate_own = patch_emulate,
	.emulate_refused = patch_emulate_refused,
	.application_stack = linux_main_stack,
	.application_start = linux_main_start,
	.syscall_entry = entry_syscall,
	.decided = strace_decided,
	.context_switch = entry_context_switch,
};
