/* SPDX-License-Identifier: MIT */
/* Names of addresses, from the answers of name servers that a capture has seen (RFC 1035). Answers are untrusted. */
#ifndef HYPERVISOR_RECORD_NAMES_H
#define HYPERVISOR_RECORD_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "record/record_log.h"

#define RECORD_NAMES_MAX 1024      /* pairs of an address and a name that are kept */
#define RECORD_NAME_BYTES 254      /* RFC 1035, 2.3.4, without the root, with a NUL */
#define RECORD_NAMES_MESSAGE 4096U /* bytes of a message that are read: more than resolvers let an answer have */

struct record_name {
	uint8_t address[16];
	uint8_t address_bytes; /**< 4 or 16 */
	char name[RECORD_NAME_BYTES];
};

/** All zero: empty. */
struct record_names {
	struct record_name *list;
	size_t count, room;
	size_t put; /**< those that the capture has already */
};

/** Adds the addresses in a message of DNS, if it answers one question, under the name that was asked for. Reads at most
 * RECORD_NAMES_MESSAGE bytes of it. Returns 0 or -ENOMEM. */
int record_names_take(struct record_names *names, const uint8_t *message, size_t bytes);

/** Appends those that are new to a capture: a name resolution block of pcapng. */
void record_names_put(struct record_names *names, struct record_file *file);

/** Frees the list. */
void record_names_fini(struct record_names *names);

#endif
