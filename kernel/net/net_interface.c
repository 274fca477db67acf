/* SPDX-License-Identifier: MIT */
/* The interfaces are the same in every run; nothing of the host's shows. */
#include "kernel/net/net_interface.h"

#include "abi/errno.h"
#include "abi/linux_socket.h"
#include "kernel/arch/uaccess.h"
#include "kernel/lib/string.h"

#define SIOCGIFNAME 0x8910
#define SIOCGIFCONF 0x8912
#define SIOCGIFFLAGS 0x8913
#define SIOCGIFDSTADDR 0x8917
#define SIOCGIFADDR 0x8915
#define SIOCGIFBRDADDR 0x8919
#define SIOCGIFNETMASK 0x891b
#define SIOCGIFMETRIC 0x891d
#define SIOCGIFMTU 0x8921
#define SIOCGIFHWADDR 0x8927
#define SIOCGIFINDEX 0x8933
#define SIOCGIFTXQLEN 0x8942
#define NAME_BYTES 16

const struct net_interface net_interfaces[NET_INTERFACES] = {
	{.name = "lo",
         .index = 1,
         .type = 772,
         .flags = 0x10049, /* UP, LOOPBACK, RUNNING, LOWER_UP */
         .mtu = 65536,
         .queue = 1000,
         .v4 = {127, 0, 0, 1},
         .v4_prefix = 8,
         .v6 = {[15] = 1},
         .v6_prefix = 128,
         .scope = 254},
	{.name = "eth0",
         .index = 2,
         .type = 1,
         .flags = 0x11043, /* UP, BROADCAST, RUNNING, MULTICAST, LOWER_UP */
         .mtu = 1500,
         .queue = 1000,
         .hardware = {2, 0, 0, 0, 0, 0x15},
         .hardware_broadcast = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
         .v4 = {10, 0, 2, 15},
         .v4_broadcast = {10, 0, 2, 255},
         .v4_prefix = 24,
         .v6 = {0xfd, [15] = 0x15},
         .v6_prefix = 64},
};

struct net_traffic net_traffic[NET_INTERFACES];

#define LO 0
#define ETH0 1
#define ETHERNET_BYTES 14
#define TCP_BYTES 32 /* a header with time stamps */
#define UDP_BYTES 8

/* Adds the packets and bytes of a payload. */
static void count_payload(int i, bool is_v6, bool is_stream, uint64_t payload, uint64_t *packets, uint64_t *bytes)
{
	uint64_t headers = (is_v6 ? 40 : 20) + (is_stream ? TCP_BYTES : UDP_BYTES);
	uint64_t segment = net_interfaces[i].mtu - headers;
	uint64_t count = is_stream && payload > segment ? (payload + segment - 1) / segment : 1;
	*packets += count;
	*bytes += payload + count * (headers + (i == ETH0 ? ETHERNET_BYTES : 0)); /* lo counts from the IP header on */
}

void net_interface_count_sent(bool is_outside, bool is_v6, bool is_stream, uint64_t bytes)
{
	int i = is_outside ? ETH0 : LO;
	struct net_traffic *traffic = &net_traffic[i];
	count_payload(i, is_v6, is_stream, bytes, &traffic->sent_packets, &traffic->sent_bytes);
	if (!is_outside)
		count_payload(i, is_v6, is_stream, bytes, &traffic->received_packets, &traffic->received_bytes);
}

void net_interface_count_received(bool is_v6, bool is_stream, uint64_t bytes)
{
	struct net_traffic *traffic = &net_traffic[ETH0];
	count_payload(ETH0, is_v6, is_stream, bytes, &traffic->received_packets, &traffic->received_bytes);
}

/* struct ifreq */
struct request {
	char name[NAME_BYTES];
	union {
		struct linux_sockaddr_in address;
		struct {
			uint16_t type;
			uint8_t bytes[14];
		} hardware;
		int32_t number;
		int16_t flags;
		uint8_t all[24];
	};
};

_Static_assert(sizeof(struct request) == 40, "struct ifreq");

static void set_address(struct request *request, const uint8_t *bytes)
{
	request->address = (struct linux_sockaddr_in){.sin_family = LINUX_AF_INET};
	memcpy(&request->address.sin_addr, bytes, sizeof(request->address.sin_addr));
}

/* SIOCGIFCONF: all interfaces that have an address, as many as fit. */
static long list_interfaces(void *arg)
{
	struct {
		int32_t bytes, pad;
		uint64_t requests;
	} config;
	if (copy_from_user(&config, arg, sizeof(config)))
		return -EFAULT;
	int32_t room = config.bytes;
	config.bytes = 0;
	for (int i = 0; i < NET_INTERFACES; i++) {
		struct request request = {.number = 0};
		if (config.requests && room - config.bytes < (int32_t)sizeof(request))
			break;
		memcpy(request.name, net_interfaces[i].name, strlen(net_interfaces[i].name));
		set_address(&request, net_interfaces[i].v4);
		if (config.requests && copy_to_user((char *)config.requests + config.bytes, &request, sizeof(request)))
			return -EFAULT;
		config.bytes += (int32_t)sizeof(request);
	}
	return copy_to_user(arg, &config, sizeof(config));
}

static const struct net_interface *find_interface(unsigned long code, const struct request *request)
{
	for (int i = 0; i < NET_INTERFACES; i++)
		if (code == SIOCGIFNAME ? net_interfaces[i].index == request->number
		                        : !strcmp(net_interfaces[i].name, request->name))
			return &net_interfaces[i];
	return NULL;
}

/* Answers a request about one interface. Returns 0 or -ENOTTY. */
static int answer_ioctl(unsigned long code, const struct net_interface *about, struct request *request)
{
	const uint32_t mask = __builtin_bswap32(~0U << (32 - about->v4_prefix));
	switch (code) {
	case SIOCGIFNAME:
		memset(request->name, 0, sizeof(request->name));
		memcpy(request->name, about->name, strlen(about->name));
		return 0;
	case SIOCGIFFLAGS:
		request->flags = (int16_t)about->flags;
		return 0;
	case SIOCGIFADDR:
		set_address(request, about->v4);
		return 0;
	case SIOCGIFBRDADDR:
		set_address(request, about->v4_broadcast);
		return 0;
	case SIOCGIFNETMASK:
		set_address(request, (const uint8_t *)&mask);
		return 0;
	case SIOCGIFHWADDR:
		memset(request->all, 0, sizeof(request->all));
		request->hardware.type = about->type;
		memcpy(request->hardware.bytes, about->hardware, sizeof(about->hardware));
		return 0;
	case SIOCGIFMETRIC:
		request->number = 0;
		return 0;
	case SIOCGIFMTU:
		request->number = (int32_t)about->mtu;
		return 0;
	case SIOCGIFINDEX:
		request->number = about->index;
		return 0;
	case SIOCGIFTXQLEN:
		request->number = (int32_t)about->queue;
		return 0;
	default:
		return -ENOTTY;
	}
}

bool net_interface_is_inet(unsigned long code)
{
	return code == SIOCGIFADDR || code == SIOCGIFDSTADDR || code == SIOCGIFBRDADDR || code == SIOCGIFNETMASK;
}

long net_interface_ioctl(unsigned long code, void *arg)
{
	struct request request;
	if (code == SIOCGIFCONF)
		return list_interfaces(arg);
	if (code < SIOCGIFNAME || code > SIOCGIFTXQLEN)
		return -ENOTTY;
	if (copy_from_user(&request, arg, sizeof(request)))
		return -EFAULT;
	request.name[NAME_BYTES - 1] = '\0';
	if (answer_ioctl(code, &net_interfaces[0], &(struct request){0}) == -ENOTTY)
		return -ENOTTY;
	const struct net_interface *about = find_interface(code, &request);
	if (!about)
		return -ENODEV;
	int error = answer_ioctl(code, about, &request);
	return error ? error : copy_to_user(arg, &request, sizeof(request));
}
