/* SPDX-License-Identifier: MIT */
#include "net/net_limits.h"

#include <sys/resource.h>

#include "abi/network.h"

#define FLOWS_MAX 65536U
#define FLOW_BYTES 32768U       /* of the guest's memory that a connection may take, with its minimal window */
#define WINDOW_PRESSURE 65536UL /* bytes: a TLS record, or a request of any usual server */
#define WINDOW_LEAST 4096UL     /* bytes, as the least of Linux's tcp_rmem */
#define RESERVE_MOST 256U /* descriptors that a run opens beside its connections: a dozen, and a few for each tree */

uint64_t net_limits_files(void)
{
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files))
		return RESERVE_MOST;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	return files.rlim_cur;
}

void net_limits_init(struct net_limits *limits, uint64_t ram_bytes, uint64_t files, unsigned used)
{
	uint64_t reserve = files / 2 < RESERVE_MOST ? files / 2 : RESERVE_MOST;
	uint64_t room = files > used + reserve ? files - used - reserve : 1;
	uint64_t flows = ram_bytes / FLOW_BYTES;
	*limits = (struct net_limits){
		.sockets_max = room < FLOWS_MAX ? (unsigned)room : FLOWS_MAX,
		.flows_max = flows < FLOWS_MAX ? (unsigned)flows : FLOWS_MAX,
		.pressure_bytes = ram_bytes / 16, /* as Linux sets tcp_mem */
		.most_bytes = ram_bytes / 32 * 3,
	};
}

uint64_t net_limits_window(const struct net_limits *limits)
{
	return limits->untaken < limits->pressure_bytes ? NETWORK_WINDOW
	       : limits->untaken < limits->most_bytes   ? WINDOW_PRESSURE
	                                                : WINDOW_LEAST;
}

void net_limits_give(struct net_limits *limits, uint64_t bytes)
{
	limits->untaken += bytes;
}

bool net_limits_take(struct net_limits *limits, uint64_t bytes)
{
	bool resumes;
	limits->untaken -= bytes;
	/* Below three quarters only, so that all connections are not looked at after each few bytes. */
	resumes = limits->holds_back && limits->untaken < limits->pressure_bytes / 4 * 3;
	limits->holds_back = limits->holds_back && !resumes;
	return resumes;
}
