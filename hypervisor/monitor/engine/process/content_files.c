/* SPDX-License-Identifier: MIT */
#include "content_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SEND_PAUSE_NS 1000000L
#define SEND_TRIES 5000

static int sockets[ENGINE_RUNS_MAX]; /* to the processes of each guest */
static unsigned socket_count;
static unsigned files_max;   /* files that a process has room for, at least 1 */
static unsigned common_file; /* number of the file that stays open, from 1 on; 0: not sent */

int content_files_pair(void)
{
	int pair[2];
	if (socket_count == ENGINE_RUNS_MAX || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return -1;
	sockets[socket_count++] = pair[0];
	return pair[1];
}

unsigned content_files_sockets(int to[ENGINE_RUNS_MAX])
{
	memcpy(to, sockets, sizeof(sockets));
	return socket_count;
}

void content_files_close(void)
{
	while (socket_count)
		close(sockets[--socket_count]);
}

/* How many files of contents the guest's processes have room for. They may use the hard limit. */
static unsigned room_for_files(void)
{
	struct rlimit limit;
	const unsigned others = PLAN_REGIONS + 24; /* streams, sockets, and what the monitor had open at the fork */
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_max < others + 1)
		return 1;
	return limit.rlim_max - others < PLAN_CONTENTS ? (unsigned)limit.rlim_max - others : PLAN_CONTENTS;
}

void content_files_make_room(void)
{
	files_max = room_for_files();
}

void content_files_begin(struct plan *plan)
{
	plan->content_count = plan->content_files = 0;
	common_file = 0;
}

/* Gives the guest's processes a file that they do not know yet. */
static int send_file(int socket, int file)
{
	char byte = 0;
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	} control = {0};
	struct iovec part = {&byte, 1};
	struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof(control)};
	control.head =
		(struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.head), &file, sizeof(file));
	/* Other runs of this user may have files under way, for moments. */
	const struct timespec pause = {0, SEND_PAUSE_NS};
	for (unsigned try = 0; sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) < 0; try++) {
		if (errno != EINTR && (errno != ETOOMANYREFS || try == SEND_TRIES))
			return -errno;
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return 0;
}

/* Opens a file again, for reading only. Returns its descriptor, or a negative errno. */
static int reopen_to_read(int file)
{
	char path[40];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	const int reopened = open(path, O_RDONLY | O_CLOEXEC);
	return reopened < 0 ? -errno : reopened;
}

/* Gives the guest's processes a file that they may only read, whatever they do. Where /proc is missing, only the filter
 * keeps them from writing to it. */
static int send_to_read(const struct plan *plan, int socket, int file)
{
	if (!plan->others_are_read_only || (fcntl(file, F_GETFL) & O_ACCMODE) == O_RDONLY)
		return send_file(socket, file);
	const int reopened = reopen_to_read(file);
	if (reopened < 0)
		return reopened;
	const int result = send_file(socket, reopened);
	close(reopened);
	return result;
}

/* Gives the guest's processes the file of a content, unless they have it. Returns its number, or a negative errno. */
static int file_number(struct plan *plan, unsigned run, const struct host_memory *memory)
{
	if (memory->is_used && common_file)
		return (int)common_file - 1;
	if (plan->content_files >= files_max - !memory->is_used) /* one is left for all contents in memory */
		return -ENFILE;
	int result = send_to_read(plan, sockets[run - 1], memory->file);
	if (result)
		return result;
	if (memory->is_used)
		common_file = plan->content_files + 1;
	return (int)plan->content_files++;
}

int content_files_map(struct plan *plan, unsigned run, uint64_t address, const struct host_memory *memory,
                      uint64_t offset, uint64_t bytes)
{
	if (!run || plan->content_count == PLAN_CONTENTS)
		return -ENOSPC;
	int file = file_number(plan, run, memory);
	if (file < 0)
		return file;
	plan->contents[plan->content_count] = (struct plan_content){address, offset, (uint32_t)bytes, (uint32_t)file};
	__atomic_store_n(&plan->content_count, plan->content_count + 1, __ATOMIC_RELEASE);
	return 0;
}
