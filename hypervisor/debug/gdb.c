/* SPDX-License-Identifier: MIT */
#include "debug/gdb.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_MS 100 /* how often a wait for gdb looks whether it has ended */

static int listen_at_path(const char *path, struct error *error)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	if (strlen(path) >= sizeof(address.sun_path))
		return error_set(error, ENAMETOOLONG, "the path of the socket is longer than %zu bytes: %.100s",
		                 sizeof(address.sun_path) - 1, path);
	strcpy(address.sun_path, path);
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	const mode_t mask = umask(0177); /* only the user may connect */
	const bool failed = fd < 0 || bind(fd, (const struct sockaddr *)&address, sizeof(address)) || listen(fd, 1);
	const int why = errno;
	umask(mask);
	if (!failed)
		return fd;
	if (fd >= 0)
		close(fd);
	return error_set(error, why, "cannot wait for a debugger at %.100s: %s", path, strerror(why));
}

static int accept_one(struct debug *debug, int socket)
{
	do
		debug->fd = accept4(socket, NULL, NULL, SOCK_CLOEXEC);
	while (debug->fd < 0 && errno == EINTR);
	return debug->fd < 0 ? -errno : 0;
}

/* --- gdb --- */

/* Runs in the child. */
static _Noreturn void execute_gdb(const struct debug *debug, const struct gdb_start *start, const char *path)
{
	char remote[256];
	char **words = calloc(start->option_count + 8, sizeof(*words));
	unsigned count = 0;
	snprintf(remote, sizeof(remote), "target remote %s", path);
	setpgid(0, start->group);
	dup2(start->input, STDIN_FILENO);
	if (!words)
		_exit(127);
	words[count++] = (char *)"gdb";
	words[count++] = (char *)"-ex";
	words[count++] = (char *)"set sysroot /";
	words[count++] = (char *)"-ex";
	words[count++] = remote;
	for (unsigned i = 0; i < start->option_count; i++)
		words[count++] = start->options[i];
	if (debug->program)
		words[count++] = (char *)debug->program;
	execvp("gdb", words);
	_exit(127);
}

/* Waits until gdb connects, or ends. */
static int await_gdb(struct debug *debug, int socket, struct error *error)
{
	struct pollfd look = {.fd = socket, .events = POLLIN};
	int status;
	while (poll(&look, 1, LOOK_MS) <= 0) {
		if (waitpid(debug->gdb, &status, WNOHANG) != debug->gdb)
			continue;
		debug->gdb = 0;
		return error_set(error, ENOENT,
		                 WIFEXITED(status) && WEXITSTATUS(status) == 127
		                         ? "gdb cannot be started; install it (apt install gdb), or connect another "
		                           "debugger by --listen"
		                         : "gdb has ended before it connected");
	}
	return accept_one(debug, socket);
}

int gdb_connect(struct debug *debug, const struct gdb_start *start, struct error *error)
{
	char dir[] = "/tmp/eremite-debug-XXXXXX", path[sizeof(dir) + 8];
	if (!mkdtemp(dir))
		return error_set(error, errno, "cannot make a directory in /tmp: %s", strerror(errno));
	snprintf(path, sizeof(path), "%s/gdb", dir);
	const int socket = listen_at_path(path, error);
	int result = socket < 0 ? socket : 0;
	if (!result) {
		debug->gdb = fork();
		if (!debug->gdb)
			execute_gdb(debug, start, path);
		result = await_gdb(debug, socket, error);
		close(socket);
	}
	unlink(path);
	rmdir(dir);
	return result;
}

/* --- other clients --- */

/* Whether the peer of a connection on this host belongs to another user (proc_net(5)). */
static bool is_of_other_user(const struct sockaddr_in *peer)
{
	char line[256];
	unsigned address, port, user;
	bool is_own = false;
	FILE *file = fopen("/proc/net/tcp", "re");
	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, " %*u: %8X:%4X %*8X:%*4X %*2X %*8X:%*8X %*2X:%*8X %*8X %u", &address, &port, &user) ==
		            3 &&
		    address == peer->sin_addr.s_addr && port == ntohs(peer->sin_port) && user == geteuid())
			is_own = true;
	if (file)
		fclose(file);
	return !is_own;
}

static int accept_own(struct debug *debug, int socket)
{
	for (;;) {
		struct sockaddr_in peer;
		socklen_t bytes = sizeof(peer);
		debug->fd = accept4(socket, (struct sockaddr *)&peer, &bytes, SOCK_CLOEXEC);
		if (debug->fd < 0 && errno != EINTR)
			return -errno;
		if (debug->fd >= 0 && !is_of_other_user(&peer))
			return 0;
		if (debug->fd >= 0)
			close(debug->fd);
	}
}

/* Reads "[ADDRESS:]PORT". Only this host can connect: who controls a program can read all that its user can. */
static int read_address(const char *where, struct sockaddr_in *address, struct error *error)
{
	const char *colon = strrchr(where, ':'), *port = colon ? colon + 1 : where;
	char name[64] = "127.0.0.1", *end;
	if (colon && colon != where)
		snprintf(name, sizeof(name), "%.*s", (int)(colon - where), where);
	const unsigned long number = strtoul(port, &end, 10);
	*address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)number)};
	if (*end || end == port || number > 65535 ||
	    !inet_aton(strcmp(name, "localhost") ? name : "127.0.0.1", &address->sin_addr))
		return error_set(error, EINVAL, "--listen %.80s: give unix:PATH or [ADDRESS:]PORT", where);
	if (ntohl(address->sin_addr.s_addr) >> 24 != IN_LOOPBACKNET)
		return error_set(
			error, EINVAL,
			"--listen %.80s: only this host may connect; give a port alone, and forward it (ssh -L)",
			where);
	return 0;
}

static int listen_at_port(struct debug *debug, const char *where, void (*told)(const char *target), struct error *error)
{
	struct sockaddr_in address;
	socklen_t bytes = sizeof(address);
	char target[64];
	int result = read_address(where, &address, error);
	if (result)
		return result;
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
	if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) || listen(fd, 1) ||
	    getsockname(fd, (struct sockaddr *)&address, &bytes)) {
		result = error_set(error, errno, "cannot wait for a debugger at %.80s: %s", where, strerror(errno));
	} else {
		snprintf(target, sizeof(target), "%s:%u", inet_ntoa(address.sin_addr), ntohs(address.sin_port));
		told(target);
		result = accept_own(debug, fd);
	}
	if (fd >= 0)
		close(fd);
	return result;
}

int gdb_listen(struct debug *debug, const char *where, void (*told)(const char *target), struct error *error)
{
	if (strncmp(where, "unix:", 5))
		return listen_at_port(debug, where, told, error);
	const char *path = where + 5;
	const int fd = listen_at_path(path, error);
	if (fd < 0)
		return fd;
	told(path);
	const int result = accept_one(debug, fd);
	close(fd);
	unlink(path);
	return result;
}
