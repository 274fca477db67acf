# SPDX-License-Identifier: MIT
#
# The kernel as one relocatable object in an archive, with every name but its interface local: a program may use
# any name of its own. Functions of one name, which are in sections of one name, stay apart (--unique), so that an image
# gets only those that it uses. Result: $(B)/lib/liberemite.a.
#
# Variables of a page or more are put behind all others (image.ld): what a short run touches then lies in few pages,
# and the first touch of each eight costs 30 us on kvm-pvm.

# What differs between the two kinds of image is in kernel/native/ and, for Linux programs, in kernel/linux/.
KERNEL_COMMON := $(filter-out kernel/native/% kernel/linux/%,$(sort $(wildcard kernel/*.c kernel/*/*.c kernel/*/*.S kernel/net/*/*.c \
	kernel/sched/*/*.c)))
KERNEL_SOURCES := $(KERNEL_COMMON) $(sort $(wildcard kernel/native/*.[cS]))
KERNEL_OBJECTS := $(patsubst %,$(B)/obj/%.o,$(KERNEL_SOURCES))

# Ring 3 kernel code uses no vector register, so that entering it saves none. Kernel calls run on the stacks of threads,
# which are small.
KERNEL_CFLAGS := -std=gnu11 -O2 -g $(WARNINGS) -ffreestanding -nostdinc -isystem $(GCC_INCLUDE) -I$(SRC) \
	-mgeneral-regs-only -fno-pic -mcmodel=small -fno-stack-protector -fcf-protection=none \
	-fasynchronous-unwind-tables -ffunction-sections -fdata-sections -fvisibility=hidden -fno-common -fno-ident \
	-fno-strict-aliasing -fno-tree-loop-distribute-patterns -Wframe-larger-than=768 $(MAPS)

# What runs once, seldom, or at the end of a run that failed, and what is not worth its size otherwise, as the calls that
# map memory and open files: every image carries it, so it is made small.
KERNEL_COLD := kernel/boot/%.c kernel/dev/console.c kernel/dev/host_monitor.c kernel/dev/host_multiboot.c \
	kernel/dev/pc.c kernel/end.c kernel/lib/format.c kernel/main.c kernel/mm/brk.c kernel/mm/exec.c \
	kernel/mm/frame.c kernel/mm/kmalloc.c kernel/mm/mappings.c kernel/mm/pages.c kernel/mm/vm.c \
	kernel/native/native_deliver.c kernel/native/native_kill.c kernel/native/native_process.c \
	kernel/native/main_stack.c kernel/rand/entropy.c kernel/sched/accesses.c kernel/sched/deadlock.c \
	kernel/sched/event.c kernel/sched/futex_pi.c kernel/sched/notes.c kernel/sched/op_name.c kernel/sched/policy/policy_jump.c \
	kernel/sched/policy/policy_near.c kernel/sched/policy/policy_order.c kernel/sched/policy/policy_pct.c kernel/sched/policy/policy_pos.c \
	kernel/sched/policy/policy_reads.c kernel/sched/policy/policy_replay.c kernel/sched/policy/policy_shared.c \
	kernel/sched/policy/policy_surw.c kernel/sched/record.c \
	kernel/sched/robust.c kernel/sched/thread.c kernel/sched/timeouts.c kernel/signal/%.c kernel/sys/file_copy.c \
	kernel/sys/file_descriptor.c kernel/sys/file_name.c kernel/sys/file_poll.c kernel/sys/memory_grow.c kernel/sys/memory_mremap.c \
	kernel/sys/file_stat.c kernel/sys/scheduling.c kernel/sys/time.c kernel/vfs/data.c kernel/vfs/dentry.c \
	kernel/mm/vm_fault.c kernel/vfs/namei.c kernel/vfs/path.c kernel/sys/file_xattr.c kernel/sys/memory.c \
	kernel/sys/signal_calls.c kernel/sys/thread_exit.c kernel/time/posix_timer.c kernel/time/timer.c kernel/trap/%.c \
	kernel/vfs/device.c kernel/vfs/erofs.c kernel/vfs/export.c kernel/vfs/fdtable.c kernel/vfs/file.c \
	kernel/vfs/inode.c kernel/vfs/input.c kernel/vfs/keyboard.c kernel/vfs/line.c kernel/vfs/lock.c kernel/vfs/overlay.c kernel/vfs/pipe.c \
	kernel/vfs/readiness.c kernel/vfs/terminal.c kernel/vfs/terminal_control.c kernel/vfs/vfs.c
$(patsubst %,$(B)/obj/%.o,$(filter $(KERNEL_COLD),$(KERNEL_SOURCES))): KERNEL_CFLAGS += -Os -fno-jump-tables

.PHONY: kernel
kernel: $(B)/lib/liberemite.a

$(B)/obj/kernel/%.c.o: kernel/%.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(KERNEL_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

$(B)/obj/kernel/%.S.o: kernel/%.S
	@mkdir -p $(@D)
	@echo "  AS      $<"
	@$(CC) $(KERNEL_CFLAGS) -MMD -MP -c $< -o $@
	@$(RELOCATE) $(@:.o=.d)

$(B)/lib/liberemite.a: $(KERNEL_OBJECTS) kernel/kernel.mk
	@mkdir -p $(@D)
	@echo "  LD      liberemite.a"
	@ld -r --unique='.text.*' --unique='.rodata.*' --unique='.data.*' --unique='.bss.*' -o $(B)/obj/kernel/eremite.o $(KERNEL_OBJECTS)
	@objcopy --localize-hidden $$(readelf -SW $(B)/obj/kernel/eremite.o | sed 's/^ *\[ *[0-9]*\] *//' | \
		awk '$$2 == "NOBITS" && $$5 > "000fff" && $$1 != ".bss" { print "--rename-section " $$1 "=.large_" substr($$1, 2) }') \
		$(B)/obj/kernel/eremite.o
	@rm -f $@ && ar rcD $@ $(B)/obj/kernel/eremite.o

-include $(KERNEL_OBJECTS:.o=.d)
