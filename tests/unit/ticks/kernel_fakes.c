/* SPDX-License-Identifier: MIT */
/* What the kernel's stubs (kernel/linux/patch/stub.c) are made of, in a program of the host: code and stubs are plain
 * memory, and a countdown that has run out is filled up again. */
#include <stdlib.h>
#include <string.h>

#include "kernel/arch/uaccess.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/linux/cpu/cpu.h"
#include "kernel/linux/entry/entry.h"
#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/patch/code_bytes.h"
#include "kernel/linux/patch/stub.h"
#include "kernel/mm/vm.h"
#include "kernel/time/vclock.h"
#include "tests/unit/ticks/run.h"

static struct linux_space space;
struct space *space_current = &space.base;
static struct stub_area the_area;

uint64_t linux_point_rax, linux_point_rcx;
bool vclock_counts_work;
uint64_t run_refills, run_back;
extern const char run_tick_entry[];
const uint64_t linux_point_target, linux_cpuid_target, linux_rdtsc_target, linux_rdtscp_target, linux_state_target;
const uint64_t linux_tick_target = (uint64_t)run_tick_entry;

/* From a stub whose countdown has run out: as entry_tick, without what the kernel does then. */
__asm__(".text\n"
        "run_tick_entry:\n"
        "	mov %rcx, run_back\n"
        "	addq $" RUN_REFILL_TEXT ", __eremite_ticks_left\n"
        "	incq run_refills\n"
        "	add $0x7f, %al\n"
        "	sahf\n"
        "	mov linux_point_rax, %rax\n"
        "	mov linux_point_rcx, %rcx\n"
        "	jmp *run_back\n");

void code_put(uint64_t address, const void *from, size_t bytes)
{
	memcpy((void *)address, from, bytes);
}

void code_put_next(struct code_writer *writer, const void *from, size_t bytes)
{
	code_put(writer->address, from, bytes);
	writer->address += bytes;
}

void code_get(void *to, uint64_t address, size_t bytes)
{
	memcpy(to, (const void *)address, bytes);
}

bool code_is_fresh(uint64_t address, uint64_t end)
{
	(void)address;
	(void)end;
	return true;
}

void code_settle(uint64_t address, uint64_t bytes)
{
	(void)address;
	(void)bytes;
}

uint64_t stub_areas_map(uint64_t start, uint64_t end, uint64_t bytes, uint64_t reach)
{
	(void)start;
	(void)end;
	(void)reach;
	return bytes <= RUN_STUBS_BYTES ? RUN_STUBS : 0;
}

int stub_areas_add(struct stub_areas *areas, const struct stub_area *area)
{
	the_area = *area;
	areas->list = &the_area;
	areas->count = 1;
	return 0;
}

int copy_from_user(void *to, const void *from, size_t bytes)
{
	memcpy(to, from, bytes);
	return 0;
}

bool cpu_answers(unsigned kind)
{
	(void)kind;
	return false;
}

uint32_t cpu_xcr0(void)
{
	return 0;
}

void entry_jump(void)
{
	abort();
}

int vm_unmap(uint64_t address, uint64_t bytes)
{
	(void)address;
	(void)bytes;
	abort();
}

_Noreturn void end_with_report(enum end_reason reason, int sig, const char *what)
{
	(void)reason;
	(void)sig;
	(void)what;
	abort();
}

_Noreturn void bug(const char *file, int line, const char *assertion)
{
	(void)file;
	(void)line;
	(void)assertion;
	abort();
}
