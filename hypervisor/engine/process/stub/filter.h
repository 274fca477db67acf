/* SPDX-License-Identifier: MIT */
/* The system calls that are left to a process of the guest. */
#ifndef ENGINE_PROCESS_STUB_FILTER_H
#define ENGINE_PROCESS_STUB_FILTER_H

/** Installs the filter for the rest of this process's life. */
void filter_install(void);

#endif
