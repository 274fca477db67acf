/* SPDX-License-Identifier: MIT */
/* A program that was linked with -fsanitize=thread gets Eremite's library in the place of GCC's. */
#ifndef HYPERVISOR_TSAN_LIBRARY_H
#define HYPERVISOR_TSAN_LIBRARY_H

#include "session/session.h"

/** Returns the value of --bind that shows it to the program of the host at a path in the place of libtsan; NULL if the
 * program does not need that, or Eremite's library is not installed. The caller frees it. */
char *tsan_library_bind(const char *program);

/** Lets a run tell the user the races that the library, if it is shown, has found. */
void tsan_library_report(struct session *options);

#endif
