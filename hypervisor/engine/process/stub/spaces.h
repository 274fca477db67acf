/* SPDX-License-Identifier: MIT */
/* Which process runs which page tables. */
#ifndef ENGINE_PROCESS_STUB_SPACES_H
#define ENGINE_PROCESS_STUB_SPACES_H

#include <stdint.h>
#include <sys/ucontext.h>

/** Loads CR3: the guest goes on with these tables, in this process or in another one. */
void spaces_load(ucontext_t *context, uint64_t root);

/** This process goes on as the processor, from the state that another one has left in the channel. */
void spaces_take(ucontext_t *context);

#endif
