/* SPDX-License-Identifier: MIT */
/* Makes one round of four of small innermost loops that do nothing but compute, so that a check is a small part of it.
 *
 * Only loops whose number of rounds is known when they begin are unrolled; the rounds that are left go through a loop
 * of their own. Neither the order of operations nor what they compute changes. */
#ifndef LIBC_PORT_TICKS_UNROLL_H
#define LIBC_PORT_TICKS_UNROLL_H

#include "libc-port/ticks/gcc.h"

/** The pass; it belongs among the passes for loops, behind vectorisation. */
gimple_opt_pass *unroll_create(gcc::context *context);

#endif
