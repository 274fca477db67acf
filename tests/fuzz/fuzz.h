/* SPDX-License-Identifier: MIT */
/* What all harnesses have: a guest's memory, and an input that says what is in it. A harness is one function, which
 * libFuzzer calls with inputs that it makes up, and replay.c with those of the corpus. */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "abi/layout.h"
#include "guest/guest_memory.h"

#define ARENA 0x300000UL /* where a guest has what it tells of */
#define ARENA_BYTES 0x10000UL

/** An input; what is taken behind its end is zero. */
struct fuzz_input {
	const uint8_t *at;
	size_t left;
};

/** The harness. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The guest's. */
__attribute__((unused)) static struct guest_memory memory;

/** Takes the next bytes. */
static inline void fuzz_take(struct fuzz_input *input, void *to, size_t bytes)
{
	size_t part = bytes < input->left ? bytes : input->left;
	memset(to, 0, bytes);
	memcpy(to, input->at, part);
	input->at += part;
	input->left -= part;
}

/** Takes a number of so many bytes. */
static inline uint64_t fuzz_number(struct fuzz_input *input, unsigned bytes)
{
	uint64_t number = 0;
	fuzz_take(input, &number, bytes);
	return number;
}

/** Takes an address: most are in the arena, some at an end of memory or far outside. */
static inline uint64_t fuzz_address(struct fuzz_input *input)
{
	uint64_t number = fuzz_number(input, 2);
	switch (number >> 12) {
	case 15:
		return LAYOUT_RAM_MIN - (number & 0xfff);
	case 14:
		return UINT64_MAX - (number & 0xfff);
	case 13:
		return fuzz_number(input, 8);
	default:
		return ARENA + number;
	}
}

/** Empties the guest's memory, which has none behind it, and begins an input. */
static inline struct fuzz_input fuzz_begin(const uint8_t *data, size_t size)
{
	if (!memory.base) {
		uint8_t *base = mmap(NULL, LAYOUT_RAM_MIN + BLOCK_SIZE, PROT_NONE,
		                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (base == MAP_FAILED || mprotect(base, LAYOUT_RAM_MIN, PROT_READ | PROT_WRITE))
			abort();
		memory = (struct guest_memory){.base = base, .bytes = LAYOUT_RAM_MIN};
	}
	madvise(memory.base, LAYOUT_RAM_MIN, MADV_DONTNEED);
	return (struct fuzz_input){data, size};
}

/** Puts the rest of an input into the arena. */
static inline void fuzz_fill(struct fuzz_input *input)
{
	fuzz_take(input, memory.base + ARENA, input->left < ARENA_BYTES ? input->left : ARENA_BYTES);
}

#endif
