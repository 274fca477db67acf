/* SPDX-License-Identifier: MIT */
/* Names of hosts and services: localhost without a file, /etc/hosts, and a name server that is a thread of this
 * program.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

static void look(const char *node, const char *service, int family, int flags)
{
	struct addrinfo hints = {.ai_family = family, .ai_socktype = SOCK_STREAM, .ai_flags = flags}, *list;
	int error = getaddrinfo(node, service, &hints, &list);
	printf("%s %s %d:", node ? node : "-", service ? service : "-", family);
	if (error) {
		printf(" %s\n", gai_strerror(error));
		return;
	}
	for (struct addrinfo *at = list; at; at = at->ai_next) {
		char host[NI_MAXHOST], port[NI_MAXSERV];
		getnameinfo(at->ai_addr, at->ai_addrlen, host, sizeof(host), port, sizeof(port),
		            NI_NUMERICHOST | NI_NUMERICSERV);
		printf(" %s %s", host, port);
	}
	printf("%s%s\n", list->ai_canonname ? " is " : "", list->ai_canonname ? list->ai_canonname : "");
	freeaddrinfo(list);
}

static void name(const char *text, int port, int flags)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
	char host[NI_MAXHOST] = "", service[NI_MAXSERV] = "";
	int is_v4 = inet_pton(AF_INET, text, &v4.sin_addr);
	if (!is_v4)
		inet_pton(AF_INET6, text, &v6.sin6_addr);
	int error = is_v4 ? getnameinfo((struct sockaddr *)&v4, sizeof(v4), host, sizeof(host), service,
	                                sizeof(service), flags)
	                  : getnameinfo((struct sockaddr *)&v6, sizeof(v6), host, sizeof(host), service,
	                                sizeof(service), flags);
	printf("%s %d: %s %s %s\n", text, port, error ? gai_strerror(error) : "", host, service);
}

/* What the name server knows: a question's name and record, and the answer's records. A pointer leads to the question.
 */
static const struct {
	const char *question;
	int record, code, records;
	const char *answer;
	int bytes;
} known[] = {
#define KNOWN(question, record, code, records, answer) \
	{ \
		question, record, code, records, answer, sizeof(answer) - 1 \
	}
	KNOWN("\3www\7example", 1, 0, 2,
              "\xc0\x0c\0\5\0\1\0\0\0\1\0\7\4real\xc0\x10"
              "\4real\xc0\x10\0\1\0\1\0\0\0\1\0\4\xc0\0\2\7"),
	KNOWN("\3www\7example", 28, 0, 2,
              "\xc0\x0c\0\5\0\1\0\0\0\1\0\7\4real\xc0\x10"
              "\4real\xc0\x10\0\x1c\0\1\0\0\0\1\0\x10\x20\1\xd\xb8\0\0\0\0\0\0\0\0\0\0\0\7"),
	KNOWN("\4four\7example", 1, 0, 1, "\xc0\x0c\0\1\0\1\0\0\0\1\0\4\x7f\0\0\2"),
	KNOWN("\4four\7example", 28, 0, 0, ""),
	KNOWN("\5short\6domain", 1, 0, 1, "\xc0\x0c\0\1\0\1\0\0\0\1\0\4\x7f\0\0\3"),
	KNOWN("\5short\6domain", 28, 0, 0, ""),
	KNOWN("\4loop\7example", 1, 0, 1, "\xc0\x2b\0\1\0\1\0\0\0\1\0\4\x7f\0\0\3"),
	KNOWN("\4fail\7example", 1, 2, 0, ""),
	KNOWN("\0017\0012\0010\003192\7in-addr\4arpa", 12, 0, 1, "\xc0\x0c\0\x0c\0\1\0\0\0\1\0\x0e\4real\7example\0"),
};

static void *serve(void *argument)
{
	int fd = *(int *)argument;
	uint8_t message[512];
	struct sockaddr_in from;
	for (;;) {
		socklen_t bytes = sizeof(from);
		long got = recvfrom(fd, message, sizeof(message), 0, (struct sockaddr *)&from, &bytes);
		if (got < 17)
			return NULL;
		message[2] |= 0x80;
		message[3] = 3;
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
			if (strcmp((char *)message + 12, known[i].question) != 0 || message[got - 3] != known[i].record)
				continue;
			message[3] = (uint8_t)known[i].code;
			message[7] = (uint8_t)known[i].records;
			memcpy(message + got, known[i].answer, (size_t)known[i].bytes);
			got += known[i].bytes;
			break;
		}
		sendto(fd, message, (size_t)got, 0, (struct sockaddr *)&from, bytes);
	}
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
}

static void ask_server(void)
{
	struct sockaddr_in own = {.sin_family = AF_INET, .sin_port = htons(53), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	pthread_t server;
	look("www.example", NULL, AF_INET, 0); /* nobody answers */
	SAY(bind(fd, (struct sockaddr *)&own, sizeof(own)));
	pthread_create(&server, NULL, serve, &fd);
	look("www.example", "80", AF_UNSPEC, AI_CANONNAME);
	look("www.example.", "80", AF_INET, 0);
	look("four.example", "80", AF_UNSPEC, 0);
	look("four.example", "80", AF_INET6, 0);
	look("four.example", "80", AF_INET6, AI_V4MAPPED);
	look("no.example", "80", AF_UNSPEC, 0);
	look("loop.example", "80", AF_INET, 0);
	look("fail.example", "80", AF_INET, 0);
	look("short", "80", AF_UNSPEC, 0);
	write_file("/etc/resolv.conf",
	           "# of this test\nnameserver 127.0.0.1\nsearch example domain\noptions ndots:2\n");
	look("short", "80", AF_UNSPEC, 0);
	look("four.example", "80", AF_INET, 0);
	name("192.0.2.7", 80, 0);
	name("192.0.2.8", 80, 0);
	name("192.0.2.8", 80, NI_NAMEREQD);
	struct hostent *host = gethostbyname("www.example");
	printf("%s %s\n", host->h_name, inet_ntoa(*(struct in_addr *)host->h_addr));
	SAY(!gethostbyname("no.example"));
	printf("%s\n", hstrerror(h_errno));
	sendto(fd, "", 0, 0, (struct sockaddr *)&own, sizeof(own));
	pthread_join(server, NULL);
	close(fd);
}

int main(void)
{
	mkdir("/etc", 0755);
	look("localhost", "80", AF_UNSPEC, 0);
	look("LOCALHOST", "http", AF_INET, AI_CANONNAME);
	look("localhost", "80", AF_INET6, 0);
	look(NULL, "8080", AF_UNSPEC, 0);
	look(NULL, "8080", AF_UNSPEC, AI_PASSIVE);
	look("127.0.0.1", "none-such", AF_INET, 0);
	look("127.0.0.1", "80", AF_INET6, AI_V4MAPPED);
	name("127.0.0.1", 443, 0);
	name("::1", 53, NI_DGRAM);
	name("::1", 12345, NI_NUMERICHOST);
	ask_server();
	write_file("/etc/hosts",
	           "127.0.0.1 localhost\n# a comment\n10.0.2.15\tguest.internal  guest me # I\nfd00::15 guest\n");
	look("guest", "80", AF_UNSPEC, AI_CANONNAME);
	look("me", "80", AF_INET6, 0);
	look("localhost", "80", AF_UNSPEC, 0);
	name("10.0.2.15", 22, 0);
	const struct servent *service = getservbyname("imap", "tcp");
	printf("%s %s %d %s\n", service->s_name, service->s_aliases[0], ntohs(service->s_port), service->s_proto);
	SAY(!getservbyname("imap", "udp"));
	printf("%s %d\n", getservbyport(htons(123), NULL)->s_name, getprotobyname("udp")->p_proto);
	struct if_nameindex *names = if_nameindex();
	for (struct if_nameindex *at = names; at->if_index; at++)
		printf("%u %s\n", at->if_index, at->if_name);
	if_freenameindex(names);
	return 0;
}
