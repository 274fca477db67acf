/* SPDX-License-Identifier: MIT */
/* ChaCha20 block function (RFC 8439, section 2.3). */
#ifndef KERNEL_RAND_CHACHA20_H
#define KERNEL_RAND_CHACHA20_H

#include <stdint.h>

#define CHACHA20_KEY_WORDS 8
#define CHACHA20_BLOCK_BYTES 64

/** Computes one block. The last four words of the state are a 64-bit counter and a 64-bit nonce. */
void chacha20_block(const uint32_t key[CHACHA20_KEY_WORDS], uint64_t counter, uint64_t nonce,
                    uint8_t block[CHACHA20_BLOCK_BYTES]);

#endif
