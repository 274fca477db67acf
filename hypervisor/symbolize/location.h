/* SPDX-License-Identifier: MIT */
/* Where a variable is at an instruction of a frame, by the simple ones of DWARF's expressions. */
#ifndef HYPERVISOR_SYMBOLIZE_LOCATION_H
#define HYPERVISOR_SYMBOLIZE_LOCATION_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stdint.h>

/** A frame of a stack. */
struct location_frame {
	Dwfl_Module *module;
	uint64_t place;      /**< an address in its instruction */
	Dwarf_Addr bias;     /**< of the debug information */
	Dwarf_Die *function; /**< the function that contains it, for the base of its frame; NULL: none */
	Dwfl_Frame *state;   /**< registers */
	bool is_caller;      /**< only the registers that calls preserve are known */
	bool (*read)(const void *context, uint64_t address, uint64_t *word); /**< of the guest's stack */
	const void *context;
};

struct location {
	bool is_value; /**< `at` is the variable's value, otherwise its address */
	uint64_t at;
};

/** Evaluates the location of a variable. Returns whether it is known. */
bool location_find(struct location *location, const struct location_frame *frame, Dwarf_Die *variable);

#endif
