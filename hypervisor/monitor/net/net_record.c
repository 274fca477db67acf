/* SPDX-License-Identifier: MIT */
/* Records requests and events in the order of the guest: an event that it took at a look precedes the requests that it
 * made from that look on. */
#include <string.h>

#include "base/array.h"
#include "net/net_state.h"
#include "record/recording.h"

void net_record_note(struct net *net, const struct network_record *event, uint64_t position)
{
	if (net->pending_first > net->pending_last / 2) { /* the first half is free */
		net->pending_last -= net->pending_first;
		memmove(net->pending, net->pending + net->pending_first, net->pending_last * sizeof(*net->pending));
		net->pending_first = 0;
	}
	if (!array_reserve(net->pending, net->pending_room, net->pending_last + 1)) {
		net_fail(net, "out of memory for the recording");
		return;
	}
	net->pending[net->pending_last++] = (struct net_pending){*event, position, net->is_repeating};
}

void net_record_taken(struct net *net, uint64_t position, uint64_t look)
{
	while (net->pending_first < net->pending_last) {
		struct net_pending *pending = &net->pending[net->pending_first];
		if (pending->position >= position)
			return;
		net_ring_when(net, pending->position, &pending->record);
		if (pending->record.look > look)
			return;
		if (!pending->is_repeated)
			recording_network(net->config->recording, &pending->record,
			                  net_ring_payload(net, pending->position));
		net->recorded = pending->position + NETWORK_RECORD_BYTES(pending->record.bytes);
		net->pending_first++;
	}
	net->recorded = net->events_head; /* bytes that were skipped before the ring's end have no note */
}

void net_record_request(struct net *net, const struct network_record *request, const uint8_t *payload)
{
	net_record_taken(net, net_ring_taken(net), request->look);
	if (!net_is_reading(request))
		recording_network(net->config->recording, request, payload);
}
