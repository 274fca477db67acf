/* SPDX-License-Identifier: MIT */
/* Which addresses outside a guest may reach (--net). */
#ifndef HYPERVISOR_NET_RULES_H
#define HYPERVISOR_NET_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/network.h"
#include "base/error.h"

#define NET_RULES_MAX 256

/** A range of addresses, as IPv6 writes them, and of ports. */
struct net_rule {
	bool denies;
	uint8_t protocol; /**< IPPROTO_TCP or IPPROTO_UDP; 0: both */
	uint8_t bytes[16];
	unsigned prefix; /**< number of bits of `bytes` that count, 0 to 128 */
	uint16_t first, last;
};

struct net_rules {
	struct net_rule rules[NET_RULES_MAX];
	unsigned count;
	bool allows; /**< there is an `allow`: everything else is denied */
};

/**
 * Reads what follows `host` in --net: `[:allow=LIST][:deny=LIST]`. Looks names up now, so that a later answer of a name
 * server cannot widen the rules. Returns 0, or -EINVAL with one line in *error.
 */
int net_rules_read(struct net_rules *rules, const char *text, struct error *error);

/** Whether a guest may reach an address. Addresses of no single host, and loopback, are never permitted. */
bool net_rules_permit(const struct net_rules *rules, const struct network_address *to, uint8_t protocol);

#endif
