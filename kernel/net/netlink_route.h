/* SPDX-License-Identifier: MIT */
/* Answers of NETLINK_ROUTE (rtnetlink(7)). */
#ifndef KERNEL_NET_NETLINK_ROUTE_H
#define KERNEL_NET_NETLINK_ROUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NETLINK_REQUEST_BYTES 16 /* struct nlmsghdr */

/** The head of a message. */
struct netlink_header {
	uint32_t length;
	uint16_t type, flags;
	uint32_t sequence, port;
};

/** An answer being written; `overflows` when `room` is too small for it. */
struct netlink_answer {
	uint8_t *at;
	size_t bytes, room;
	bool overflows;
};

/** Answers a request whose family, the first byte after its head, is `family`. The answer goes to `port`. */
void netlink_route_answer(const struct netlink_header *request, uint8_t family, uint32_t port,
                          struct netlink_answer *answer);

#endif
