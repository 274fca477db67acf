/* SPDX-License-Identifier: MIT */
/* /proc/PID/net, and the interfaces in /sys/class/net. Packets and bytes of the interfaces are counted;
 * errors, losses and the counters of protocols are 0. */
#include "kernel/lib/string.h"
#include "kernel/linux/proc/proc_net.h"
#include "kernel/net/inet_closed.h"
#include "kernel/net/net_interface.h"
#include "kernel/net/outside/outside.h"

#define ROUTE_BYTES 127 /* of a line of routes */

/* --- interfaces and routes --- */

static void pad_interface(struct text *text, size_t start, size_t bytes)
{
	while (!text->error && text->bytes - start < bytes)
		text_add(text, " ", 1);
	text_add(text, "\n", 1);
}

static int dev(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "Inter-|   Receive                                                |  Transmit\n"
	                 " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop "
	                 "fifo colls carrier compressed\n");
	for (int i = 0; i < NET_INTERFACES; i++) {
		const struct net_traffic *traffic = &net_traffic[i];
		text_print(text,
		           "%6s: %7lu %7lu    0    0    0     0          0         0 %8lu %7lu    0    0    0     0    "
		           "   0          0\n",
		           net_interfaces[i].name, traffic->received_bytes, traffic->received_packets,
		           traffic->sent_bytes, traffic->sent_packets);
	}
	return text->error;
}

/* Neighbours can be reached, and the outside by --net, both by eth0; loopback has no routes here. */
static int route(const struct proc_object *object, struct text *text)
{
	(void)object;
	size_t start = text->bytes;
	text_print(text, "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT");
	pad_interface(text, start, ROUTE_BYTES);
	start = text->bytes;
	if (outside_is_open()) {
		text_print(text, "eth0\t00000000\t0202000A\t0003\t0\t0\t0\t00000000\t0\t0\t0");
		pad_interface(text, start, ROUTE_BYTES);
		start = text->bytes;
	}
	text_print(text, "eth0\t0002000A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0");
	pad_interface(text, start, ROUTE_BYTES);
	return text->error;
}

static int if_inet6(const struct proc_object *object, struct text *text)
{
	(void)object;
	for (int i = 0; i < NET_INTERFACES; i++) {
		const struct net_interface *about = &net_interfaces[i];
		for (unsigned j = 0; j < sizeof(about->v6); j++)
			text_print(text, "%02x", about->v6[j]);
		text_print(text, " %02x %02x %s 80 %8s\n", about->index, about->v6_prefix, about->scope ? "10" : "00",
		           about->name);
	}
	return text->error;
}

/* Destination, source, next hop, metric, references, use, flags, interface. */
static int ipv6_route(const struct proc_object *object, struct text *text)
{
	(void)object;
	for (int i = 0; i < NET_INTERFACES; i++) {
		const struct net_interface *about = &net_interfaces[i];
		unsigned bytes = about->v6_prefix / 8U;
		for (unsigned j = 0; j < sizeof(about->v6); j++)
			text_print(text, "%02x", j < bytes ? about->v6[j] : 0);
		text_print(text, " %02x %032x 00 %032x 00000100 00000001 00000000 00000001 %8s\n", about->v6_prefix, 0,
		           0, about->name);
	}
	return text->error;
}

/* --- counts --- */

/* Counts the open internet sockets of a family, a type, and, for TCP, a state (0: any but CLOSE). */
static unsigned count_sockets(int domain, int type, int tcp)
{
	unsigned number = 0;
	for (const struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket)) {
		int state = socket->inet.tcp;
		bool is_meant = type == LINUX_SOCK_DGRAM || (tcp ? state == tcp : state != LINUX_TCP_CLOSE);
		number += !socket->dead && socket->domain == domain && socket->type == type && is_meant;
	}
	return number;
}

static int sockstat(const struct proc_object *object, struct text *text)
{
	unsigned used = 0, closed = 0, tcp = count_sockets(LINUX_AF_INET, LINUX_SOCK_STREAM, 0);
	(void)object;
	for (const struct socket *socket = socket_next(NULL); socket; socket = socket_next(socket))
		used += !socket->dead;
	for (const struct inet_closed *each = inet_closed_next(NULL); each; each = inet_closed_next(each))
		closed++;
	text_print(text, "sockets: used %u\nTCP: inuse %u orphan 0 tw %u alloc %u mem 0\n", used, tcp, closed,
	           tcp + count_sockets(LINUX_AF_INET6, LINUX_SOCK_STREAM, 0));
	text_print(text, "UDP: inuse %u mem 0\nUDPLITE: inuse 0\nRAW: inuse 0\nFRAG: inuse 0 memory 0\n",
	           count_sockets(LINUX_AF_INET, LINUX_SOCK_DGRAM, 0));
	return text->error;
}

static int sockstat6(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_print(text, "TCP6: inuse %u\nUDP6: inuse %u\nUDPLITE6: inuse 0\nRAW6: inuse 0\nFRAG6: inuse 0 memory 0\n",
	           count_sockets(LINUX_AF_INET6, LINUX_SOCK_STREAM, 0),
	           count_sockets(LINUX_AF_INET6, LINUX_SOCK_DGRAM, 0));
	return text->error;
}

static unsigned established(void)
{
	return count_sockets(LINUX_AF_INET, LINUX_SOCK_STREAM, LINUX_TCP_ESTABLISHED) +
	       count_sockets(LINUX_AF_INET6, LINUX_SOCK_STREAM, LINUX_TCP_ESTABLISHED) +
	       count_sockets(LINUX_AF_INET, LINUX_SOCK_STREAM, LINUX_TCP_CLOSE_WAIT) +
	       count_sockets(LINUX_AF_INET6, LINUX_SOCK_STREAM, LINUX_TCP_CLOSE_WAIT);
}

#define SNMP_IP \
	"Ip: Forwarding DefaultTTL InReceives InHdrErrors InAddrErrors ForwDatagrams InUnknownProtos InDiscards " \
	"InDelivers " \
	"OutRequests OutDiscards OutNoRoutes ReasmTimeout ReasmReqds ReasmOKs ReasmFails FragOKs FragFails " \
	"FragCreates\n" \
	"Ip: 2 64 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n" \
	"Icmp: InMsgs InErrors InCsumErrors InDestUnreachs InTimeExcds InParmProbs InSrcQuenchs InRedirects InEchos " \
	"InEchoReps InTimestamps InTimestampReps InAddrMasks InAddrMaskReps OutMsgs OutErrors OutDestUnreachs " \
	"OutTimeExcds " \
	"OutParmProbs OutSrcQuenchs OutRedirects OutEchos OutEchoReps OutTimestamps OutTimestampReps OutAddrMasks " \
	"OutAddrMaskReps\nIcmp: 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n"
#define UDP_NAMES \
	"InDatagrams NoPorts InErrors OutDatagrams RcvbufErrors SndbufErrors InCsumErrors IgnoredMulti MemErrors\n"
#define SNMP_UDP "Udp: " UDP_NAMES "Udp: 0 0 0 0 0 0 0 0 0\nUdpLite: " UDP_NAMES "UdpLite: 0 0 0 0 0 0 0 0 0\n"

/* Of the values only CurrEstab is not fixed. */
static int snmp(const struct proc_object *object, struct text *text)
{
	(void)object;
	text_add(text, SNMP_IP, strlen(SNMP_IP));
	text_print(
		text,
		"Tcp: RtoAlgorithm RtoMin RtoMax MaxConn ActiveOpens PassiveOpens AttemptFails EstabResets CurrEstab "
		"InSegs OutSegs RetransSegs InErrs OutRsts InCsumErrors\nTcp: 1 200 120000 -1 0 0 0 0 %u 0 0 0 0 0 0\n",
		established());
	text_add(text, SNMP_UDP, strlen(SNMP_UDP));
	return text->error;
}

#define NETSTAT \
	"TcpExt: SyncookiesSent SyncookiesRecv SyncookiesFailed TW ListenOverflows ListenDrops\nTcpExt: 0 0 0 0 0 0\n" \
	"IpExt: InNoRoutes InTruncatedPkts InMcastPkts OutMcastPkts InBcastPkts OutBcastPkts InOctets OutOctets\n" \
	"IpExt: 0 0 0 0 0 0 0 0\n"

static const struct proc_entry net_table[] = {
	PROC_TEXT("tcp", proc_net_tcp),
	PROC_TEXT("tcp6", proc_net_tcp6),
	PROC_TEXT("udp", proc_net_udp),
	PROC_TEXT("udp6", proc_net_udp6),
	PROC_TEXT("unix", proc_net_unix),
	PROC_TEXT("dev", dev),
	PROC_TEXT("route", route),
	PROC_TEXT("ipv6_route", ipv6_route),
	PROC_TEXT("if_inet6", if_inet6),
	PROC_FIXED("arp", "IP address       HW type     Flags       HW address            Mask     Device\n"),
	PROC_TEXT("snmp", snmp),
	PROC_FIXED("netstat", NETSTAT),
	PROC_TEXT("sockstat", sockstat),
	PROC_TEXT("sockstat6", sockstat6),
	{0},
};

int proc_net_refresh(struct inode *dir, const char *name, size_t length)
{
	(void)name, (void)length;
	/* Only when they are looked for: each process has a directory. They are the system's, and so belong to root. */
	return dir->dir.first ? 0 : proc_add_all(dir, net_table, 0, 0);
}

/* --- /sys/class/net --- */

#define STATISTIC(function, number, member) \
	static int function(const struct proc_object *object, struct text *text) \
	{ \
		(void)object; \
		text_print(text, "%lu\n", net_traffic[number].member); \
		return text->error; \
	}

STATISTIC(lo_rx_bytes, 0, received_bytes)
STATISTIC(lo_rx_packets, 0, received_packets)
STATISTIC(lo_tx_bytes, 0, sent_bytes)
STATISTIC(lo_tx_packets, 0, sent_packets)
STATISTIC(eth0_rx_bytes, 1, received_bytes)
STATISTIC(eth0_rx_packets, 1, received_packets)
STATISTIC(eth0_tx_bytes, 1, sent_bytes)
STATISTIC(eth0_tx_packets, 1, sent_packets)
#undef STATISTIC

#define AT(interface) "devices/virtual/net/" interface "/"
#define ZERO(interface, name) PROC_FIXED(AT(interface) "statistics/" name, "0\n")
#define COUNTER(interface, symbol, name) PROC_TEXT(AT(interface) "statistics/" #name, symbol##_##name)
#define INTERFACE(interface, symbol, index, hardware, broadcast, mtu, flags, type, state) \
	PROC_DIRECTORY("devices/virtual/net/" interface, 0755, NULL), \
		PROC_FIXED(AT(interface) "address", hardware "\n"), PROC_FIXED(AT(interface) "addr_len", "6\n"), \
		PROC_FIXED(AT(interface) "broadcast", broadcast "\n"), \
		PROC_TUNABLE(AT(interface) "carrier", "1\n", NULL), PROC_FIXED(AT(interface) "dev_id", "0x0\n"), \
		PROC_FIXED(AT(interface) "dormant", "0\n"), PROC_TUNABLE(AT(interface) "flags", flags "\n", NULL), \
		PROC_FIXED(AT(interface) "ifindex", index "\n"), PROC_FIXED(AT(interface) "iflink", index "\n"), \
		PROC_TUNABLE(AT(interface) "mtu", mtu "\n", NULL), PROC_FIXED(AT(interface) "operstate", state "\n"), \
		PROC_TUNABLE(AT(interface) "tx_queue_len", "1000\n", NULL), \
		PROC_FIXED(AT(interface) "type", type "\n"), \
		PROC_TUNABLE(AT(interface) "uevent", "INTERFACE=" interface "\nIFINDEX=" index "\n", NULL), \
		PROC_DIRECTORY(AT(interface) "statistics", 0755, NULL), COUNTER(interface, symbol, rx_bytes), \
		ZERO(interface, "rx_dropped"), ZERO(interface, "rx_errors"), COUNTER(interface, symbol, rx_packets), \
		COUNTER(interface, symbol, tx_bytes), ZERO(interface, "tx_dropped"), ZERO(interface, "tx_errors"), \
		COUNTER(interface, symbol, tx_packets), \
		PROC_LINK("class/net/" interface, "../../devices/virtual/net/" interface)

/* As net_interfaces has them. */
const struct proc_entry proc_interface_table[] = {
	PROC_DIRECTORY("class", 0755, NULL),
	PROC_DIRECTORY("class/net", 0755, NULL),
	PROC_DIRECTORY("devices/virtual", 0755, NULL),
	PROC_DIRECTORY("devices/virtual/net", 0755, NULL),
	INTERFACE("lo", lo, "1", "00:00:00:00:00:00", "00:00:00:00:00:00", "65536", "0x9", "772", "unknown"),
	INTERFACE("eth0", eth0, "2", "02:00:00:00:00:15", "ff:ff:ff:ff:ff:ff", "1500", "0x1003", "1", "up"),
	{0},
};
