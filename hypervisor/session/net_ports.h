/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_NET_PORTS_H
#define HYPERVISOR_NET_PORTS_H

#include "net/net.h"

/** Opens the published ports, and says which ports of the host were chosen for port 0. */
void net_ports_open(struct net_config *net);

#endif
