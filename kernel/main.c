/* SPDX-License-Identifier: MIT */
/* The order of events: memory, time, entropy, files, then the program on its own stack. */
#include "kernel/main.h"

#include "abi/boot.h"
#include "kernel/arch/gate.h"
#include "kernel/arch/stack.h"
#include "kernel/arch/trap.h"
#include "kernel/dev/host.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/mm/frame.h"
#include "kernel/mm/kmalloc.h"
#include "kernel/mm/pagetable.h"
#include "kernel/mm/vm.h"
#include "kernel/net/outside/outside.h"
#include "kernel/personality.h"
#include "kernel/rand/entropy.h"
#include "kernel/sched/begin.h"
#include "kernel/sched/process.h"
#include "kernel/sched/sched.h"
#include "kernel/sched/thread.h"
#include "kernel/signal/signal.h"
#include "kernel/sys/kcall.h"
#include "kernel/sys/limits.h"
#include "kernel/time/vclock.h"
#include "kernel/tries/tries.h"
#include "kernel/trap/exception.h"
#include "kernel/vfs/changes.h"
#include "kernel/vfs/export.h"
#include "kernel/vfs/vfs.h"

static struct application_args args;

/* With this much memory the frames begin at a block. Small programs then use one block of them, which the host clears
 * at its first touch, and which has no page tables: KVM maps a block with page tables by small pages. */
#define RAM_PLENTY (256UL << 20)

static void memory_init(const struct boot_info *boot)
{
	uint64_t tables = frame_table_end(boot->image_end, boot->ram_bytes);
	uint64_t tables_end = tables + pagetable_region_bytes(boot->ram_bytes), frames = tables_end;
	if (boot->ram_bytes >= RAM_PLENTY)
		frames = (frames + BLOCK_SIZE - 1) & ~(BLOCK_SIZE - 1);
	if (pagetable_show_direct(boot, frames))
		end_with_report(END_REFUSED, 0,
		                "the kernel's tables for this much memory do not fit: give less by --memory");
	frame_init(boot->image_end, frames, boot->ram_bytes, boot->ram_shown);
	pagetable_init(boot, tables, tables_end);
	vm_init();
}

/* Makes pointers to `count` consecutive strings; advances *at past them. */
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
		end_with_report(END_REFUSED, 0,
		                "the root file system cannot be mounted; make its image again with mkfs.erofs");
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

static _Noreturn void start_application(void *unused)
{
	(void)unused;
	personality.application_start(&args);
}

/* The lower parts of the kernel call these upper ones by pointers. sched_init sets those to the scheduler. */
static void connect(void)
{
	end_init();
	end_hooks.forget_input = outside_input_forget;
	end_hooks.export = export_out;
	end_hooks.tell_changes = changes_tell;
	trap_handler = exception_handle;
	signal_stack_probe = kcall_probe;
	gate_syscall_target = (uint64_t)personality.syscall_entry;
}

_Noreturn void kmain(void)
{
	connect();
	const struct boot_info *boot = phys_to_virt(LAYOUT_BOOT_INFO);
	assert(boot->magic == BOOT_INFO_MAGIC);
	host_init(boot);
	if (boot->flags & BOOT_FLAG_TRIES)
		tries_init();
	memory_init(boot);
	vclock_init(boot->epoch_ns, boot->uptime_ns);
	sched_init(&boot->sched, &boot->from);
	limits_init();
	entropy_init(&process_first.entropy, boot->seed);
	if (boot->flags & BOOT_FLAG_LAYOUT_SEED)
		entropy_seed(&process_first.entropy, ENTROPY_LAYOUT, boot->layout_seed);
	outside_input_init();
	files_init(boot);
	args_init(boot);
	stack_switch(personality.application_stack(boot), start_application, NULL);
}

void application_reached(const char *marker)
{
	begin_at(marker);
}

void application_set_fs_base(uint64_t base)
{
	thread_set_fs_base(base);
}
