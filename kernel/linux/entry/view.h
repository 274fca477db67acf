/* SPDX-License-Identifier: MIT */
/* Provides the struct linux_view of abi/linux_view.h for the monitor's reports. */
#ifndef KERNEL_LINUX_ENTRY_VIEW_H
#define KERNEL_LINUX_ENTRY_VIEW_H

#include "abi/linux_view.h"
#include "kernel/linux/memory/linux_space.h"

struct thread;

/** Starts to show the current address space and a list of files, which may grow. Called once. */
void view_init(const struct linux_space *space, struct view_file **files);

/** Shows the page tables of another address space. */
void view_space(const struct linux_space *space);

/** personality.thread_registers: those at the thread's system call. Also shows its address space. */
void view_thread_registers(const struct thread *thread, uint64_t registers[17]);

#endif
