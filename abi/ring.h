/* SPDX-License-Identifier: MIT */
/* Console ring: bytes for standard output and error, written by the guest and drained by the monitor.
 *
 * head and tail count bytes since the start and never wrap; the offset is the count modulo the size. Each
 * side writes only its own counter. Records keep the two streams apart in one order. */
#ifndef ABI_RING_H
#define ABI_RING_H

#include <stdint.h>

#define CONSOLE_RING_BYTES 0x40000U

/** The header page at LAYOUT_CONSOLE_RING; the data follows one page after it. */
struct console_ring {
	uint64_t head; /**< written by the guest: bytes produced */
	uint8_t padding[56];
	uint64_t tail; /**< written by the monitor: bytes consumed */
};

/** Each record: this header, then `bytes` bytes, then padding to a multiple of 4. */
struct console_record {
	uint32_t stream_bytes; /**< stream (1 or 2) in the top 8 bits, byte count in the others */
};

#define CONSOLE_RECORD(stream, bytes) ((uint32_t)(stream) << 24 | (uint32_t)(bytes))
#define CONSOLE_RECORD_STREAM(word) ((word) >> 24)
#define CONSOLE_RECORD_BYTES(word) ((word)&0xffffffU)

#endif
