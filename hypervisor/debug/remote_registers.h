/* SPDX-License-Identifier: MIT */
/* The registers of x86-64 as gdb numbers them, by the description that it is given. */
#ifndef HYPERVISOR_DEBUG_REMOTE_REGISTERS_H
#define HYPERVISOR_DEBUG_REMOTE_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/debug.h"

/** All registers of a thread. */
struct remote_registers {
	struct debug_registers general;
	uint8_t vector[DEBUG_DATA_BYTES]; /**< XSAVE area */
	bool has_avx;
};

/** The number of registers. */
unsigned remote_registers_count(bool has_avx);

/** The size of a register in bytes, and where it is; *bytes of the number beyond the last are 0. */
void *remote_registers_find(struct remote_registers *registers, unsigned number, size_t *bytes);

/** Whether a register may be changed: those of a trap frame. */
bool remote_registers_may_change(unsigned number);

/** Whether it may be changed by DEBUG_SET_VECTOR. */
bool remote_registers_is_vector(unsigned number);

/** Writes the description, target.xml, ended by a NUL. Returns its size. */
size_t remote_registers_describe(char *to, size_t room, bool has_avx);

#endif
