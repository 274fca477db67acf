/* SPDX-License-Identifier: MIT */
/* ChaCha20 block function (RFC 8439, section 2.3); words are little-endian, as the processor is. */
#include "kernel/rand/chacha20.h"

static uint32_t rotate(uint32_t value, unsigned bits)
{
	return value << bits | value >> (32 - bits);
}

static void quarter_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d)
{
	*a += *b, *d = rotate(*d ^ *a, 16);
	*c += *d, *b = rotate(*b ^ *c, 12);
	*a += *b, *d = rotate(*d ^ *a, 8);
	*c += *d, *b = rotate(*b ^ *c, 7);
}

void chacha20_block(const uint32_t key[CHACHA20_KEY_WORDS], uint64_t counter, uint64_t nonce,
                    uint8_t block[CHACHA20_BLOCK_BYTES])
{
	uint32_t start[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
	for (unsigned i = 0; i < CHACHA20_KEY_WORDS; i++)
		start[4 + i] = key[i];
	start[12] = (uint32_t)counter;
	start[13] = (uint32_t)(counter >> 32);
	start[14] = (uint32_t)nonce;
	start[15] = (uint32_t)(nonce >> 32);
	uint32_t x[16];
	for (unsigned i = 0; i < 16; i++)
		x[i] = start[i];
	for (unsigned round = 0; round < 10; round++) {
		for (unsigned i = 0; i < 4; i++)
			quarter_round(&x[i], &x[4 + i], &x[8 + i], &x[12 + i]);
		for (unsigned i = 0; i < 4; i++)
			quarter_round(&x[i], &x[4 + (i + 1) % 4], &x[8 + (i + 2) % 4], &x[12 + (i + 3) % 4]);
	}
	for (unsigned i = 0; i < 16; i++) {
		uint32_t word = x[i] + start[i];
		__builtin_memcpy(block + 4 * i, &word, 4);
	}
}
