/* SPDX-License-Identifier: MIT */
/* The rings of the network: requests of any kind, positions that jump, and peers that send, stop and close at any
 * moment. The host's sockets and standard input are ends of pairs; nothing leaves the process. */
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "abi/layout.h"
#include "base/error.h"
#include "net/net_state.h"
#include "tests/fuzz/fuzz.h"

#define PAIRS_MAX 32

static int peers[PAIRS_MAX];
static unsigned peer_count;
static struct fuzz_input input;
static struct net *net;

int __wrap_socket(int domain, int type, int protocol);
int __wrap_connect(int fd, const struct sockaddr *to, socklen_t bytes);
int __wrap_listen(int fd, int backlog);
int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *bytes, int flags);
ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t bytes);
ssize_t __wrap_recvfrom(int fd, void *data, size_t size, int flags, struct sockaddr *from, socklen_t *bytes);

/* A new descriptor, whose other end becomes a peer. */
static int make_pair(int type)
{
	int ends[2];
	if (peer_count == PAIRS_MAX || socketpair(AF_UNIX, type, 0, ends)) {
		errno = EMFILE;
		return -1;
	}
	peers[peer_count++] = ends[1];
	return ends[0];
}

int __wrap_socket(int domain, int type, int protocol)
{
	(void)domain, (void)protocol;
	return make_pair(type);
}

int __wrap_connect(int fd, const struct sockaddr *to, socklen_t bytes)
{
	static const int errors[] = {0, EINPROGRESS, ECONNREFUSED, ENETUNREACH};
	(void)fd, (void)to, (void)bytes;
	errno = errors[fuzz_number(&input, 1) % 4];
	return errno ? -1 : 0;
}

int __wrap_listen(int fd, int backlog)
{
	(void)fd, (void)backlog;
	return 0;
}

int __wrap_accept4(int fd, struct sockaddr *from, socklen_t *bytes, int flags)
{
	char byte;
	if (recv(fd, &byte, 1, MSG_DONTWAIT) != 1) {
		errno = EAGAIN;
		return -1;
	}
	*(struct sockaddr_in *)from = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = 0x1234};
	*bytes = sizeof(struct sockaddr_in);
	return make_pair(SOCK_STREAM | flags);
}

ssize_t __wrap_sendto(int fd, const void *data, size_t size, int flags, const struct sockaddr *to, socklen_t bytes)
{
	(void)to, (void)bytes;
	return send(fd, data, size, flags);
}

ssize_t __wrap_recvfrom(int fd, void *data, size_t size, int flags, struct sockaddr *from, socklen_t *bytes)
{
	*(struct sockaddr_in *)from = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = 0x3500};
	*bytes = sizeof(struct sockaddr_in);
	return recv(fd, data, size, flags);
}

static unsigned looks; /* of net_wait, whether the run is to stop */

/* At the second look, so that the first events are handled. */
static bool is_stopped(void)
{
	return looks++;
}

/* Puts a request into the ring where the monitor reads next, mostly with values that mean something. */
static void put_request(uint64_t *head)
{
	struct network_record record = {
		.op = (uint32_t)fuzz_number(&input, 1) % 13,
		.flow = (uint32_t)fuzz_number(&input, 1) % 8,
		.bytes = (uint32_t)fuzz_number(&input, 2),
		.value = (int32_t)fuzz_number(&input, 1),
	};
	uint8_t kind = (uint8_t)fuzz_number(&input, 1);
	if (kind & 1)
		record.flow |= NETWORK_INCOMING;
	if (kind & 2)
		record.op = NETWORK_SEND;
	if (kind & 4)
		record.bytes = (uint32_t)fuzz_number(&input, 4);
	record.local.port = (uint16_t)(kind & 8 ? 80 : fuzz_number(&input, 1));
	record.remote =
		(struct network_address){.bytes = {[10] = 0xff, [11] = 0xff, 10, 0, 2, kind & 16 ? 3 : 2}, .port = 53};
	uint64_t skip = network_skip(*head, NETWORK_REQUESTS_BYTES, record.bytes % NETWORK_PAYLOAD_MAX);
	uint8_t *at = net->memory.base + NETWORK_REQUESTS_AT;
	if (skip >= sizeof(record))
		memset(at + *head % NETWORK_REQUESTS_BYTES, 0, sizeof(record));
	uint64_t offset = (*head + skip) % NETWORK_REQUESTS_BYTES;
	if (offset + sizeof(record) <= NETWORK_REQUESTS_BYTES)
		memcpy(at + offset, &record, sizeof(record));
	*head += skip + NETWORK_RECORD_BYTES(record.bytes);
	net->area->requests_head = *head;
}

/* A peer sends, or closes. */
static void act_outside(void)
{
	static const char data[70000];
	if (!peer_count)
		return;
	int *peer = &peers[fuzz_number(&input, 1) % peer_count];
	uint64_t what = fuzz_number(&input, 1);
	if (*peer < 0)
		return;
	if (what & 1) {
		send(*peer, data, (size_t)fuzz_number(&input, 2), MSG_DONTWAIT | MSG_NOSIGNAL);
	} else if (what & 2) {
		char sink[4096];
		while (recv(*peer, sink, sizeof(sink), MSG_DONTWAIT) > 0)
			;
	} else {
		close(*peer);
		*peer = -1;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error;
	struct net_config config = {.files_max = 1024, .has_route = true, .has_input = true};
	struct network_address forbidden[STATS_OUTSIDE];
	struct net_misses misses;
	uint64_t head = 0;
	input = fuzz_begin(data, size);
	peer_count = 0;
	for (unsigned i = 0; i < 2; i++)
		config.published[config.published_count++] =
			(struct net_publish){.protocol = i ? IPPROTO_UDP : IPPROTO_TCP,
		                             .port = 80,
		                             .address.in = {.sin_family = AF_INET},
		                             .fd = make_pair((i ? SOCK_DGRAM : SOCK_STREAM) | SOCK_NONBLOCK)};
	int standard_input = make_pair(SOCK_STREAM);
	dup2(standard_input, STDIN_FILENO);
	close(standard_input);
	if (net_open(&net, &config, 64UL << 20, host_memory_anonymous, &error))
		abort();
	net->has_thread = true; /* that is, start none */
	for (unsigned turn = 0; turn < 64 && input.left && net->end == NET_GOES_ON; turn++) {
		uint8_t what = (uint8_t)fuzz_number(&input, 1);
		if (what & 1)
			put_request(&head);
		if (what & 2)
			act_outside();
		if (what & 4)
			net->area->events_tail = net->events_head;
		if ((what & 0xf8) == 0xf8)
			net->area->events_tail = fuzz_number(&input, 8);
		if ((what & 0xf8) == 0xf0)
			net->area->requests_head = head = fuzz_number(&input, 8);
		looks = 0;
		if (what & 8)
			net_wait(net, turn, 0, is_stopped);
		else
			net_turn(net);
	}
	net->has_thread = false;
	net_close(net, is_stopped, forbidden, &misses);
	for (unsigned i = 0; i < config.published_count; i++)
		if (config.published[i].fd >= 0)
			close(config.published[i].fd);
	for (unsigned i = 0; i < peer_count; i++)
		if (peers[i] >= 0)
			close(peers[i]);
	return 0;
}
