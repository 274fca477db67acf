/* SPDX-License-Identifier: MIT */
/* Guest memory as a file in memory. First touches are the largest cost of short runs, and with 4 KiB pages they cost
 * ten times as much as with huge pages. memfd_create(2) gives huge pages only if the host's administrator has enabled
 * them in transparent_hugepage/shmem_enabled. A private tmpfs has them unless that setting is "deny" (tmpfs(5), huge=).
 * Mounting one needs root, or a process in a user namespace of its own (user_namespaces(7)). */
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Makes a file in a tmpfs that is mounted nowhere. Returns -1 on failure. */
static int make_in_tmpfs(void)
{
	int file = -1, mount = -1, fs = (int)syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC);
	if (fs < 0)
		return -1;
	if (!syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "huge", "always", 0) &&
	    !syscall(SYS_fsconfig, fs, FSCONFIG_SET_STRING, "size", "0", 0) && /* no limit except the guest's */
	    !syscall(SYS_fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		mount = (int)syscall(SYS_fsmount, fs, FSMOUNT_CLOEXEC, 0);
	if (mount >= 0) {
		file = openat(mount, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
		close(mount);
	}
	close(fs);
	return file;
}

static bool write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool done = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return done;
}

/* Enters a new namespace, maps this user into it, and makes the file there. Only a mapped user can make files. */
static int make_in_namespace(uid_t user, gid_t group)
{
	char line[40];
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) || !write_text("/proc/self/setgroups", "deny"))
		return -1;
	snprintf(line, sizeof(line), "%u %u 1", user, user);
	if (!write_text("/proc/self/uid_map", line))
		return -1;
	snprintf(line, sizeof(line), "%u %u 1", group, group);
	return write_text("/proc/self/gid_map", line) ? make_in_tmpfs() : -1;
}

/* Room for one descriptor in a message of one byte. */
struct envelope {
	char byte;
	struct iovec data;
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control;
	struct msghdr message;
};

static void open_envelope(struct envelope *e)
{
	memset(e, 0, sizeof(*e));
	e->data = (struct iovec){&e->byte, 1};
	e->message = (struct msghdr){
		.msg_iov = &e->data, .msg_iovlen = 1, .msg_control = &e->control, .msg_controllen = sizeof(e->control)};
}

static void send_file(int to, int file)
{
	struct envelope e;
	open_envelope(&e);
	struct cmsghdr *header = CMSG_FIRSTHDR(&e.message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &file, sizeof(int));
	sendmsg(to, &e.message, MSG_NOSIGNAL);
}

static int receive_file(int from)
{
	struct envelope e;
	int file = -1;
	open_envelope(&e);
	ssize_t got = recvmsg(from, &e.message, MSG_CMSG_CLOEXEC);
	struct cmsghdr *header = got == 1 ? CMSG_FIRSTHDR(&e.message) : NULL;
	if (header && header->cmsg_type == SCM_RIGHTS)
		memcpy(&file, CMSG_DATA(header), sizeof(int));
	return file;
}

/* Has a short-lived process make the file in a namespace and send it. Returns -1 on failure. */
static int make_by_namespace(void)
{
	int pair[2];
	sigset_t all, old;
	const uid_t user = geteuid();
	const gid_t group = getegid();
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -1;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	pid_t child = fork();
	if (child == 0) {
		int file = make_in_namespace(user, group);
		if (file >= 0)
			send_file(pair[1], file);
		_exit(0);
	}
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	close(pair[1]);
	int file = child > 0 ? receive_file(pair[0]) : -1;
	close(pair[0]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return file;
}

int process_memory_file(enum process_memory_kind *kind)
{
	int file = make_in_tmpfs();
	*kind = PROCESS_MEMORY_TMPFS;
	if (file >= 0)
		return file;
	file = make_by_namespace();
	*kind = PROCESS_MEMORY_NAMESPACE;
	if (file >= 0)
		return file;
	file = memfd_create("guest", MFD_CLOEXEC);
	*kind = PROCESS_MEMORY_MEMFD;
	return file < 0 ? -errno : file;
}

static struct kept_file {
	int file;
	bool is_used;
	bool is_sized;
	uint64_t bytes;
} files[ENGINE_FDS_MAX];
static unsigned file_count;

/* Finds a kept file that is unused, or makes a new one. Returns 0 or a negative errno. */
static int find_file(struct kept_file **found, uint64_t bytes)
{
	enum process_memory_kind kind;
	for (unsigned i = 0; i < file_count; i++) {
		*found = &files[i];
		if (!files[i].is_used && files[i].bytes == bytes)
			return 0;
	}
	if (file_count == ENGINE_FDS_MAX)
		return -ENFILE;
	int file = process_memory_file(&kind);
	if (file < 0)
		return file;
	*found = &files[file_count++];
	**found = (struct kept_file){.file = file, .bytes = bytes};
	return 0;
}

/* Gives a new file its size. RLIMIT_FSIZE is meant for files that the user sees: here only its hard limit counts. The
 * limit is read only if it is too low, because a confined monitor, which makes memory for a further guest, must not. */
static int size_file(int file, uint64_t bytes)
{
	struct rlimit limit, raised;
	if (!ftruncate(file, (off_t)bytes))
		return 0;
	if (errno != EFBIG || getrlimit(RLIMIT_FSIZE, &limit))
		return -errno;
	raised = (struct rlimit){limit.rlim_max, limit.rlim_max};
	setrlimit(RLIMIT_FSIZE, &raised);
	int result = ftruncate(file, (off_t)bytes) ? -errno : 0;
	setrlimit(RLIMIT_FSIZE, &limit);
	return result;
}

/* Clears what an earlier guest left in the file. ftruncate(2) to 0 and back would need the limit of size_file again. */
static int clear_file(int file, uint64_t bytes)
{
	return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)bytes) ? -errno : 0;
}

int process_memory_reserve(struct host_memory *memory, uint64_t bytes)
{
	struct kept_file *kept;
	int result = find_file(&kept, bytes);
	if (result)
		return result;
	result = kept->is_sized ? clear_file(kept->file, bytes) : size_file(kept->file, bytes);
	if (result)
		return result;
	kept->is_sized = true;
	result = host_memory_map_file(memory, kept->file, bytes);
	if (!result) {
		kept->is_used = true;
		memory->is_used = &kept->is_used;
	}
	return result;
}

unsigned process_memory_files(int to[ENGINE_FDS_MAX])
{
	for (unsigned i = 0; i < file_count; i++)
		to[i] = files[i].file;
	return file_count;
}

void process_memory_close(void)
{
	unsigned left = 0;
	for (unsigned i = 0; i < file_count; i++)
		if (files[i].is_used)
			left++;
		else
			close(files[i].file);
	if (!left) /* used files keep their places in the list */
		file_count = 0;
}
