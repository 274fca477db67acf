/* SPDX-License-Identifier: MIT */
/* What the code of a block costs in virtual time, by the table in costs.h. */
#ifndef LIBC_PORT_TICKS_PRICE_H
#define LIBC_PORT_TICKS_PRICE_H

#include "libc-port/ticks/gcc.h"

/** What all statements of the block cost, in sixteenths of a tick. */
int price_of(basic_block block);

/** Whether there is a call, or what is as dear although it is none: an atomic operation, or a block of memory. */
bool price_has_call(basic_block block);

#endif
