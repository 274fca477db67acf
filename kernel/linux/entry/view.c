/* SPDX-License-Identifier: MIT */
/* The view is updated at each switch of processes, so that it is correct wherever a run is stopped. */
#include "kernel/linux/entry/view.h"

#include <stddef.h>

#include "abi/doorbell.h"
#include "kernel/arch/direct_map.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/sched/sched.h"
#include "kernel/time/timer.h"

_Static_assert(LAYOUT_LINUX_VIEW >= LAYOUT_FAULT_REPORT + sizeof(struct fault_report), "beside the report");
_Static_assert(sizeof(struct trap_frame) == sizeof(struct view_frame), "view_frame");
_Static_assert(offsetof(struct trap_frame, rip) == offsetof(struct view_frame, rip), "view_frame");
_Static_assert(offsetof(struct mappings, count) == offsetof(struct view_mappings, count), "view_mappings");
_Static_assert(sizeof(struct mapping) == sizeof(struct view_mapping), "view_mapping");
_Static_assert(offsetof(struct mapping, prot) == offsetof(struct view_mapping, rights), "view_mapping");
_Static_assert(offsetof(struct mapping, backing.ops) == offsetof(struct view_mapping, ops), "view_mapping");
_Static_assert(offsetof(struct mapping, backing.object) == offsetof(struct view_mapping, object), "view_mapping");
_Static_assert(offsetof(struct mapping, backing.page) == offsetof(struct view_mapping, page), "view_mapping");
_Static_assert(sizeof(enum thread_state) == 4 && (int)THREAD_READY == VIEW_READY && (int)THREAD_WAITING == VIEW_WAITING,
               "view_state");
_Static_assert(SCHED_FOREVER == UINT64_MAX, "deadline_at");
_Static_assert(VM_EXEC == VIEW_EXECUTABLE, "view_mapping");

static struct linux_view *view(void)
{
	return phys_to_virt(LAYOUT_LINUX_VIEW);
}

void view_init(const struct linux_space *space, struct view_file **files)
{
	*view() = (struct linux_view){
		.magic = LINUX_VIEW_MAGIC,
		.tables = space->base.top,
		.mappings = (uint64_t)&space->base.mappings,
		.current = (uint64_t)&thread_current,
		.stack_at = offsetof(struct thread, kernel_stack),
		.files = (uint64_t)files,
		.fs_base_at = offsetof(struct thread, fs_base),
		.before_at = offsetof(struct thread, before),
		.after_at = offsetof(struct thread, after),
		.state_at = offsetof(struct thread, state),
		.deadline_at = offsetof(struct thread, deadline_ns),
		.timer = (uint64_t)&timer_soonest,
	};
}

void view_space(const struct linux_space *space)
{
	view()->tables = space->base.top;
	view()->mappings = (uint64_t)&space->base.mappings;
}

/* A report shows where a program's thread has called the kernel, and its process's memory. */
void view_thread_registers(const struct thread *thread, uint64_t registers[17])
{
	const struct trap_frame *frame = linux_frame(thread);
	const struct linux_space *space = thread->process->more->space;
	const uint64_t all[17] = {
		frame->rax, frame->rdx, frame->rcx, frame->rbx, frame->rsi, frame->rdi,
		frame->rbp, frame->rsp, frame->r8,  frame->r9,  frame->r10, frame->r11,
		frame->r12, frame->r13, frame->r14, frame->r15, frame->rip,
	};
	for (int i = 0; i < 17; i++)
		registers[i] = all[i];
	view_space(space);
}
