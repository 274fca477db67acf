/* SPDX-License-Identifier: MIT */
/* Memory that a command cannot do without. Functions that also run beside a guest return -ENOMEM instead. */
#ifndef HYPERVISOR_MEMORY_H
#define HYPERVISOR_MEMORY_H

#include <stdbool.h>

#include "base/die.h"

/** Ends eremite unless something that needed memory had it. */
static inline void memory_check(bool had_memory)
{
	if (!had_memory)
		die("out of memory");
}

/** Returns the result of calloc(3), open_memstream(3) or another function that returns NULL without memory. Ends
 * eremite if it is NULL. */
static inline void *memory_or_die(void *memory)
{
	memory_check(memory);
	return memory;
}

#endif
