/* SPDX-License-Identifier: MIT */
/* Assigns page tables to processes. */
#ifndef ENGINE_PROCESS_STUB_SPACES_H
#define ENGINE_PROCESS_STUB_SPACES_H

#include <stdint.h>
#include <sys/ucontext.h>

/** Loads CR3: the guest continues with these tables, in this process or in another one. */
void spaces_load(ucontext_t *context, uint64_t root);

/** Loads CR3 in this process, which has these tables already unless the kernel is wrong. */
void spaces_reload(uint64_t root);

/** Makes this process continue as the processor, with the state that another process has left in the channel. */
void spaces_take(ucontext_t *context);

#endif
