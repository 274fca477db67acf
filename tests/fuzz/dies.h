/* SPDX-License-Identifier: MIT */
/* For harnesses of readers that end eremite with a sentence (die) when they refuse an input: the harness goes on, and
 * what was allocated for the input is freed. Link with FUZZ_DIES (fuzz.mk), and without the module die. */
#ifndef TESTS_FUZZ_DIES_H
#define TESTS_FUZZ_DIES_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

/** Where die goes. */
extern jmp_buf dies_at;

/** Begins an input. Standard output goes nowhere, and JSON is allocated as all else. */
void dies_begin(void);

/** Frees what was allocated since dies_begin and was not freed. */
void dies_clean(void);

/** Runs `read` with an input, until it dies or returns. */
static inline void dies_run(void (*read)(const uint8_t *data, size_t size), const uint8_t *data, size_t size)
{
	dies_begin();
	if (!setjmp(dies_at))
		read(data, size);
	dies_clean();
}

#endif
