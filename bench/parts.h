/* SPDX-License-Identifier: MIT */
/* Where the time of hello goes. */
#ifndef BENCH_PARTS_H
#define BENCH_PARTS_H

/** Prints the parts of a run of hello and of a bare KVM guest: minimum and median, milliseconds. */
void parts_print(void);

#endif
