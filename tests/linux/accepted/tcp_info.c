/* SPDX-License-Identifier: MIT */
/* TCP_INFO (tcp(7)): counts, and which other numbers are not 0. The C library's structure lacks the newer ones. */
#include "tests/linux/accepted/accepted.h"

#include <linux/tcp.h>
#include <netinet/in.h>

void tcp_info_show(const struct kind *kind, enum state state)
{
	struct tcp_info info = {0};
	socklen_t bytes = sizeof(info);
	char room[16];
	struct pair pair;
	pair_make(kind, state, &pair);
	if (pair.peer >= 0) {
		send(pair.own, "hello", 5, 0);
		send(pair.peer, "hi", 2, 0);
		recv(pair.peer, room, sizeof(room), MSG_DONTWAIT);
	}
	printf("%s %s effect TCP_INFO\t%s", kind->name, state_names[state],
	       result_of(getsockopt(pair.own, IPPROTO_TCP, TCP_INFO, &info, &bytes)));
	printf(" state %d ca %d retransmits %d options 0x%x unacked %u lost %u retrans %u", info.tcpi_state,
	       info.tcpi_ca_state, info.tcpi_retransmits, info.tcpi_options, info.tcpi_unacked, info.tcpi_lost,
	       info.tcpi_total_retrans);
	printf(" rto %d rtt %d rttvar %d ssthresh %d cwnd %d mss %d %d pmtu %d window %d scale %d %d\n",
	       info.tcpi_rto != 0, info.tcpi_rtt != 0, info.tcpi_rttvar != 0, info.tcpi_snd_ssthresh > 1000,
	       info.tcpi_snd_cwnd != 0, info.tcpi_snd_mss != 0, info.tcpi_advmss, info.tcpi_pmtu,
	       info.tcpi_rcv_space != 0, info.tcpi_snd_wscale != 0, info.tcpi_rcv_wscale != 0);
	printf("%s %s effect TCP_INFO bytes\tacked %llu received %llu sent %llu segments %d %d data %u %u unsent %u\n",
	       kind->name, state_names[state], (unsigned long long)info.tcpi_bytes_acked,
	       (unsigned long long)info.tcpi_bytes_received, (unsigned long long)info.tcpi_bytes_sent,
	       info.tcpi_segs_out != 0, info.tcpi_segs_in != 0, info.tcpi_data_segs_in, info.tcpi_data_segs_out,
	       info.tcpi_notsent_bytes);
	pair_close(&pair);
}
