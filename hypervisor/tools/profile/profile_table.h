/* SPDX-License-Identifier: MIT */
/* The stacks of a profile, each once, with what was measured there. */
#ifndef HYPERVISOR_PROFILE_TABLE_H
#define HYPERVISOR_PROFILE_TABLE_H

#include <stddef.h>
#include <stdint.h>

/** A stack: the names of its functions from the outermost on, with PROFILE_SEPARATOR between them. */
struct profile_stack {
	char *names;
	uint64_t samples, ns;
};

#define PROFILE_SEPARATOR ';' /* of folded stacks; in names it is replaced */

struct profile_table {
	struct profile_stack *stacks;
	size_t count, room;
	size_t *slots; /**< hash table of indexes, plus one; 0: free */
	size_t slot_count;
};

/** A function, by its name. `total` counts each stack once in which it is. */
struct profile_function {
	const char *name; /**< ended by PROFILE_SEPARATOR or NUL */
	size_t length;
	uint64_t self_samples, total_samples, self_ns, total_ns;
};

/** Returns the index of a stack, which is new if its names are. Ends eremite without memory. */
size_t profile_table_stack(struct profile_table *table, const char *names);

/** Sorts the stacks by their names, so that equal profiles are equal files. Their indexes change. */
void profile_table_sort(struct profile_table *table);

/** Lists the functions, those with the most time of their own first, then by samples and name. The caller frees them;
 * the names are the table's. */
struct profile_function *profile_table_functions(const struct profile_table *table, size_t *count);

/** Frees the stacks. */
void profile_table_fini(struct profile_table *table);

#endif
