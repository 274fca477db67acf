/* SPDX-License-Identifier: MIT */
/* The order of events: memory, time, entropy, files, and then the program on its own stack. */
#include "kernel/main.h"

#include "abi/boot.h"
#include "kernel/trap/emulate.h"
#include "kernel/arch/stack.h"
#include "kernel/dev/host.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/brk.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/rand/entropy.h"
#include "kernel/sched/sched.h"
#include "kernel/time/vclock.h"
#include "kernel/vfs/vfs.h"

/* Part of RAM that the main stack may take at the most. */
#define STACK_SHARE 8

static struct application_args args;

static void memory_init(const struct boot_info *boot)
{
	uint64_t tables = (boot->image_end + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	uint64_t frames = tables + pagetable_region_bytes(boot->ram_bytes);
	pagetable_init(boot, tables, frames);
	frame_init(frames, boot->ram_bytes);
	vm_init();
}

/* Maps the main stack, and with its last 2 MiB page the beginning of the heap. */
static void stack_init(const struct boot_info *boot)
{
	uint64_t bytes = boot->ram_bytes / STACK_SHARE;
	if (bytes > LAYOUT_STACK_MAX)
		bytes = LAYOUT_STACK_MAX;
	uint64_t end = (LAYOUT_STACK_TOP + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
	uint64_t start = (LAYOUT_STACK_TOP - bytes) & ~(BLOCK_SIZE - 1);
	int result = vm_map(start, end - start, VM_READ | VM_WRITE);
	assert(result == 0);
	brk_init(end - LAYOUT_STACK_TOP);
}

/* Pointers to `count` strings that follow each other; *at moves behind them. */
static char **string_array(char **at, uint32_t count)
{
	char **array = kmalloc((count + 1UL) * sizeof(*array));
	assert(array != NULL);
	for (uint32_t i = 0; i < count; i++) {
		array[i] = *at;
		*at += strlen(*at) + 1;
	}
	array[count] = NULL;
	return array;
}

static void files_init(const struct boot_info *boot)
{
	if (vfs_init(boot))
		end_with_report(END_REFUSED, 0, "the root file system cannot be mounted");
}

static void args_init(const struct boot_info *boot)
{
	char *at = kmalloc(boot->arguments_bytes + 1);
	assert(at != NULL);
	memcpy(at, phys_to_virt(boot->arguments), boot->arguments_bytes);
	at[boot->arguments_bytes] = 0;
	args.argc = (int)boot->argument_count;
	args.argv = string_array(&at, boot->argument_count);
	args.envp = string_array(&at, boot->environment_count);
}

static _Noreturn void start(void *unused)
{
	(void)unused;
	application_start(&args);
}

_Noreturn void kmain(void)
{
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	assert(boot->magic == BOOT_INFO_MAGIC);
	host_init(boot);
	memory_init(boot);
	vclock_init(boot->epoch_ns);
	sched_init(&boot->sched);
	entropy_init(boot->seed);
	emulate_init(boot);
	files_init(boot);
	args_init(boot);
	stack_init(boot);
	stack_switch(LAYOUT_STACK_TOP, start, NULL);
}
