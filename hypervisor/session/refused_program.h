/* SPDX-License-Identifier: MIT */
/* Programs of the host that cannot run, with the reason in words and the next thing to type. As in docker run, the
 * status is 127 if there is no such file, and 126 if it cannot be executed. */
#ifndef HYPERVISOR_REFUSED_PROGRAM_H
#define HYPERVISOR_REFUSED_PROGRAM_H

#include <stddef.h>

#define REFUSED_NOT_EXECUTABLE 126
#define REFUSED_NOT_FOUND 127

/** Checks a file of the host that is to be run. Returns 0, or the exit status with the message in text[bytes]. Damage
 * of an Eremite image is left to image_load. */
int refused_program(const char *path, char *text, size_t bytes);

/** What to do with a file of source text, a clause such as "is C source: compile it, such as ..."; NULL if its name is
 * not that of one. The result is in text[bytes]. */
const char *refused_program_source(const char *path, char *text, size_t bytes);

#endif
