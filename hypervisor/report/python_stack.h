/* SPDX-License-Identifier: MIT */
/* The functions of a Python program that a thread of CPython runs, from the interpreter's own chain of frames. */
#ifndef HYPERVISOR_PYTHON_STACK_H
#define HYPERVISOR_PYTHON_STACK_H

#include <stdint.h>
#include <stdio.h>

#include "guest/guest_memory.h"

/** Where an interpreter is, by the symbols that it exports. */
struct python_place {
	uint64_t runtime; /**< address of _PyRuntime; 0: the thread runs no CPython */
	uint64_t version; /**< address of Py_Version */
};

/** Writes a line for each frame of the thread whose stack pointer is `rsp`, from the innermost: "  #0  0x7f12 get
 * (counter.py:12) python". Writes nothing if the interpreter's version is not known. The guest is untrusted. */
void python_stack_write(FILE *to, const struct guest_memory *memory, const struct python_place *place, uint64_t rsp);

#endif
