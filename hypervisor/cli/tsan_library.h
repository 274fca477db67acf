/* SPDX-License-Identifier: MIT */
/* A program that was linked with -fsanitize=thread gets Eremite's library in the place of GCC's. */
#ifndef HYPERVISOR_TSAN_LIBRARY_H
#define HYPERVISOR_TSAN_LIBRARY_H

#include "cli/options.h"

/** Finds out whether the program of the host at a path, or NULL, needs it. */
void tsan_library_choose(struct options *options, const char *program);

/** Shows it to the program, unless --bind shows something else there. Call it when no option is added any more. */
void tsan_library_show(struct options *options);

/** Lets a run tell the user the races that the library has found. */
void tsan_library_report(struct options *options);

#endif
