/* SPDX-License-Identifier: MIT */
/* The personality of native images: one process, which calls the kernel's functions. */
#include "kernel/personality.h"

#include "abi/layout.h"
#include "kernel/end.h"
#include "kernel/main.h"
#include "kernel/mm/exec.h"
#include "kernel/mm/vm.h"
#include "kernel/native/native.h"
#include "kernel/sched/context.h"
#include "kernel/sched/deadlock.h"
#include "kernel/sched/process.h"
#include "kernel/signal/invoke.h"
#include "kernel/signal/signal_frame.h"
#include "kernel/sys/file_descriptor.h"
#include "kernel/sys/file_io.h"
#include "kernel/time/vclock.h"
#include "kernel/trap/emulate.h"
#include "kernel/sys/memory.h"
#include "kernel/vfs/data.h"
#include "kernel/vfs/fdtable.h"
#include "kernel/vfs/namei.h"

static bool exec_fault(struct trap_frame *frame)
{
	(void)frame;
	return false;
}

static void exec_thaw(uint64_t address, uint64_t bytes)
{
	(void)address, (void)bytes;
}

/* Upwards from the start of an area that nothing else uses. */
static uint64_t memory_gap(uint64_t bytes)
{
	return vm_find_gap(bytes, LAYOUT_MMAP, LAYOUT_MMAP_END);
}

static int memory_shared(uint64_t bytes, struct file **object)
{
	(void)bytes;
	*object = NULL;
	return 0;
}

static int file_set_async(int fd, struct file *file, bool on)
{
	(void)fd, (void)file, (void)on;
	return 0;
}

static bool process_exists(uint32_t id)
{
	return id == PROCESS_ID;
}

static bool may(int capability)
{
	(void)capability;
	return true;
}

static bool limit_may_rise(int resource, uint64_t hard)
{
	(void)resource, (void)hard;
	return false;
}

static void thread_moved(void)
{
}

static uint64_t signal_fault_place(uint64_t address)
{
	return address;
}

static uint64_t signal_return_address(const struct linux_sigaction *action)
{
	(void)action;
	return (uint64_t)call_handler_return;
}

static bool emulate_own(struct trap_frame *frame)
{
	(void)frame;
	return false;
}

static uint64_t application_stack(const struct boot_info *boot)
{
	trap_sites_init(boot);
	return main_stack_map(boot);
}

const struct personality personality = {
	.pagetable_more = 0,
	.memory_is_lazy = false,
	.exec_is_settled_late = false,
	.vm_map_object = vm_map_object_plain,
	.vm_unmap = vm_unmap_plain,
	.vm_protect = vm_protect_plain,
	.vm_discard = vm_discard_plain,
	.exec_check = exec_refuse,
	.exec_detach = vm_detach,
	.exec_fault = exec_fault,
	.exec_thaw = exec_thaw,
	.image_is_program = image_rights_is_program,
	.image_protect = image_rights_protect,
	.memory_gap = memory_gap,
	.memory_grow = memory_grow,
	.memory_shared = memory_shared,
	.data_write = data_write_unlimited,
	.data_truncate = data_truncate_unlimited,
	.data_reserve = data_reserve_unlimited,
	.inode_contents_writable = inode_writable,
	.namei_make = namei_make,
	.file_set_async = file_set_async,
	.file_owner = file_descriptor_no_owner,
	.file_vector = file_io_own_vector,
	.process_cpu_ns = vclock_cpu,
	.process_cpu_due = vclock_cpu_due,
	.process_exists = process_exists,
	.may = may,
	.limit_may_rise = limit_may_rise,
	.thread_moved = thread_moved,
	.thread_registers = deadlock_registers,
	.signal_deliver = native_deliver,
	.signal_die_at = end_at_fault,
	.signal_fault_place = signal_fault_place,
	.signal_return_address = signal_return_address,
	.signal_frame_push = signal_frame_build,
	.signal_caller_stack = native_deliver_caller_stack,
	.emulate_site = trap_sites_find,
	.emulate_own = emulate_own,
	.emulate_refused = emulate_refused,
	.application_stack = application_stack,
	.application_start = application_start,
	.syscall_entry = native_syscall_entry,
	.context_switch = context_switch,
};
