/* SPDX-License-Identifier: MIT */
/* A program sets a base through the kernel (TRAP_BASE, arch_prctl), but loads a selector without it, and a base of 0
 * with the selector. The kernel uses no segment, so the processor has those of the running thread. */
#include "kernel/sched/thread_segments.h"

#include <stdbool.h>

#include "abi/boot.h"
#include "abi/layout.h"
#include "kernel/arch/base.h"
#include "kernel/arch/direct_map.h"
#include "kernel/arch/selectors.h"

bool thread_segments_unreadable;

/* Reads the bases. On a processor without the instructions the first one traps, and its emulation sets
 * thread_segments_unreadable. */
static bool read_bases(struct thread *thread)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	uint64_t fs, gs;
	if (boot->set_base || thread_segments_unreadable)
		return false;
	__asm__ volatile("rdfsbase %0" : "=r"(fs) : : "memory");
	if (thread_segments_unreadable)
		return false;
	__asm__ volatile("rdgsbase %0" : "=r"(gs));
	thread->fs_base = fs;
	thread->gs_base = gs;
	return true;
}

/* Bases that cannot be read are 0 if the selector has changed. A load of the selector that the register already has is
 * not noticed then. */
static void note_base(struct thread *thread, uint64_t now)
{
	const uint64_t settled = selectors_settled(now), differ = settled ^ thread->selectors;
	thread->selectors = settled;
	if (read_bases(thread))
		return;
	if (selectors_at(differ, SELECTORS_FS_AT))
		thread->fs_base = 0;
	if (selectors_at(differ, SELECTORS_GS_AT))
		thread->gs_base = 0;
}

void thread_segments_note(void)
{
	note_base(thread_current, selectors_read());
}

/* A base of 0 has come with a selector that is not null. Some engines set a base by arch_prctl(2), which would take the
 * selector away. */
void thread_segments_load(const struct thread *next, uint64_t selectors, uint64_t fs_base, uint64_t gs_base)
{
	const uint64_t differ = selectors ^ next->selectors;
	selectors_load(next->selectors, selectors);
	const bool fs_lost = selectors_at(differ, SELECTORS_FS_AT), gs_lost = selectors_at(differ, SELECTORS_GS_AT);
	if ((fs_lost || next->fs_base != fs_base) && (next->fs_base || !selectors_at(next->selectors, SELECTORS_FS_AT)))
		base_load_fs(next->fs_base);
	if ((gs_lost || next->gs_base != gs_base) && (next->gs_base || !selectors_at(next->selectors, SELECTORS_GS_AT)))
		base_load_gs(next->gs_base);
}

void thread_segments_switch(struct thread *previous, const struct thread *next)
{
	const uint64_t now = selectors_read();
	note_base(previous, now);
	thread_segments_load(next, now, previous->fs_base, previous->gs_base);
}

/* Loads a null selector in place of the thread's, if that is another. */
static void drop_selector(unsigned at)
{
	const uint64_t now = selectors_read(), without = selectors_without(now, at);
	note_base(thread_current, now);
	selectors_load(without, now);
	thread_current->selectors = selectors_settled(without);
}

void thread_segments_set_fs(uint64_t base)
{
	drop_selector(SELECTORS_FS_AT);
	thread_set_fs_base(base);
}

void thread_segments_set_gs(uint64_t base)
{
	drop_selector(SELECTORS_GS_AT);
	thread_set_gs_base(base);
}

void thread_segments_clear(void)
{
	selectors_load(0, selectors_read());
	thread_current->selectors = 0;
	thread_set_fs_base(0);
	thread_set_gs_base(0);
}
