/* SPDX-License-Identifier: MIT */
/* Whether a line of C or C++ accesses a variable as such, and not by an atomic operation: `x = 1` and `atomic_store(&x,
 * 1)` may be one instruction, and the type of `x` does not tell them apart. */
#ifndef HYPERVISOR_PLAIN_SOURCE_H
#define HYPERVISOR_PLAIN_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

/** Whether a line accesses the variable, or the part of it, that is called `object` ("state.is_open", "counts[2]"), in
 * plain sight: its name is there, in no argument of a function or macro, not behind `&` or through a pointer, the
 * statement begins and ends on the line, and nothing there has a name of atomic operations. `before` is the line before
 * it that is not empty.
 */
bool plain_source_is(const char *line, const char *before, const char *object);

/** The same of a place "/path/file.c:12", of `bytes` bytes, in a file of the host. False if that cannot be read. */
bool plain_source_is_at(const char *place, size_t bytes, const char *object);

#endif
