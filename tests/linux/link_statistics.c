/* SPDX-License-Identifier: MIT */
/* Netlink's statistics of lo: both sizes are there, and a datagram and a stream through lo are counted on both sides.
 */
#include <arpa/inet.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAYLOAD 1000
#define HEADERS 28 /* of IP and UDP; lo does not count that of Ethernet */

static struct rtnl_link_stats64 wide;

/* Asks for all links and takes the statistics of lo. */
static void ask(int print)
{
	struct {
		struct nlmsghdr head;
		struct ifinfomsg info;
	} request = {{sizeof(request), RTM_GETLINK, NLM_F_REQUEST | NLM_F_DUMP, 1, 0}, {.ifi_family = AF_UNSPEC}};
	static char answer[65536];
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE), done = 0;
	send(fd, &request, sizeof(request), 0);
	while (!done) {
		int bytes = (int)recv(fd, answer, sizeof(answer), 0);
		for (struct nlmsghdr *each = (void *)answer; NLMSG_OK(each, bytes); each = NLMSG_NEXT(each, bytes)) {
			struct ifinfomsg *info = NLMSG_DATA(each);
			int left = (int)IFLA_PAYLOAD(each);
			done |= each->nlmsg_type == NLMSG_DONE;
			if (each->nlmsg_type != RTM_NEWLINK || info->ifi_index != 1)
				continue;
			for (struct rtattr *at = IFLA_RTA(info); RTA_OK(at, left); at = RTA_NEXT(at, left)) {
				if (at->rta_type == IFLA_STATS64)
					memcpy(&wide, RTA_DATA(at), 24 * 8);
				if (print && at->rta_type == IFLA_STATS64)
					printf("IFLA_STATS64: 24 counters %d\n", RTA_PAYLOAD(at) >= 24 * 8);
				if (print && at->rta_type == IFLA_STATS)
					printf("IFLA_STATS: 23 counters %d\n", RTA_PAYLOAD(at) >= 23 * 4);
			}
		}
	}
	close(fd);
}

static void compare(const char *what, const struct rtnl_link_stats64 *before)
{
	ask(0);
	printf("%s: received %d, sent %d, bytes %d %d\n", what, wide.rx_packets > before->rx_packets,
	       wide.tx_packets > before->tx_packets, wide.rx_bytes >= before->rx_bytes + PAYLOAD + HEADERS,
	       wide.tx_bytes >= before->tx_bytes + PAYLOAD + HEADERS);
}

int main(void)
{
	static char data[PAYLOAD];
	struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t bytes = sizeof(name);
	ask(1);
	struct rtnl_link_stats64 before = wide;
	int to = socket(AF_INET, SOCK_DGRAM, 0), from = socket(AF_INET, SOCK_DGRAM, 0);
	bind(to, (void *)&name, sizeof(name));
	getsockname(to, (void *)&name, &bytes);
	sendto(from, data, sizeof(data), 0, (void *)&name, sizeof(name));
	printf("came: %zd\n", recv(to, data, sizeof(data), 0));
	compare("datagram", &before);

	before = wide;
	name.sin_port = 0;
	int listener = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
	bind(listener, (void *)&name, sizeof(name));
	listen(listener, 1);
	getsockname(listener, (void *)&name, &bytes);
	connect(client, (void *)&name, sizeof(name));
	int server = accept(listener, NULL, NULL);
	send(client, data, sizeof(data), 0);
	printf("came: %zd\n", recv(server, data, sizeof(data), MSG_WAITALL));
	compare("stream", &before);
	return 0;
}
