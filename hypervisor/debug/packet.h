/* SPDX-License-Identifier: MIT */
/* Packets of gdb's remote protocol (gdb's manual, "Overview" of the remote protocol): $data#checksum. */
#ifndef HYPERVISOR_DEBUG_PACKET_H
#define HYPERVISOR_DEBUG_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of a packet's data at most, in either direction. */
#define PACKET_MAX 16384

/** What a byte completes. */
enum packet_event {
	PACKET_NONE,
	PACKET_WHOLE,     /**< a packet, in packet_reader.data */
	PACKET_DAMAGED,   /**< a packet with a wrong checksum, or longer than PACKET_MAX */
	PACKET_INTERRUPT, /**< the byte that stops the program */
	PACKET_AGAIN,     /**< the peer has got a damaged packet */
};

/** Reads a stream of packets. All zero at first. */
struct packet_reader {
	char data[PACKET_MAX + 1]; /**< without escapes, ended by a NUL */
	size_t bytes;
	enum { PACKET_OUTSIDE, PACKET_INSIDE, PACKET_ESCAPED, PACKET_SUM_HIGH, PACKET_SUM_LOW } state;
	bool is_bad;
	uint8_t sum, given;
};

/** Takes the next byte. Bytes outside of packets that mean nothing are ignored. */
enum packet_event packet_feed(struct packet_reader *reader, uint8_t byte);

/** Makes a packet of data, which may hold any bytes, into room for 2 * bytes + 4. Returns its size. */
size_t packet_make(char *to, const char *data, size_t bytes);

/** The value of a hexadecimal digit, or -1. */
int packet_digit(char digit);

#endif
