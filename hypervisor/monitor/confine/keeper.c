/* SPDX-License-Identifier: MIT */
/* Messages go over a pair of sockets that preserves message boundaries (SOCK_SEQPACKET, unix(7)). */
#include "confine/keeper.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t keeper;
static int to_keeper = -1;
static bool is_ready;

/* Room for descriptors beside a message. */
union control {
	char bytes[CMSG_SPACE(KEEPER_FDS * sizeof(int))];
	struct cmsghdr align;
};

static int send_with(int socket, const struct keeper_message *message, const int *fds, int flags)
{
	struct iovec part = {(void *)message, sizeof(*message)};
	union control control = {0};
	struct msghdr head = {.msg_iov = &part, .msg_iovlen = 1};
	assert(message->fd_count <= KEEPER_FDS);
	if (message->fd_count) {
		head.msg_control = control.bytes;
		head.msg_controllen = CMSG_SPACE(message->fd_count * sizeof(int));
		struct cmsghdr *rights = CMSG_FIRSTHDR(&head);
		*rights = (struct cmsghdr){
			.cmsg_len = CMSG_LEN(message->fd_count * sizeof(int)),
			.cmsg_level = SOL_SOCKET,
			.cmsg_type = SCM_RIGHTS,
		};
		memcpy(CMSG_DATA(rights), fds, message->fd_count * sizeof(int));
	}
	while (sendmsg(socket, &head, MSG_NOSIGNAL | flags) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

int keeper_send(int socket, const struct keeper_message *message, const int *fds)
{
	return send_with(socket, message, fds, 0);
}

/* Takes the descriptors of a message. Returns their number. */
static unsigned take_fds(struct msghdr *head, int fds[KEEPER_FDS])
{
	unsigned count = 0;
	for (struct cmsghdr *at = CMSG_FIRSTHDR(head); at; at = CMSG_NXTHDR(head, at)) {
		if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS)
			continue;
		unsigned came = (unsigned)((at->cmsg_len - CMSG_LEN(0)) / sizeof(int));
		for (unsigned i = 0; i < came; i++) {
			int fd;
			memcpy(&fd, CMSG_DATA(at) + i * sizeof(int), sizeof(fd));
			if (count < KEEPER_FDS)
				fds[count++] = fd;
			else
				close(fd);
		}
	}
	return count;
}

int keeper_receive(int socket, struct keeper_message *message, int fds[KEEPER_FDS])
{
	struct iovec part = {message, sizeof(*message)};
	union control control;
	struct msghdr head;
	ssize_t got;
	do {
		head = (struct msghdr){
			.msg_iov = &part,
			.msg_iovlen = 1,
			.msg_control = control.bytes,
			.msg_controllen = sizeof(control.bytes),
		};
		got = recvmsg(socket, &head, MSG_CMSG_CLOEXEC);
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -errno;
	if (!got)
		return -EPIPE;
	unsigned count = take_fds(&head, fds);
	if (got == sizeof(*message) && count == message->fd_count && !(head.msg_flags & (MSG_TRUNC | MSG_CTRUNC)))
		return 0;
	for (unsigned i = 0; i < count; i++)
		close(fds[i]);
	return -EPROTO;
}

void keeper_adopt(pid_t pid, int socket)
{
	keeper = pid;
	to_keeper = socket;
	atexit(keeper_dismiss); /* the code that calls exit(3) has reported the reason */
}

bool keeper_is_there(void)
{
	return to_keeper >= 0;
}

int keeper_socket(void)
{
	return to_keeper;
}

int keeper_await(struct error *error)
{
	struct keeper_message message;
	int fds[KEEPER_FDS];
	if (is_ready)
		return 0;
	int result = keeper_receive(to_keeper, &message, fds);
	if (!result && message.op != KEEPER_READY)
		result = -EPROTO;
	if (result)
		return error_set(error, -result, "the process beside the monitor did not start: %s", strerror(-result));
	is_ready = !message.result;
	if (!is_ready)
		*error = message.error;
	return message.result;
}

/* Sends a request and receives the answer. Returns 0 or a negative errno, of this process or of the keeper. */
static int ask_keeper(const struct keeper_message *message, const int *with, struct keeper_message *answer,
                      int fds[KEEPER_FDS])
{
	struct error error;
	int result = keeper_await(&error); /* a run that failed early has not awaited the keeper */
	if (!result)
		result = keeper_send(to_keeper, message, with);
	if (!result)
		result = keeper_receive(to_keeper, answer, fds);
	if (!result && answer->op != message->op)
		result = -EPROTO;
	return result ? result : answer->result;
}

int keeper_symbolize(int image, int requests)
{
	struct keeper_message message = {.op = KEEPER_SYMBOLIZE, .fd_count = 2}, answer;
	int fds[KEEPER_FDS] = {image, requests};
	if (image < 0)
		return -ENOENT;
	int result = ask_keeper(&message, fds, &answer, fds);
	if (result)
		return result;
	return answer.fd_count == 1 ? fds[0] : -EPROTO;
}

void keeper_symbolize_end(void)
{
	const struct keeper_message message = {.op = KEEPER_SYMBOLIZE_END};
	keeper_send(to_keeper, &message, NULL);
}

int keeper_commit(enum keeper_save which)
{
	struct keeper_message message = {.op = KEEPER_COMMIT, .which = which}, answer;
	int fds[KEEPER_FDS];
	return ask_keeper(&message, NULL, &answer, fds);
}

void keeper_set_out(int dir)
{
	const struct keeper_message message = {.op = KEEPER_OUT, .fd_count = 1};
	keeper_send(to_keeper, &message, &dir);
}

int keeper_set_mode(int fd, uint32_t mode)
{
	struct keeper_message message = {.op = KEEPER_SET_MODE, .which = mode, .fd_count = 1}, answer;
	int fds[KEEPER_FDS];
	return ask_keeper(&message, &fd, &answer, fds);
}

int keeper_set_attributes(int fd, const char *leaf, uint32_t mode, int64_t time_ns)
{
	struct keeper_message message = {
		.op = KEEPER_ATTRIBUTES, .which = mode, .count = (uint64_t)time_ns, .fd_count = 1};
	struct keeper_message answer;
	int fds[KEEPER_FDS];
	if (strlen(leaf) >= sizeof(message.error))
		return -ENAMETOOLONG;
	strcpy(message.error.text, leaf);
	return ask_keeper(&message, &fd, &answer, fds);
}

/* A failure is ignored: it only costs time later. */
void keeper_cache_put(const struct scan_key *key, enum scan_cache_kind kind, const void *records, size_t count)
{
	const struct keeper_message message = {
		.op = KEEPER_CACHE_PUT, .which = kind, .fd_count = 1, .key = *key, .count = count};
	size_t bytes = count * SCAN_CACHE_RECORD_BYTES;
	int fd = memfd_create("records", MFD_CLOEXEC);
	if (fd < 0)
		return;
	if ((!bytes || write(fd, records, bytes) == (ssize_t)bytes) && !lseek(fd, 0, SEEK_SET))
		keeper_send(to_keeper, &message, &fd);
	close(fd);
}

void keeper_cache_touch(const struct scan_key *key, enum scan_cache_kind kind)
{
	const struct keeper_message message = {.op = KEEPER_CACHE_TOUCH, .which = kind, .key = *key};
	keeper_send(to_keeper, &message, NULL);
}

static void tell_sums(enum keeper_op op, const struct content_part *part)
{
	const struct keeper_message message = {.op = op, .fd_count = 1, .start = part->start, .count = part->bytes};
	send_with(to_keeper, &message, &part->file, MSG_DONTWAIT);
}

void keeper_sums_keep(const struct content_part *part)
{
	tell_sums(KEEPER_SUMS_KEEP, part);
}

void keeper_sums_touch(const struct content_part *part)
{
	tell_sums(KEEPER_SUMS_TOUCH, part);
}

bool keeper_sums_check(const struct content_part *part, const uint8_t hash[DIGEST_BYTES], uint32_t handle)
{
	struct keeper_message message = {
		.op = KEEPER_SUMS_CHECK, .which = handle, .fd_count = 1, .start = part->start, .count = part->bytes};
	memcpy(message.hash, hash, DIGEST_BYTES);
	return !send_with(to_keeper, &message, &part->file, MSG_DONTWAIT);
}

int keeper_sums_result(uint32_t *handle)
{
	const struct keeper_message message = {.op = KEEPER_SUMS_RESULT};
	struct keeper_message answer = {0};
	int fds[KEEPER_FDS];
	int result = ask_keeper(&message, NULL, &answer, fds);
	*handle = answer.which;
	return result;
}

void keeper_dismiss(void)
{
	const struct keeper_message message = {.op = KEEPER_FAREWELL};
	if (to_keeper < 0)
		return;
	keeper_send(to_keeper, &message, NULL);
	close(to_keeper);
	to_keeper = -1;
}

void keeper_end(void)
{
	keeper_dismiss();
	while (keeper && waitpid(keeper, NULL, 0) < 0 && errno == EINTR)
		;
	keeper = 0;
}
