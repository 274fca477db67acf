/* SPDX-License-Identifier: MIT */
/* The options of the network: --net, --publish and --net-time. On an error they print a message and end eremite. */
#ifndef HYPERVISOR_NET_OPTION_H
#define HYPERVISOR_NET_OPTION_H

#include "run/run.h"

/** --net none|host[:allow=LIST][:deny=LIST] */
void net_option_net(struct net_config *net, const char *text);

/** Reads the lists of --net, and looks their names up. Not for a replay, which reaches nothing. */
void net_option_rules(struct net_config *net);

/** --publish [ADDRESS:]HOSTPORT:GUESTPORT[/udp] */
void net_option_publish(struct net_config *net, const char *text);

/** --replay-miss stop|refuse|passthrough|record-new */
void net_option_miss(struct net_config *net, const char *text);

/** Says at the end of a run what the recording lacked. */
void net_option_say_missed(const struct net_misses *misses);

/** --net-time wall|jump */
void net_option_time(struct net_config *net, const char *text);

/** --net-fault FAULT=RATE,...,delay=A..B,partition=A..B,seed=N */
void net_option_fault(struct boot_faults *faults, const char *text);

/** Says once, at the end of a run, which addresses the program could not reach, and what to type; nothing if verbosity
 * is negative. */
void net_option_say_unreachable(const struct net_config *net, const struct run_result *result, int verbosity);

#endif
