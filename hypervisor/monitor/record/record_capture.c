/* SPDX-License-Identifier: MIT */
#include "record/record_capture.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"

/* Blocks and options of pcapng. */
#define SECTION 0x0a0d0d0aU
#define INTERFACE 1U
#define STATISTICS 5U
#define PACKET 6U
#define OPTION_COMMENT 1
#define OPTION_NAME 2        /* of an interface */
#define OPTION_APPLICATION 4 /* of a section */
#define OPTION_RESOLUTION 9
#define OUTSIDE 0U /* the interface's number */
#define ETHERNET 1

#define DNS_PORT 53

/* TCP (RFC 9293, 3.1). */
#define FIN 0x01
#define SYN 0x02
#define RST 0x04
#define PSH 0x08
#define ACK 0x10
#define WINDOW_SHIFT 14 /* the most that RFC 7323 permits, so that no window is ever full */
#define ACK_EVERY 16    /* segments in one direction */

#define FRAME_MAX (14 + 40 + 32)

/** A connection: what each side has sent. */
struct capture_flow {
	struct capture_flow *next;
	uint32_t number;
	struct network_address ends[2]; /* the guest's, the peer's */
	uint32_t sent[2];               /* next sequence number of each */
	unsigned unacknowledged[2];     /* segments of each since the last of the other */
	bool has_finished[2];
};

enum { GUEST, PEER };

static void put_option(struct record_file *file, uint16_t code, const void *data, uint16_t bytes)
{
	static const uint8_t padding[4];
	const uint16_t head[] = {code, bytes};
	record_file_put(file, head, sizeof(head));
	record_file_put(file, data, bytes);
	record_file_put(file, padding, -bytes & 3U);
}

static uint32_t option_bytes(size_t bytes)
{
	return (uint32_t)(4 + ((bytes + 3) & ~3UL));
}

static void put_section(struct record_file *file)
{
	static const char application[] = "eremite " EREMITE_VERSION;
	const uint32_t total = 28 + option_bytes(sizeof(application) - 1) + 4;
	const uint32_t head[] = {SECTION, total, 0x1a2b3c4d, 1 /* version 1.0 */, UINT32_MAX, UINT32_MAX};
	record_file_put(file, head, sizeof(head));
	put_option(file, OPTION_APPLICATION, application, sizeof(application) - 1);
	put_option(file, 0, NULL, 0);
	record_file_put(file, &total, sizeof(total));
}

static void put_interface(struct record_file *file, const char *name)
{
	const uint8_t nanoseconds = 9;
	const uint16_t length = (uint16_t)strlen(name);
	const uint32_t total = 20 + option_bytes(length) + option_bytes(1) + 4;
	const uint32_t head[] = {INTERFACE, total, ETHERNET, 0 /* no limit of a packet's length */};
	record_file_put(file, head, sizeof(head));
	put_option(file, OPTION_NAME, name, length);
	put_option(file, OPTION_RESOLUTION, &nanoseconds, 1);
	put_option(file, 0, NULL, 0);
	record_file_put(file, &total, sizeof(total));
}

void record_capture_begin(struct record_capture *capture, int fd, int64_t epoch_ns)
{
	memset(capture, 0, sizeof(*capture));
	record_file_open(&capture->file, fd);
	capture->epoch_ns = epoch_ns;
	put_section(&capture->file);
	put_interface(&capture->file, "eth0");
}

/* --- frames --- */

static uint32_t fold(uint64_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint32_t)sum;
}

/* Adds bytes to a sum of the internet checksum (RFC 1071), which does not depend on the order of bytes in a word. */
static uint32_t packet_sum(uint32_t sum, const void *data, size_t bytes)
{
	typedef uint64_t vector __attribute__((vector_size(16)));
	const uint8_t *at = data;
	vector sums = {0};
	for (; bytes >= sizeof(sums); bytes -= sizeof(sums), at += sizeof(sums)) {
		vector words;
		memcpy(&words, at, sizeof(words));
		sums += (words & UINT32_MAX) + (words >> 32);
	}
	uint64_t total = sums[0] + sums[1];
	for (; bytes >= 4; bytes -= 4, at += 4) {
		uint32_t word;
		memcpy(&word, at, sizeof(word));
		total += word;
	}
	uint8_t rest[4] = {0};
	uint32_t last;
	if (bytes)
		memcpy(rest, at, bytes);
	memcpy(&last, rest, sizeof(last));
	return fold(sum + (uint64_t)__builtin_bswap16((uint16_t)fold(total + last)));
}

static uint8_t *put16(uint8_t *to, uint32_t value)
{
	to[0] = (uint8_t)(value >> 8);
	to[1] = (uint8_t)value;
	return to + 2;
}

static uint8_t *put32(uint8_t *to, uint32_t value)
{
	return put16(put16(to, value >> 16), value & 0xffff);
}

static uint8_t *put_ethernet(uint8_t *to, bool from_guest, bool v4)
{
	static const uint8_t guest[] = {0x52, 0x55, 10, 0, 2, 15}, peer[] = {0x52, 0x55, 10, 0, 2, 2};
	memcpy(to, from_guest ? peer : guest, 6);
	memcpy(to + 6, from_guest ? guest : peer, 6);
	return put16(to + 12, v4 ? 0x0800 : 0x86dd);
}

/* Puts the header of IP (RFC 791, RFC 8200). Returns its end, and the sum of the pseudo-header. */
static uint8_t *put_ip(uint8_t *to, const struct network_address *from, const struct network_address *dest,
                       uint8_t protocol, size_t bytes, uint32_t *sum)
{
	bool v4 = network_is_v4(from->bytes);
	uint8_t *at = to;
	if (v4) {
		at = put16(at, 0x4500);
		at = put16(at, (uint32_t)bytes + 20);
		at = put32(at, 0x00004000); /* not to be fragmented */
		*at++ = 64;
		*at++ = protocol;
		at = put16(at, 0);
		memcpy(at, from->bytes + 12, 4);
		memcpy(at + 4, dest->bytes + 12, 4);
		*sum = packet_sum(0, at, 8);
		put16(to + 10, ~packet_sum(0, to, 20) & 0xffff);
		at += 8;
	} else {
		at = put32(at, 0x60000000);
		at = put16(at, (uint32_t)bytes);
		*at++ = protocol;
		*at++ = 64;
		memcpy(at, from->bytes, 16);
		memcpy(at + 16, dest->bytes, 16);
		*sum = packet_sum(0, at, 32);
		at += 32;
	}
	*sum += protocol + (uint32_t)bytes;
	return at;
}

/* Adds a packet of a header and a payload. Returns where the payload is. */
static uint64_t put_packet(struct record_capture *capture, int64_t time_ns, const uint8_t *header, size_t header_bytes,
                           const void *payload, size_t bytes)
{
	static const uint8_t padding[4];
	const uint32_t length = (uint32_t)(header_bytes + bytes), total = 32 + ((length + 3) & ~3U);
	const uint32_t head[] = {PACKET, total, OUTSIDE, (uint32_t)((uint64_t)time_ns >> 32), (uint32_t)time_ns,
	                         length, length};
	struct record_file *file = &capture->file;
	record_file_put(file, head, sizeof(head));
	record_file_put(file, header, header_bytes);
	uint64_t at = file->bytes;
	record_file_lend(file, payload, bytes);
	record_file_put(file, padding, -length & 3U);
	record_file_put(file, &total, sizeof(total));
	capture->frames++;
	return bytes ? at : 0;
}

/* Adds a segment of TCP from one end to the other. */
static uint64_t put_segment(struct record_capture *capture, int64_t time_ns, struct capture_flow *flow, int from,
                            unsigned flags, const void *payload, size_t bytes)
{
	uint8_t frame[FRAME_MAX], *tcp, *at;
	uint32_t sum;
	size_t options = flags & SYN ? 8 : 0;
	at = put_ethernet(frame, from == GUEST, network_is_v4(flow->ends[GUEST].bytes));
	at = tcp = put_ip(at, &flow->ends[from], &flow->ends[!from], 6, 20 + options + bytes, &sum);
	at = put16(at, flow->ends[from].port);
	at = put16(at, flow->ends[!from].port);
	at = put32(at, flow->sent[from]);
	at = put32(at, flags & ACK ? flow->sent[!from] : 0);
	*at++ = (uint8_t)((20 + options) / 4 << 4);
	*at++ = (uint8_t)flags;
	at = put16(at, 0xffff);
	at = put32(at, 0); /* checksum, urgent pointer */
	if (options) {
		at = put32(at, 2U << 24 | 4U << 16 | 65495U);                 /* maximum segment size */
		at = put32(at, 1U << 24 | 3U << 16 | 3U << 8 | WINDOW_SHIFT); /* no operation, window scale */
	}
	sum = packet_sum(sum, tcp, (size_t)(at - tcp));
	put16(tcp + 16, ~packet_sum(sum, payload, bytes) & 0xffff);
	flow->sent[from] += (uint32_t)bytes + (flags & SYN ? 1 : 0) + (flags & FIN ? 1 : 0);
	flow->unacknowledged[!from] = 0;
	return put_packet(capture, time_ns, frame, (size_t)(at - frame), payload, bytes);
}

static uint64_t put_captured_data(struct record_capture *capture, int64_t time_ns, struct capture_flow *flow, int from,
                                  const void *payload, size_t bytes)
{
	uint64_t at = put_segment(capture, time_ns, flow, from, PSH | ACK, payload, bytes);
	if (++flow->unacknowledged[from] >= ACK_EVERY)
		put_segment(capture, time_ns, flow, !from, ACK, NULL, 0);
	return at;
}

/* Adds the names that are new in an answer of a name server, so that a reader knows them for what follows. */
static void put_names(struct record_capture *capture, const void *answer, size_t bytes)
{
	if (record_names_take(&capture->names, answer, bytes))
		capture->file.error = -ENOMEM;
	record_names_put(&capture->names, &capture->file);
}

static uint64_t put_datagram(struct record_capture *capture, int64_t time_ns, const struct network_record *record,
                             bool from_guest, const void *payload)
{
	uint8_t frame[FRAME_MAX], *udp, *at;
	uint32_t sum;
	const struct network_address *from = from_guest ? &record->local : &record->remote;
	const struct network_address *to = from_guest ? &record->remote : &record->local;
	at = put_ethernet(frame, from_guest, network_is_v4(from->bytes));
	at = udp = put_ip(at, from, to, 17, 8 + record->bytes, &sum);
	at = put16(at, from->port);
	at = put16(at, to->port);
	at = put16(at, 8 + record->bytes);
	at = put16(at, 0);
	sum = ~packet_sum(packet_sum(sum, udp, 8), payload, record->bytes) & 0xffff;
	put16(udp + 6, sum ? sum : 0xffff);
	uint64_t payload_at = put_packet(capture, time_ns, frame, (size_t)(at - frame), payload, record->bytes);
	if (from->port == DNS_PORT && !from_guest)
		put_names(capture, payload, record->bytes);
	return payload_at;
}

/* Adds what came for a connection that one side has closed: a frame of an experimental protocol (IEEE 802, 88b5). */
static uint64_t put_late(struct record_capture *capture, int64_t time_ns, const struct network_record *record,
                         const void *payload)
{
	uint8_t frame[FRAME_MAX];
	uint8_t *at = put_ethernet(frame, record->op == NETWORK_SEND, true);
	put16(at - 2, 0x88b5);
	return put_packet(capture, time_ns, frame, (size_t)(at - frame), payload, record->bytes);
}

/* --- connections --- */

static struct capture_flow **find_capture_flow(struct record_capture *capture, uint32_t number)
{
	struct capture_flow **at = &capture->flows[number % CAPTURE_LISTS];
	while (*at && (*at)->number != number)
		at = &(*at)->next;
	return at;
}

static struct capture_flow *add_capture_flow(struct record_capture *capture, const struct network_record *record)
{
	struct capture_flow **at = find_capture_flow(capture, record->flow);
	struct capture_flow *flow = *at ? NULL : calloc(1, sizeof(*flow));
	if (!flow) {
		capture->file.error = *at ? capture->file.error : -ENOMEM;
		return *at;
	}
	flow->number = record->flow;
	flow->ends[GUEST] = record->local;
	flow->ends[PEER] = record->remote;
	flow->sent[GUEST] = 1000; /* any number will do */
	flow->sent[PEER] = 2000;
	return *at = flow;
}

static void drop_capture_flow(struct record_capture *capture, uint32_t number)
{
	struct capture_flow **at = find_capture_flow(capture, number), *flow = *at;
	if (!flow)
		return;
	*at = flow->next;
	free(flow);
}

static void finish_capture_flow(struct record_capture *capture, int64_t time_ns, struct capture_flow *flow, int from)
{
	if (flow->has_finished[from])
		return;
	flow->has_finished[from] = true;
	put_segment(capture, time_ns, flow, from, FIN | ACK, NULL, 0);
	if (flow->has_finished[!from])
		put_segment(capture, time_ns, flow, !from, ACK, NULL, 0);
}

uint64_t record_capture_put(struct record_capture *capture, const struct network_record *record, const void *payload)
{
	int64_t time = capture->epoch_ns + (int64_t)record->moment;
	struct capture_flow *flow = *find_capture_flow(capture, record->flow);
	switch (record->op) {
	case NETWORK_CONNECT:
	case NETWORK_CAME:
		flow = add_capture_flow(capture, record);
		if (flow)
			put_segment(capture, time, flow, record->op == NETWORK_CONNECT ? GUEST : PEER, SYN, NULL, 0);
		if (flow && record->op == NETWORK_CAME) {
			put_segment(capture, time, flow, GUEST, SYN | ACK, NULL, 0);
			put_segment(capture, time, flow, PEER, ACK, NULL, 0);
		}
		return 0;
	case NETWORK_DATAGRAM:
	case NETWORK_DATAGRAM_CAME:
		return put_datagram(capture, time, record, record->op == NETWORK_DATAGRAM, payload);
	default:
		break;
	}
	if (!flow)
		return record->bytes ? put_late(capture, time, record, payload) : 0;
	switch (record->op) {
	case NETWORK_CONNECTED:
		if (record->value == ECONNREFUSED)
			put_segment(capture, time, flow, PEER, RST | ACK, NULL, 0);
		if (record->value) {
			drop_capture_flow(capture, record->flow);
			return 0;
		}
		put_segment(capture, time, flow, PEER, SYN | ACK, NULL, 0);
		put_segment(capture, time, flow, GUEST, ACK, NULL, 0);
		return 0;
	case NETWORK_SEND:
		return put_captured_data(capture, time, flow, GUEST, payload, record->bytes);
	case NETWORK_DATA:
		return put_captured_data(capture, time, flow, PEER, payload, record->bytes);
	case NETWORK_FINISH:
		finish_capture_flow(capture, time, flow, GUEST);
		return 0;
	case NETWORK_ENDED:
		finish_capture_flow(capture, time, flow, PEER);
		return 0;
	case NETWORK_CLOSE:
	case NETWORK_RESET:
		if (record->op == NETWORK_RESET || record->value)
			put_segment(capture, time, flow, record->op == NETWORK_RESET ? PEER : GUEST, RST | ACK, NULL,
			            0);
		drop_capture_flow(capture, record->flow);
		return 0;
	default:
		return 0;
	}
}

void record_capture_end(struct record_capture *capture, const char *comment)
{
	struct record_file *file = &capture->file;
	const uint16_t bytes = (uint16_t)strlen(comment);
	const uint32_t total = 24 + option_bytes(bytes) + 4, head[] = {STATISTICS, total, OUTSIDE, 0, 0};
	if (!file->buffer)
		return;
	record_file_put(file, head, sizeof(head));
	put_option(file, OPTION_COMMENT, comment, bytes);
	put_option(file, 0, NULL, 0);
	record_file_put(file, &total, sizeof(total));
}

void record_capture_close(struct record_capture *capture)
{
	for (unsigned i = 0; i < CAPTURE_LISTS; i++)
		while (capture->flows[i])
			drop_capture_flow(capture, capture->flows[i]->number);
	record_names_fini(&capture->names);
	record_file_close(&capture->file);
}
