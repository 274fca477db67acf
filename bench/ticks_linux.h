/* SPDX-License-Identifier: MIT */
/* What --clock work costs unmodified Linux programs. */
#ifndef BENCH_TICKS_LINUX_H
#define BENCH_TICKS_LINUX_H

/** Prints a table for each engine. Returns how many targets were missed. */
unsigned ticks_linux_print(void);

#endif
