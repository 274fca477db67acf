/* SPDX-License-Identifier: MIT */
#include "session/net_ports.h"

#include "base/die.h"
#include "base/error.h"

void net_ports_open(struct net_config *net)
{
	struct error error;
	char text[NET_ADDRESS_TEXT];
	uint16_t asked[NETWORK_PUBLISHED_MAX];
	if (!net_has_sockets(net)) /* it reaches nothing, and looks up no name */
		return;
	for (unsigned i = 0; i < net->published_count; i++)
		asked[i] = net->published[i].address.in.sin_port;
	if (net_publish_open(net, &error))
		die("%s", error.text);
	for (unsigned i = 0; i < net->published_count; i++) {
		struct network_address address;
		net_address_of(&net->published[i].address.any, &address);
		net_address_text(&address, text);
		if (!asked[i] && !net->replay)
			say("port %u of the guest is published at %s", net->published[i].port, text);
	}
}
