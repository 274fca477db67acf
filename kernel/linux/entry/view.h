/* SPDX-License-Identifier: MIT */
/* What the monitor's reports are made from: the struct linux_view of abi/linux_view.h. */
#ifndef KERNEL_LINUX_ENTRY_VIEW_H
#define KERNEL_LINUX_ENTRY_VIEW_H

#include "abi/linux_view.h"
#include "kernel/linux/memory/space.h"

/** Begins to show: the space in use, and the files of that list, which may grow. Once. */
void view_init(const struct space *space, struct view_file **files);

/** The page tables in use are others. */
void view_space(const struct space *space);

#endif
