/* SPDX-License-Identifier: MIT */
/* Writes the code of stubs (stub.h). */
#ifndef KERNEL_LINUX_PATCH_STUB_CODE_H
#define KERNEL_LINUX_PATCH_STUB_CODE_H

#include <stdint.h>

#include "kernel/lib/bug.h"
#include "kernel/linux/patch/code_bytes.h"

#define JUMP 0xe9
#define JUMP_BYTES 5
#define REACH 0x70000000UL /* maximum distance of a jump, in bytes; a little less than the 2 GiB that it can encode */

/** Code that is being assembled. */
struct code {
	uint8_t bytes[1024];
	unsigned count;
	uint64_t address; /* of the first byte */
};

/* Inline, because most counts are constants and small, and a stub has twenty of them. */
static inline __attribute__((always_inline)) void stub_add(struct code *code, const void *bytes, unsigned count)
{
	assert(code->count + count <= sizeof(code->bytes));
	__builtin_memcpy(code->bytes + code->count, bytes, count);
	code->count += count;
}

#define ADD(code, ...) stub_add(code, (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static inline void add_word(struct code *code, uint64_t value)
{
	const int32_t word = (int32_t)value;
	assert(value <= INT32_MAX); /* where the kernel is, and costs */
	stub_add(code, &word, sizeof(word));
}

/* Adds a distance relative to the end of the distance itself. */
static inline void add_distance(struct code *code, uint64_t target)
{
	const int32_t distance = (int32_t)(target - (code->address + code->count + sizeof(distance)));
	stub_add(code, &distance, sizeof(distance));
}

static inline void add_moved(struct code *code, uint64_t from, unsigned count)
{
	assert(code->count + count <= sizeof(code->bytes));
	code_get(code->bytes + code->count, from, count);
	code->count += count;
}

#endif
