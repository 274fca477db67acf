/* SPDX-License-Identifier: MIT */
/* What delivery between two sockets of a guest costs in virtual time.
 *
 * DELIVERY_LIST(X) expands to X(name, text, message_ns, kib_ns) for each protocol. A message that reaches the queue of
 * its receiver advances the virtual clock by message_ns, and by kib_ns for each KiB or part of one. A connection that
 * reaches the queue of its listener counts as a message without data. The call that delivers pays. The values model
 * Linux on loopback, without the cost of the call (abi/syscalls.h), and are part of the determinism contract: changing
 * one changes digests. */
#ifndef ABI_DELIVERY_H
#define ABI_DELIVERY_H

/* clang-format off */
#define DELIVERY_LIST(X) \
	X(UNIX, "Unix sockets", 300, 60) \
	X(UDP, "UDP", 900, 60) \
	X(TCP, "TCP", 1500, 60) \
	X(NETLINK, "AF_NETLINK", 0, 0)
/* clang-format on */

enum {
#define DELIVERY_COSTS(name, text, message_ns, kib_ns) \
	DELIVERY_##name##_NS = (message_ns), DELIVERY_##name##_KIB_NS = (kib_ns),
	DELIVERY_LIST(DELIVERY_COSTS)
#undef DELIVERY_COSTS
};

#endif
