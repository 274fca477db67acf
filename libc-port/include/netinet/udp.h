/* SPDX-License-Identifier: MIT */
/* UDP's socket options with Linux's numbers (udp(7)). */
#ifndef _NETINET_UDP_H
#define _NETINET_UDP_H

#define UDP_CORK 1
#define UDP_SEGMENT 103
#define UDP_GRO 104
#define SOL_UDP 17

#endif
