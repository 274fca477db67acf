/* SPDX-License-Identifier: MIT */
/* Random malloc, calloc, realloc, aligned_alloc and free, with every block's contents checked; then a lot at once. */
#include <stdint.h>
#include <stdlib.h>

#include "say.h"

#define BLOCKS 2000

static struct {
	unsigned char *at;
	size_t bytes;
	unsigned char mark;
} blocks[BLOCKS];

static uint64_t state = 42;

static uint32_t any(uint32_t below)
{
	state = state * 6364136223846792005UL + 1442695040888963407UL;
	return (uint32_t)(state >> 33) % below;
}

static void check(unsigned i, size_t bytes)
{
	for (size_t n = 0; n < bytes; n++) {
		if (blocks[i].at[n] != blocks[i].mark) {
			printf("block %u of %zu bytes: byte %zu is wrong\n", i, blocks[i].bytes, n);
			exit(1);
		}
	}
}

static void set(unsigned i, void *at, size_t bytes)
{
	if (!at) {
		puts("no memory");
		exit(1);
	}
	if ((uintptr_t)at % 16)
		puts("not aligned");
	blocks[i].at = at;
	blocks[i].bytes = bytes;
	blocks[i].mark = (unsigned char)any(256);
	memset(at, blocks[i].mark, bytes);
}

int main(void)
{
	for (int step = 0; step < 15000; step++) {
		unsigned i = any(BLOCKS);
		size_t bytes = any(50) ? 1 + any(500) : 1 + any(200000);
		if (!blocks[i].at) {
			if (any(4) == 0) {
				unsigned char *at = calloc(bytes, 1);
				for (size_t n = 0; at && n < bytes; n++)
					if (at[n])
						puts("calloc is not zero");
				set(i, at, bytes);
			} else if (any(10) == 0) {
				void *at = aligned_alloc(256, (bytes + 255) & ~255UL);
				if ((uintptr_t)at % 256)
					puts("aligned_alloc is not aligned");
				set(i, at, bytes);
			} else {
				set(i, malloc(bytes), bytes);
			}
			continue;
		}
		size_t kept = bytes < blocks[i].bytes ? bytes : blocks[i].bytes;
		check(i, blocks[i].bytes);
		if (any(3) == 0) {
			blocks[i].at = realloc(blocks[i].at, bytes);
			check(i, kept);
			set(i, blocks[i].at, bytes);
		} else {
			free(blocks[i].at);
			blocks[i].at = NULL;
		}
	}
	for (unsigned i = 0; i < BLOCKS; i++) {
		if (blocks[i].at)
			check(i, blocks[i].bytes);
		free(blocks[i].at);
	}
	for (int round = 0; round < 2; round++) {
		unsigned char *large = malloc(200UL << 20);
		if (!large)
			return 2;
		for (size_t n = 0; n < 200UL << 20; n += 65536)
			large[n] = (unsigned char)(n >> 16);
		size_t good = 0;
		for (size_t n = 0; n < 200UL << 20; n += 65536)
			good += large[n] == (unsigned char)(n >> 16);
		printf("200 MiB: %zu\n", good);
		free(large);
	}
	puts("done");
	return 0;
}
