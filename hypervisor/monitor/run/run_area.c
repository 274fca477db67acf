/* SPDX-License-Identifier: MIT */
/* Memory that the monitor shows to a guest beside its RAM. */
#include <string.h>

#include "base/error.h"
#include "run/run_state.h"

int run_map(const struct run *run, uint64_t address, const struct host_memory *memory, uint64_t bytes, const char *what,
            struct error *error)
{
	const int result = run->ops->map(run->engine, address, memory, 0, bytes, true);
	return result ? error_set(error, -result, "cannot map %s into the guest: %s", what, strerror(-result)) : 0;
}

int run_area_make(const struct run *run, const struct run_area *area, struct host_memory *memory, struct error *error)
{
	const int result = run->ops->reserve(memory, area->bytes);
	if (result)
		return error_set(error, -result, "cannot reserve %lu MiB of address space for %s: %s%s",
		                 area->bytes >> 20, area->whose, strerror(-result), area->advice ? area->advice : "");
	return run_map(run, area->address, memory, area->bytes, area->what, error);
}
