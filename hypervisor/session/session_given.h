/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_SESSION_GIVEN_H
#define HYPERVISOR_SESSION_GIVEN_H

#include <stdint.h>

/** The options that were given: inputs of the run and others, each as --NAME=VALUE. */
struct record_given {
	char **inputs, **others;
	unsigned input_count, other_count;
	uint64_t rows; /**< all of them: a bit for each row of option_table_run */
};

/** Adds an input that was not given, but drawn or chosen. */
void session_given_add(struct record_given *given, const char *name, const char *value);

#endif
