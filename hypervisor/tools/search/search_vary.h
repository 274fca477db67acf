/* SPDX-License-Identifier: MIT */
/* The hidden inputs of a program that differ from try to try (--vary). */
#ifndef HYPERVISOR_SEARCH_VARY_H
#define HYPERVISOR_SEARCH_VARY_H

#include <stdint.h>

/** X(name, its text in --vary, the option of `eremite run` that sets it). Of the inputs of a failure, the search tries
 * to leave out the last one first. */
#define SEARCH_INPUT_LIST(X) \
	X(sched, "sched", "--sched") \
	X(seed, "seed", "--seed") \
	X(epoch, "epoch", "--epoch") \
	X(layout, "layout", "--layout-seed") \
	X(cpus, "cpus", "--cpus") \
	X(net_fault, "net-fault", "--net-fault")

enum search_input {
#define INPUT(name, text, option) SEARCH_INPUT_##name,
	SEARCH_INPUT_LIST(INPUT)
#undef INPUT
		SEARCH_INPUTS
};

/** The name of an input. */
const char *search_input_name(enum search_input input);

/** The option of `eremite run` that sets an input, such as "--seed". */
const char *search_input_option(enum search_input input);

/** Parses the value of --vary: names separated by commas. Returns the set, with bit 1 << input for each; prints a
 * message and exits with EXIT_EREMITE if a name is unknown. */
unsigned search_vary_parse(const char *list);

/** Returns the option of `eremite run` that gives an input other than `sched` its value in a try, such as
 * "--seed=17". The caller frees it. Depends on nothing but the arguments. */
char *search_vary_option(enum search_input input, uint64_t search_seed, uint64_t number);

#endif
