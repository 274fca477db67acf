/* SPDX-License-Identifier: MIT */
/* What is open for writing, here or in another process, is not executed, and what is executed is not written to
 * (execve(2), open(2), truncate(2), ETXTBSY). */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "/tmp/busy_text.XXXXXX";

static void run(const char *when)
{
	char *const argv[] = {path, "child", NULL};
	int status;
	fflush(stdout);
	if (!fork()) {
		execve(path, argv, NULL);
		_exit(errno);
	}
	assert(wait(&status) > 0);
	printf("%s: %s\n", when, WEXITSTATUS(status) == 200 ? "runs" : strerrorname_np(WEXITSTATUS(status)));
}

static void try_open(int flags, const char *name)
{
	int fd = open(path, flags, 0755);
	printf("%s: %s\n", name, fd >= 0 ? "opened" : strerrorname_np(errno));
	if (fd >= 0)
		close(fd);
}

static void try_all(void)
{
	try_open(O_RDONLY, "O_RDONLY");
	try_open(O_WRONLY, "O_WRONLY");
	try_open(O_RDWR | O_CREAT, "O_RDWR");
	try_open(O_WRONLY | O_CREAT | O_EXCL, "O_EXCL");
	try_open(O_RDONLY | O_TRUNC, "O_TRUNC");
	int result = truncate(path, 1);
	printf("truncate: %s\n", result ? strerrorname_np(errno) : "done");
	printf("access: %d\n", access(path, W_OK));
}

/* A file that is open for writing in a mapping alone, or in a message that nobody has received. */
static void open_elsewhere(void)
{
	int sockets[2], fd = open(path, O_RDWR);
	uint8_t *shared = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
	uint8_t *private = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	assert(fd >= 0 && shared != MAP_FAILED && private != MAP_FAILED && !close(fd));
	run("mapped");
	munmap(shared, 1);
	run("mapped for itself");
	munmap(private, 1);
	run("unmapped");
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} rights = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
	struct iovec byte = {"x", 1};
	struct msghdr message = {
		.msg_iov = &byte,
		.msg_iovlen = 1,
		.msg_control = &rights,
		.msg_controllen = sizeof(rights),
	};
	fd = open(path, O_WRONLY);
	memcpy(CMSG_DATA(&rights.head), &fd, sizeof(fd));
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) && sendmsg(sockets[0], &message, 0) == 1 && !close(fd));
	run("in a message");
	close(sockets[0]);
	close(sockets[1]);
	run("nobody's message");
}

/* Files in memory are executed while they are open, but not by who opens them again for writing. */
static void in_memory(void)
{
	char name[64];
	struct stat st;
	int from = open(path, O_RDONLY), to = memfd_create("text", 0);
	assert(from >= 0 && to >= 0 && !fstat(from, &st));
	for (off_t at = 0; at < st.st_size;)
		assert(sendfile(to, from, &at, (size_t)st.st_size) > 0);
	close(from);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", to);
	char kept[sizeof(path)];
	memcpy(kept, path, sizeof(path));
	assert(strlen(name) < sizeof(path));
	strcpy(path, name);
	run("in memory");
	int again = open(name, O_RDWR);
	assert(again >= 0);
	run("opened again");
	close(again);
	run("closed again");
	close(to);
	memcpy(path, kept, sizeof(path));
}

/* Another process executes it, then a child of that alone, which has not executed it itself. */
static void being_executed(void)
{
	int pipes[2], status;
	char byte;
	assert(!pipe(pipes));
	fflush(stdout);
	pid_t other = fork();
	if (!other) {
		dup2(pipes[1], 3);
		execl(path, path, "child", "forks", NULL);
		_exit(1);
	}
	close(pipes[1]);
	assert(read(pipes[0], &byte, 1) == 1);
	try_all();
	assert(waitpid(other, &status, WNOHANG) == 0);
	assert(!kill(other, SIGKILL) && waitpid(other, &status, 0) == other);
	printf("its child executes it\n");
	try_open(O_WRONLY, "O_WRONLY");
	pid_t child;
	assert(read(pipes[0], &child, sizeof(child)) == sizeof(child) && !kill(child, SIGKILL));
	assert(read(pipes[0], &byte, 1) == 0);
	close(pipes[0]);
	printf("nobody does\n");
	try_all();
}

int main(int argc, char **argv)
{
	int pipes[2], status;
	char byte;
	(void)argv;
	if (argc > 2) {
		pid_t child = fork();
		if (!child)
			child = getpid(), write(3, "x", 1), write(3, &child, sizeof(child));
		for (;;)
			pause();
	}
	if (argc > 1)
		return 200;
	int from = open("/proc/self/exe", O_RDONLY), to = mkstemp(path);
	struct stat st;
	assert(from >= 0 && to >= 0 && !fstat(from, &st));
	for (off_t at = 0; at < st.st_size;)
		assert(sendfile(to, from, &at, (size_t)st.st_size) > 0);
	fchmod(to, 0755);
	close(from);
	run("just written");
	run("again");
	close(to);
	run("closed");
	to = open(path, O_RDWR);
	run("open and not written");
	assert(!pipe(pipes));
	pid_t other = fork();
	if (!other) {
		close(pipes[1]);
		read(pipes[0], &byte, 1);
		_exit(0);
	}
	close(to);
	run("open in another process");
	close(pipes[1]);
	assert(waitpid(other, &status, 0) == other);
	run("closed there, too");
	from = open(path, O_RDONLY);
	run("open for reading");
	close(from);
	open_elsewhere();
	in_memory();
	being_executed();
	unlink(path);
	return 0;
}
