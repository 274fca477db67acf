/* SPDX-License-Identifier: MIT */
/* What it costs that code counts its work, and how near virtual time comes to real time. */
#ifndef BENCH_TICKS_H
#define BENCH_TICKS_H

/** Prints a table of programs, with and without ticks. Returns how many of its two targets were missed. */
unsigned ticks_print(void);

#endif
