/* SPDX-License-Identifier: MIT */
/* The start of the image for Linux programs. */
#ifndef KERNEL_LINUX_ENTRY_LINUX_MAIN_H
#define KERNEL_LINUX_ENTRY_LINUX_MAIN_H

#include "kernel/main.h"

struct boot_info;

/** personality.application_stack: sets up the first process. Returns the top of its thread's kernel stack. */
uint64_t linux_main_stack(const struct boot_info *boot);

/** personality.application_start: starts the program named by the run's arguments. */
_Noreturn void linux_main_start(const struct application_args *args);

#endif
