/* SPDX-License-Identifier: MIT */
/* Reading changes nothing: neither pages that the program has not touched yet, nor the kernel's own state. */
#include "kernel/linux/debug/debug_serve.h"

#include "abi/errno.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/format.h"
#include "kernel/lib/string.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/debug/debug_breakpoints.h"
#include "kernel/linux/debug/debug_state.h"
#include "kernel/linux/debug/debug_wanted.h"
#include "kernel/linux/debug/debug_watch.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/files/host_contents.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/patch/jit_patches.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/linux/process/linux_process.h"
#include "kernel/linux/process/linux_thread.h"
#include "kernel/linux/process/user_registers.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/sched/thread_segments.h"

#define RFLAGS_TF 0x100UL
#define RFLAGS_PROGRAM 0x240dd5UL /* CF PF AF ZF SF TF DF OF AC ID: what a program can set */

/* The registers in an XSAVE area, between its control words and its reserved bytes. */
#define STACK_AT 32
#define XMM_END 416

_Static_assert(sizeof(struct user_registers) == sizeof(struct debug_registers), "user_regs_struct");
_Static_assert(DEBUG_DATA_BYTES >= CPU_AREA_BYTES, "a thread's vector registers");

static struct thread *find_thread(uint32_t tid)
{
	for (struct thread *thread = NULL; (thread = process_thread_after(thread));)
		if (thread->tid == tid)
			return thread;
	return NULL;
}

static int64_t give_registers(const struct debug_place *place)
{
	const struct thread *thread = find_thread(debug_area()->request.tid);
	if (!thread)
		return -ESRCH;
	thread_segments_note();
	struct user_registers registers =
		user_registers_of(thread, thread == thread_current ? place->frame : linux_frame(thread));
	registers.eflags &= ~RFLAGS_TF;
	if (thread == thread_current && place->from)
		registers.rip = place->from;
	if (thread == thread_current && place->has_result)
		registers.rax = place->frame->rax;
	memcpy(debug_area()->data, &registers, sizeof(registers));
	return sizeof(registers);
}

/* Of a thread that stands in a trap. The instruction pointer stays in its stub unless another one is given. */
static int64_t set_registers(const struct debug_place *place)
{
	struct trap_frame *frame = place->frame;
	struct user_registers given;
	memcpy(&given, debug_area()->data, sizeof(given));
	if (place->is_in_call || debug_area()->request.tid != thread_current->tid)
		return -EBUSY;
	frame->r15 = given.r15;
	frame->r14 = given.r14;
	frame->r13 = given.r13;
	frame->r12 = given.r12;
	frame->r11 = given.r11;
	frame->r10 = given.r10;
	frame->r9 = given.r9;
	frame->r8 = given.r8;
	frame->rax = given.rax;
	frame->rcx = given.rcx;
	frame->rdx = given.rdx;
	frame->rbx = given.rbx;
	frame->rsi = given.rsi;
	frame->rdi = given.rdi;
	frame->rbp = given.rbp;
	frame->rsp = given.rsp;
	frame->rflags = (frame->rflags & ~RFLAGS_PROGRAM) | (given.eflags & RFLAGS_PROGRAM & ~RFLAGS_TF);
	if (given.rip != stub_original(frame->rip))
		frame->rip = stub_going_on(given.rip);
	return 0;
}

static int64_t give_vector(void)
{
	const struct thread *thread = find_thread(debug_area()->request.tid);
	if (!thread)
		return -ESRCH;
	linux_thread_vector(thread, debug_area()->data);
	return cpu_xsave_bytes() ? (int64_t)cpu_xsave_bytes() : CPU_FXSAVE_BYTES;
}

/* Of a thread that stands in a trap. Control words stay, so no area can be bad. */
static int64_t set_vector(const struct debug_place *place)
{
	const uint8_t *given = debug_area()->data;
	uint8_t *now = debug_state()->vector;
	if (place->is_in_call || debug_area()->request.tid != thread_current->tid)
		return -EBUSY;
	cpu_save_vector(now);
	memcpy(now + STACK_AT, given + STACK_AT, XMM_END - STACK_AT);
	if (cpu_xsave_bytes()) {
		memcpy(now + CPU_UPPER_OFFSET, given + CPU_UPPER_OFFSET, CPU_VECTOR_BYTES - CPU_UPPER_OFFSET);
		now[CPU_FXSAVE_BYTES] |= CPU_STATE_AVX;
	}
	cpu_load_vector(now);
	return 0;
}

/* The object's page at an address, if it can be had without loading it. */
static uint64_t object_page(const struct mapping *mapping, uint64_t address)
{
	const struct vm_backing *backing = &mapping->backing;
	const uint64_t number = backing->page + (address - mapping->start) / PAGE_SIZE;
	uint64_t physical;
	bool own;
	host_contents_is_observed = true;
	const int error = backing->ops->page(backing->object, number, VM_PEEK, &physical, &own);
	host_contents_is_observed = false;
	return error ? 0 : physical;
}

/* Bytes of a page that is not there yet. */
static int64_t give_zeros(uint64_t bytes)
{
	memset(debug_area()->data, 0, bytes);
	debug_area()->request.address = 0;
	return (int64_t)bytes;
}

static int64_t give_memory(void)
{
	struct debug_request *request = &debug_area()->request;
	const uint64_t address = request->address, within = address % PAGE_SIZE;
	const uint64_t bytes = request->bytes < PAGE_SIZE - within ? request->bytes : PAGE_SIZE - within;
	const struct mapping *mapping = mappings_at(address);
	bool large;
	const uint64_t *found = pagetable_entry(address, false, &large);
	const uint64_t entry = found && *found & (PTE_PRESENT | PTE_OWNED) ? *found : 0;
	if (!mapping)
		return -EFAULT;
	uint64_t physical = large ? (entry & PTE_ADDRESS & ~(BLOCK_SIZE - 1)) + (address & (BLOCK_SIZE - PAGE_SIZE))
	                          : entry & PTE_ADDRESS;
	if (mapping->backing.ops && (!entry || entry & PTE_PATCHED)) {
		physical = object_page(mapping, address);
		if (!physical)
			return -EFAULT;
	} else if (!entry) {
		return give_zeros(bytes);
	} else if (!large && entry & (PTE_MADE | PTE_CODE) && entry & PTE_PRESENT &&
	           linux_space_self()->jit_patches.count) {
		request->address = 0;
		jit_patches_original(debug_area()->data, address, bytes);
		return (int64_t)bytes;
	}
	request->address = physical + within;
	return (int64_t)bytes;
}

static int64_t take_memory(void)
{
	const struct debug_request *request = &debug_area()->request;
	if (request->bytes > DEBUG_DATA_BYTES)
		return -EINVAL;
	return copy_to_user((void *)request->address, debug_area()->data, request->bytes) ? -EFAULT : 0;
}

/* What a thread waits for: a futex, or what its system call says. */
static void tell_wait(const struct thread *thread, struct debug_thread *to)
{
	if (thread->futex)
		format(to->waits_for, sizeof(to->waits_for), "futex 0x%lx", (uint64_t)thread->futex);
	else if (thread->state == THREAD_WAITING && thread->reason.what)
		format(to->waits_for, sizeof(to->waits_for), "%s", thread->reason.what);
}

static int64_t give_threads(void)
{
	struct debug_thread *list = (struct debug_thread *)debug_area()->data;
	int64_t count = 0;
	for (const struct thread *thread = NULL; (thread = process_thread_after(thread));) {
		if (thread->tid <= debug_area()->request.tid || count == DEBUG_DATA_BYTES / (int64_t)sizeof(*list))
			continue;
		list[count] = (struct debug_thread){.tid = thread->tid, .state = (uint32_t)thread->state};
		memcpy(list[count].name, thread->name, sizeof(list[count].name));
		tell_wait(thread, &list[count]);
		count++;
	}
	return count;
}

static int64_t give_auxiliary(void)
{
	const struct text *auxiliary = &process_self()->program->auxiliary;
	const size_t bytes = auxiliary->bytes < DEBUG_DATA_BYTES ? auxiliary->bytes : DEBUG_DATA_BYTES;
	memcpy(debug_area()->data, auxiliary->at, bytes);
	return (int64_t)bytes;
}

static int64_t give_mappings(void)
{
	struct debug_mapping *list = (struct debug_mapping *)debug_area()->data;
	const struct mappings *all = &space_current->mappings;
	const size_t most = DEBUG_DATA_BYTES / sizeof(*list);
	size_t count = 0;
	struct mapping seen;
	for (size_t i = 0; i < all->count && count < most; i++)
		if (all->list[i].start >= debug_area()->request.address &&
		    linux_space_shows(linux_space_self(), &all->list[i], &seen))
			list[count++] = (struct debug_mapping){seen.start, seen.end, (uint64_t)seen.prot};
	return (int64_t)count;
}

static int64_t perform(const struct debug_place *place)
{
	switch (debug_area()->request.op) {
	case DEBUG_REGISTERS:
		return give_registers(place);
	case DEBUG_SET_REGISTERS:
		return set_registers(place);
	case DEBUG_VECTOR:
		return give_vector();
	case DEBUG_SET_VECTOR:
		return set_vector(place);
	case DEBUG_READ:
		return give_memory();
	case DEBUG_WRITE:
		return take_memory();
	case DEBUG_INSERT:
		return debug_breakpoints_add(debug_area()->request.address, debug_area()->data,
		                             debug_area()->request.bytes);
	case DEBUG_REMOVE:
		return debug_breakpoints_remove(debug_area()->request.address);
	case DEBUG_THREADS:
		return give_threads();
	case DEBUG_AUXILIARY:
		return give_auxiliary();
	case DEBUG_WATCH:
		return debug_watch_add(debug_area()->request.tid, debug_area()->request.address,
		                       debug_area()->request.bytes);
	case DEBUG_UNWATCH:
		return debug_watch_remove(debug_area()->request.tid, debug_area()->request.address,
		                          debug_area()->request.bytes);
	case DEBUG_MAPPINGS:
		return give_mappings();
	case DEBUG_WANT:
		return debug_wanted_take((const struct debug_wanted *)debug_area()->data);
	case DEBUG_FORGET:
		debug_breakpoints_forget();
		debug_watch_forget();
		memset(&debug_state()->wanted, 0, sizeof(debug_state()->wanted));
		return 0;
	default:
		return -ENOSYS;
	}
}

void debug_serve(const struct debug_place *place)
{
	debug_area()->result = perform(place);
}
