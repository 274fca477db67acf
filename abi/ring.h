/* SPDX-License-Identifier: MIT */
/* Console ring: bytes for standard output and error. The guest writes them, the monitor drains them.
 *
 * head and tail count bytes since the start and never wrap; the offset in the ring is the count modulo its size. Each
 * side writes only its own counter. Both streams share the ring, as records, so that their order is kept. */
#ifndef ABI_RING_H
#define ABI_RING_H

#include <stddef.h>
#include <stdint.h>

#define CONSOLE_RING_BYTES 0x40000U

/** The header page, at LAYOUT_CONSOLE_RING; the data starts one page later. */
struct console_ring {
	uint64_t head; /**< written by the guest: bytes produced */
	uint8_t padding[56];
	uint64_t tail; /**< written by the monitor: bytes consumed */
};

/** Header of a record; `bytes` bytes follow, then padding to a multiple of 4. */
struct console_record {
	uint32_t stream_bytes; /**< stream (1 or 2) in the top 8 bits, byte count in the others */
};

_Static_assert(sizeof(struct console_ring) == 72, "console_ring");
_Static_assert(offsetof(struct console_ring, tail) == 64, "console_ring");
_Static_assert(sizeof(struct console_record) == 4, "console_record");

#define CONSOLE_RECORD(stream, bytes) ((uint32_t)(stream) << 24 | (uint32_t)(bytes))
#define CONSOLE_RECORD_STREAM(word) ((word) >> 24)
#define CONSOLE_RECORD_BYTES(word) ((word)&0xffffffU)

#endif
