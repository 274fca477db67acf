/* SPDX-License-Identifier: MIT */
/* Each root of page tables has a process, so a switch between two roots keeps the mappings of both.
 *
 * A new root takes over the current process, which keeps the mappings of the kernel; in most cases (exec) the previous
 * root does not return. A root that returns gets a process of its own, a copy of the zygote. If no more processes are
 * available, it takes over the least recently used one. */
#include "engine/process/stub/spaces.h"

#include <asm/prctl.h>
#include <sys/syscall.h>

#include "engine/process/stub/data.h"
#include "engine/process/stub/mapped.h"
#include "engine/process/stub/processors.h"
#include "engine/process/stub/stops.h"
#include "engine/process/stub/system.h"

/* In struct _fpx_sw_bytes, at the end of the legacy area (asm/sigcontext.h): the size of the whole state. */
#define STATE_SIZE_AT (464 + 16)

/* Selectors up to this one are null. */
#define SELECTOR_NULL_LAST 3

static uint64_t read_fs(void)
{
	uint64_t base;
	__asm__ volatile("rdfsbase %0" : "=r"(base));
	return base;
}

static uint64_t read_gs(void)
{
	uint64_t base;
	__asm__ volatile("rdgsbase %0" : "=r"(base));
	return base;
}

/* arch_prctl(2) makes the selector 0. A selector that is not null has brought a base of 0 with it. */
static uint64_t set_base(uint64_t base, uint16_t selector)
{
	return selector > SELECTOR_NULL_LAST ? 0 : base;
}

static void load_bases(uint64_t fs, uint64_t gs, const uint16_t selectors[4])
{
	if (!PLAN->sets_bases) {
		__asm__ volatile("wrfsbase %0\n\twrgsbase %1" ::"r"(fs), "r"(gs));
		return;
	}
	DATA->head.fs = fs;
	DATA->head.gs = gs;
	if (selectors[2] <= SELECTOR_NULL_LAST)
		stub_call3(SYS_arch_prctl, ARCH_SET_FS, fs, 0);
	if (selectors[3] <= SELECTOR_NULL_LAST)
		stub_call3(SYS_arch_prctl, ARCH_SET_GS, gs, 0);
}

static void read_selectors(uint16_t selectors[4])
{
	__asm__ volatile("mov %%ds, %0\n\tmov %%es, %1\n\tmov %%fs, %2\n\tmov %%gs, %3"
	                 : "=m"(selectors[0]), "=m"(selectors[1]), "=m"(selectors[2]), "=m"(selectors[3]));
}

/* Loading the selector that a register already has would cost time, and most are 0. */
static void load_selectors(const uint16_t selectors[4])
{
	uint16_t now[4];
	read_selectors(now);
	if (selectors[0] != now[0])
		__asm__ volatile("mov %0, %%ds" : : "m"(selectors[0]));
	if (selectors[1] != now[1])
		__asm__ volatile("mov %0, %%es" : : "m"(selectors[1]));
	if (selectors[2] != now[2])
		__asm__ volatile("mov %0, %%fs" : : "m"(selectors[2]));
	if (selectors[3] != now[3])
		__asm__ volatile("mov %0, %%gs" : : "m"(selectors[3]));
}

static void put(const ucontext_t *context)
{
	const uint8_t *vectors = (const uint8_t *)context->uc_mcontext.fpregs;
	uint32_t bytes = *(const uint32_t *)(vectors + STATE_SIZE_AT);
	if (bytes > CHANNEL_VECTORS_BYTES)
		stops_broken((greg_t *)context->uc_mcontext.gregs, "this host's processor has more vector state than "
		                                                   "the process engine can store; use --engine kvm");
	stub_copy(CHANNEL->general, context->uc_mcontext.gregs, sizeof(CHANNEL->general));
	stub_copy(CHANNEL->vectors, vectors, bytes);
	CHANNEL->vectors_bytes = bytes;
	read_selectors(CHANNEL->selectors);
	CHANNEL->fs = PLAN->sets_bases ? set_base(DATA->head.fs, CHANNEL->selectors[2]) : read_fs();
	CHANNEL->gs = PLAN->sets_bases ? set_base(DATA->head.gs, CHANNEL->selectors[3]) : read_gs();
}

/* Continues as the processor in this process. */
void spaces_take(ucontext_t *context)
{
	uint64_t bytes = CHANNEL->vectors_bytes;
	if (bytes > CHANNEL_VECTORS_BYTES)
		stub_die();
	stub_copy(context->uc_mcontext.gregs, CHANNEL->general, sizeof(CHANNEL->general));
	stub_copy(context->uc_mcontext.fpregs, CHANNEL->vectors, bytes);
	load_selectors(CHANNEL->selectors);
	load_bases(CHANNEL->fs, CHANNEL->gs, CHANNEL->selectors);
	DATA->cr3 = CHANNEL->spaces[DATA->self].root;
	processors_follow();
	mapped_forget_changed();
	if (__atomic_load_n(&CHANNEL->interrupt, __ATOMIC_SEQ_CST))
		stops_at(context->uc_mcontext.gregs, CHANNEL_INTERRUPTED);
}

/* Whether a root has been loaded before. Marks it as loaded. */
static bool was_seen(uint64_t root)
{
	for (unsigned i = 0; i < CHANNEL_SEEN; i++)
		if (CHANNEL->seen[i] == root)
			return true;
	CHANNEL->seen[CHANNEL->seen_next++ % CHANNEL_SEEN] = root;
	return false;
}

/* Chooses the space for a root: the one that has it; for a root that is loaded for the first time, the current one;
 * otherwise a new one, or the least recently used one. */
static unsigned choose(uint64_t root)
{
	unsigned count = CHANNEL->space_count, oldest = DATA->self;
	if (count > PLAN_PROCESSES)
		stub_die();
	for (unsigned i = 0; i < count; i++) {
		if (CHANNEL->spaces[i].root == root)
			return i;
		if (CHANNEL->spaces[i].used < CHANNEL->spaces[oldest].used)
			oldest = i;
	}
	if (!was_seen(root))
		return DATA->self;
	return count < PLAN->processes && !CHANNEL->refused ? count : oldest;
}

void spaces_reload(uint64_t root)
{
	CHANNEL->spaces[DATA->self].used = ++CHANNEL->clock;
	CHANNEL->spaces[DATA->self].root = root;
	DATA->cr3 = root;
	mapped_forget_changed();
}

void spaces_load(ucontext_t *context, uint64_t root)
{
	CHANNEL->spaces[DATA->self].used = ++CHANNEL->clock;
	unsigned to = root == DATA->cr3 ? DATA->self : choose(root);
	if (to != DATA->self) {
		uint32_t turn = CHANNEL->spaces[DATA->self].turn;
		put(context);
		CHANNEL->spaces[to].root = root;
		if (to == CHANNEL->space_count) {
			CHANNEL->asker = DATA->self;
			CHANNEL->space_count++;
			stub_wake(&CHANNEL->birth);
		} else {
			stub_wake(&CHANNEL->spaces[to].turn);
		}
		stub_wait(&CHANNEL->spaces[DATA->self].turn, turn);
		spaces_take(context); /* its root may have changed */
		return;
	}
	spaces_reload(root);
}
