/* SPDX-License-Identifier: MIT */
/* What it costs that code counts its work, and how near virtual time comes to real time. */
#ifndef BENCH_TICKS_H
#define BENCH_TICKS_H

/** Prints those tables whose names have this part: "ticks", of native images with and without ticks, and "ticks of
 * linux programs", which takes ten minutes. Returns how many of their targets were missed. */
unsigned ticks_print(const char *part);

#endif
