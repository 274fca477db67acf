/* SPDX-License-Identifier: MIT */
/* Steps of the random sequences that test_linux.c compares: each makes one or a few calls of its family. */
#ifndef TESTS_UNIT_STEPS_H
#define TESTS_UNIT_STEPS_H

/** flock(2) and the record locks of fcntl(2). */
void steps_locks(void);

/** sendfile(2), preadv2(2) and other calls on data; close_range(2); utimes(2). */
void steps_more(void);

/** Limits of names, paths, links and sizes. */
void steps_edges(void);

/** mknod(2), and readiness. */
void steps_special(void);

#endif
