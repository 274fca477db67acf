/* SPDX-License-Identifier: MIT */
/* The price table of --clock work: what an instruction costs, by its class (docs/ticks.md). */
#ifndef HYPERVISOR_TICK_PRICE_H
#define HYPERVISOR_TICK_PRICE_H

#include "code/code_function.h"

/** Prices are in sixteenths of a tick. */
#define TICK_PRICE_SHIFT 4

/** Returns the price of an instruction of an area. It depends on the instruction's bytes alone. */
unsigned tick_price_of(const struct code_area *area, const struct code_step *step);

#endif
