/* SPDX-License-Identifier: MIT */
/* Addresses written as numbers, which need no network, and the words for errors. */
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include "say.h"

static void look(const char *node, const char *service, int family, int type)
{
	struct addrinfo hints = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV, .ai_family = family, .ai_socktype = type};
	struct addrinfo *list = NULL;
	int error = getaddrinfo(node, service, &hints, &list);
	printf("%s %s %d %d: %d %s\n", node, service, family, type, error, error ? gai_strerror(error) : "");
	if (error)
		return;
	for (struct addrinfo *at = list; at; at = at->ai_next) {
		char host[NI_MAXHOST] = "", port[NI_MAXSERV] = "";
		error = getnameinfo(at->ai_addr, at->ai_addrlen, host, sizeof(host), port, sizeof(port),
		                    NI_NUMERICHOST | NI_NUMERICSERV);
		printf("  %d %d %d %d: %d %s %s\n", at->ai_family, at->ai_socktype, at->ai_protocol,
		       (int)at->ai_addrlen, error, host, port);
	}
	freeaddrinfo(list);
}

int main(void)
{
	static const char *const nodes[] = {"127.0.0.1", "10.1", "::1", "2001:db8::7", "host.invalid", "1.2.3.4.5", ""};
	static const int families[] = {AF_UNSPEC, AF_INET, AF_INET6};
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		for (int j = 0; j < 3; j++)
			look(nodes[i], "80", families[j], j == 1 ? 0 : SOCK_STREAM);
	look("127.0.0.1", "http", AF_INET, SOCK_STREAM);
	look("127.0.0.1", "80", 99, SOCK_STREAM);
	struct hostent *host = gethostbyname("192.0.2.1");
	printf("%s %d %d %s\n", host->h_name, host->h_addrtype, host->h_length,
	       inet_ntoa(*(struct in_addr *)host->h_addr_list[0]));
	for (int error = -11; error < 0; error++) /* 0 has another text since glibc 2.41 */
		printf("%s\n", gai_strerror(error));
	for (int error = -2; error <= 5; error++)
		printf("%s\n", hstrerror(error));
	return 0;
}
