/* SPDX-License-Identifier: MIT */
/* Counts are of what the program sent and received; a message counts as one segment. Nothing is lost or sent again.
 * What a real connection measures, times of round trips and windows, has the constant values of a loopback connection.
 */
#include "kernel/net/inet/inet_info.h"

#include "kernel/lib/string.h"
#include "kernel/net/inet.h"
#include "kernel/time/vclock.h"

#define NS_PER_MS 1000000
#define FIRST_RTO_US 1000000 /* RFC 6298, 2.1 */
#define RTO_US 201000        /* with the least of 200 ms */
#define RTT_US 20
#define WINDOW_BYTES 65536
#define CWND 10             /* RFC 6928 */
#define SSTHRESH 0x7fffffff /* none yet */
#define MSS_UNCONNECTED 536 /* RFC 9293, 3.7.1 */
#define MSS_LOOPBACK 32768  /* half of the window */
#define MTU_V4 65535
#define MTU_V6 65536
#define V4_HEADERS (20 + 20 + 12) /* IP, TCP, its time stamps */
#define V6_HEADERS (40 + 20 + 12)
#define REORDERING 3
#define WINDOW_SCALE 7
#define OPTIONS 7   /* time stamps, SACK, window scale */
#define HANDSHAKE 2 /* segments before the first data */

/* struct tcp_info of Linux 6.1; times in microseconds or, where their names begin with last, milliseconds */
struct info {
	uint8_t state, ca_state, retransmits, probes, backoff, options, scales, flags;
	uint32_t rto, ato, snd_mss, rcv_mss;
	uint32_t unacked, sacked, lost, retrans, fackets;
	uint32_t last_data_sent, last_ack_sent, last_data_recv, last_ack_recv;
	uint32_t pmtu, rcv_ssthresh, rtt, rttvar, snd_ssthresh, snd_cwnd, advmss, reordering;
	uint32_t rcv_rtt, rcv_space, total_retrans;
	uint64_t pacing_rate, max_pacing_rate, bytes_acked, bytes_received;
	uint32_t segs_out, segs_in, notsent_bytes, min_rtt, data_segs_in, data_segs_out;
	uint64_t delivery_rate, busy_time, rwnd_limited, sndbuf_limited;
	uint32_t delivered, delivered_ce;
	uint64_t bytes_sent, bytes_retrans;
	uint32_t dsack_dups, reord_seen, rcv_ooopack, snd_wnd;
};

_Static_assert(sizeof(struct info) == 232, "struct tcp_info");

static uint32_t ms_since(uint64_t then_ns)
{
	return (uint32_t)((vclock_now() - then_ns) / NS_PER_MS);
}

static void describe_path(const struct socket *socket, struct info *info)
{
	bool is_v4 = inet_address_is_v4(&socket->inet.remote);
	info->options = OPTIONS;
	info->scales = WINDOW_SCALE << 4 | WINDOW_SCALE;
	info->rto = RTO_US;
	info->rtt = info->min_rtt = info->rcv_rtt = RTT_US;
	info->rttvar = RTT_US / 2;
	info->snd_mss = info->rcv_mss = MSS_LOOPBACK;
	info->pmtu = is_v4 ? MTU_V4 : MTU_V6;
	info->advmss = info->pmtu - (is_v4 ? V4_HEADERS : V6_HEADERS);
	info->rcv_space = info->rcv_ssthresh = info->snd_wnd = WINDOW_BYTES;
}

static void count_traffic(const struct socket *socket, struct info *info)
{
	const struct inet_traffic *traffic = &socket->inet.traffic;
	uint32_t unsent = (uint32_t)inet_unsent(socket);
	info->last_data_sent = ms_since(traffic->sent_ns);
	info->last_data_recv = ms_since(traffic->received_ns);
	info->last_ack_recv = info->last_data_sent;
	info->notsent_bytes = unsent;
	info->bytes_sent = traffic->sent_bytes - unsent;
	info->bytes_acked = info->bytes_sent + socket->inet.is_opener + socket->inet.has_finished;
	info->bytes_received = traffic->received_bytes + socket->ended;
	info->data_segs_out = info->delivered = traffic->sent_pieces;
	info->data_segs_in = traffic->received_pieces;
	info->segs_out = HANDSHAKE + traffic->sent_pieces + traffic->received_pieces;
	info->segs_in = HANDSHAKE - 1 + traffic->sent_pieces + traffic->received_pieces;
}

void inet_info_get(const struct socket *socket, void *value, int *bytes)
{
	struct info info = {.state = (uint8_t)socket->inet.tcp, .snd_cwnd = CWND};
	bool has_path = socket->inet.connection && socket->inet.tcp != LINUX_TCP_SYN_SENT;
	info.pacing_rate = info.max_pacing_rate = UINT64_MAX;
	if (socket->inet.tcp != LINUX_TCP_LISTEN) {
		info.rto = FIRST_RTO_US;
		info.rttvar = FIRST_RTO_US / 4;
		info.snd_mss = info.rcv_mss = MSS_UNCONNECTED;
		info.snd_ssthresh = SSTHRESH;
		info.reordering = REORDERING;
	}
	if (has_path) {
		describe_path(socket, &info);
		count_traffic(socket, &info);
	}
	*bytes = *bytes < (int)sizeof(info) ? *bytes : (int)sizeof(info);
	memcpy(value, &info, (size_t)*bytes);
}
