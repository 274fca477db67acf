/* SPDX-License-Identifier: MIT */
/* Core files (core(5), abi/core.h): after the end of a run, of the process that failed. */
#ifndef KERNEL_LINUX_CORE_CORE_H
#define KERNEL_LINUX_CORE_CORE_H

/** end_hooks.tell_core: sends the file that the monitor has requested. */
void core_tell(void);

#endif
