/* SPDX-License-Identifier: MIT */
/* The monitor's requests are as untrusted as the guest: a message selects one of a few fixed operations, and no part of
 * it becomes a command or a path beyond a checked name. */
#include "session/keeper_serve.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/attributes.h"
#include "base/die.h"
#include "base/error.h"
#include "base/raw_mode.h"
#include "cache/cache.h"
#include "confine/confine.h"
#include "confine/host_oom.h"
#include "guest/content_sums.h"
#include "hostfs/out.h"
#include "report/symbolizer.h"
#include "scan/scan_cache.h"

struct keeper_state {
	int socket;
	struct save *const *saves;
	pid_t symbolizer; /* 0: none */
	int out;          /* the folder for /out, or -1 */
	int save_dir;     /* the folder of --save, or -1 */
	int terminal;     /* the terminal to restore if the monitor is killed, or -1 */
	bool has_null;    /* standard input and output are /dev/null */
	int oom;          /* from host_oom_open */
	bool farewell;    /* the monitor has announced its end */
	int checked;      /* result of the first check of contents that failed since the monitor asked; 0: none has */
	uint32_t wrong;   /* its handle */
};

static void end_symbolizer(struct keeper_state *state)
{
	if (!state->symbolizer)
		return;
	kill(state->symbolizer, SIGKILL); /* it has closed its output, or exceeded its time */
	while (waitpid(state->symbolizer, NULL, 0) < 0 && errno == EINTR)
		;
	state->symbolizer = 0;
}

static int answer(const struct keeper_state *state, uint32_t op, int result, int fd)
{
	const struct keeper_message message = {.op = op, .result = result, .fd_count = fd >= 0};
	return keeper_send(state->socket, &message, &fd);
}

static int symbolize(struct keeper_state *state, const int *fds)
{
	end_symbolizer(state);
	int output = symbolizer_start(fds[0], fds[1], &state->symbolizer);
	if (output < 0)
		state->symbolizer = 0;
	int result = answer(state, KEEPER_SYMBOLIZE, output < 0 ? -ENOENT : 0, output);
	if (output >= 0)
		close(output);
	return result;
}

static int commit(const struct keeper_state *state, uint32_t which)
{
	int result = -EINVAL;
	if (which < KEEPER_SAVES && state->saves[which]->to)
		result = save_commit(state->saves[which]);
	return answer(state, KEEPER_COMMIT, result, -1);
}

/* Whether a folder is `top` or beneath it. */
static bool is_beneath(int fd, const struct stat *top)
{
	struct stat now, before = {0};
	bool found = false;
	int at = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	for (unsigned i = 0; i <= OUT_DEPTH_MAX && at >= 0 && !found; i++) {
		if (fstat(at, &now) || (now.st_dev == before.st_dev && now.st_ino == before.st_ino))
			break;
		found = now.st_dev == top->st_dev && now.st_ino == top->st_ino;
		before = now;
		int up = openat(at, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(at);
		at = up;
	}
	if (at >= 0)
		close(at);
	return found;
}

/* Sets the mode of an unnamed file, or of a folder in /out. Refuses files with names, because the monitor can open many
 * outside of /out. */
static int set_mode(const struct keeper_state *state, int fd, uint32_t mode)
{
	char name[40];
	struct stat st, top;
	if (state->out < 0 || fstat(state->out, &top) || fstat(fd, &st))
		return -EBADF;
	if (S_ISREG(st.st_mode) && !st.st_nlink)
		return fchmod(fd, mode & 0777) ? -errno : 0;
	if (!S_ISDIR(st.st_mode) || !is_beneath(fd, &top))
		return -EPERM;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd); /* fchmod refuses O_PATH descriptors */
	return chmod(name, mode & 0777) ? -errno : 0;
}

static int serve_sums(const struct keeper_message *message, int fd)
{
	const struct content_part part = {.file = fd, .start = message->start, .bytes = message->count};
	(message->op == KEEPER_SUMS_KEEP ? content_sums_keep : content_sums_touch)(&part);
	return 0;
}

static int check_sums(struct keeper_state *state, const struct keeper_message *message, int fd)
{
	const struct content_part part = {.file = fd, .start = message->start, .bytes = message->count};
	const int result = content_sums_check(&part, message->hash);
	if (result && !state->checked) {
		state->checked = result;
		state->wrong = message->which;
	}
	return 0;
}

static int answer_checks(struct keeper_state *state)
{
	const struct keeper_message message = {
		.op = KEEPER_SUMS_RESULT, .result = state->checked, .which = state->wrong};
	state->checked = 0;
	return keeper_send(state->socket, &message, NULL);
}

/* Sets attributes of an object in --save's folder, or of an open file that has no name yet. */
static int set_file_attributes(const struct keeper_state *state, int fd, struct keeper_message *message)
{
	struct stat st, top;
	message->error.text[sizeof(message->error) - 1] = 0;
	if (state->save_dir < 0 || fstat(state->save_dir, &top) || fstat(fd, &st))
		return -EBADF;
	if (message->error.text[0] && (!S_ISDIR(st.st_mode) || st.st_dev != top.st_dev || !is_beneath(fd, &top)))
		return -EPERM;
	return attributes_set(fd, message->error.text, message->which, (int64_t)message->count);
}

/* Stores records in the cache. Reads them instead of mapping them, because the monitor can still truncate the file. */
static void put(const struct keeper_message *message, int fd)
{
	if (message->which >= SCAN_CACHE_KINDS || message->count > SCAN_CACHE_RECORDS_MAX)
		return;
	size_t bytes = message->count * SCAN_CACHE_RECORD_BYTES;
	void *records = malloc(bytes + 1);
	if (records && read(fd, records, bytes) == (ssize_t)bytes)
		scan_cache_put(&message->key, (enum scan_cache_kind)message->which, records, message->count);
	free(records);
}

/* Serves one message. Returns 0, or a negative errno if the keeper must end. */
static int serve_one(struct keeper_state *state, struct keeper_message *message, const int *fds)
{
	switch (message->op) {
	case KEEPER_SYMBOLIZE:
		return message->fd_count == 2 ? symbolize(state, fds) : -EPROTO;
	case KEEPER_SYMBOLIZE_END:
		end_symbolizer(state);
		return 0;
	case KEEPER_COMMIT:
		return commit(state, message->which);
	case KEEPER_OUT:
		if (message->fd_count != 1 || state->out >= 0)
			return -EPROTO;
		state->out = fcntl(fds[0], F_DUPFD_CLOEXEC, 0);
		return 0;
	case KEEPER_SET_MODE:
		if (message->fd_count != 1)
			return -EPROTO;
		return answer(state, KEEPER_SET_MODE, set_mode(state, fds[0], message->which), -1);
	case KEEPER_ATTRIBUTES:
		if (message->fd_count != 1)
			return -EPROTO;
		return answer(state, KEEPER_ATTRIBUTES, set_file_attributes(state, fds[0], message), -1);
	case KEEPER_CACHE_PUT:
		if (message->fd_count != 1)
			return -EPROTO;
		put(message, fds[0]);
		return 0;
	case KEEPER_CACHE_TOUCH:
		if (message->which < SCAN_CACHE_KINDS)
			scan_cache_touch(&message->key, (enum scan_cache_kind)message->which);
		return 0;
	case KEEPER_SUMS_KEEP:
	case KEEPER_SUMS_TOUCH:
		if (message->fd_count != 1)
			return -EPROTO;
		return serve_sums(message, fds[0]);
	case KEEPER_SUMS_CHECK:
		return message->fd_count == 1 ? check_sums(state, message, fds[0]) : -EPROTO;
	case KEEPER_SUMS_RESULT:
		return answer_checks(state);
	case KEEPER_FAREWELL:
		state->farewell = true;
		return 0;
	default:
		return -EPROTO;
	}
}

static int confine_self(const struct keeper_state *state, struct error *error)
{
	struct confine_plan plan = {.role = CONFINE_KEEPER, .keeper = state->socket};
	confine_keep(&plan, state->socket);
	confine_keep(&plan, state->oom);
	confine_keep(&plan, state->save_dir);
	confine_keep(&plan, state->terminal);
	confine_keep(&plan, cache_held());
	confine_allow(&plan, cache_held(), CONFINE_TO_SAVE);
	if (state->has_null)
		confine_allow(&plan, STDOUT_FILENO, CONFINE_TO_WRITE); /* children reopen /dev/null */
	for (unsigned i = 0; i < KEEPER_SAVES; i++)
		if (state->saves[i]->to) {
			confine_keep(&plan, fileno(state->saves[i]->to));
			confine_keep(&plan, state->saves[i]->dir);
			confine_allow(&plan, state->saves[i]->dir, CONFINE_TO_SAVE);
		}
	return confine(&plan, error);
}

/* Ignores signals that stop a run, because the keeper ends after the monitor. Replaces standard input and output by
 * /dev/null, so that no pipe stays open, and keeps standard error for its messages. */
static void leave_terminal(struct keeper_state *state)
{
	static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	for (unsigned i = 0; i < sizeof(stops) / sizeof(stops[0]); i++)
		signal(stops[i], SIG_IGN);
	signal(SIGTTOU, SIG_IGN); /* the terminal may belong to another process group by then */
	state->terminal = raw_mode_is_open() ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	state->has_null = null >= 0;
	if (null < 0) /* a container may have none */
		null = memfd_create("null", MFD_CLOEXEC);
	for (int fd = 0; null >= 0 && fd < STDERR_FILENO; fd++)
		dup2(null, fd);
	prctl(PR_SET_NAME, "eremite-keeper");
}

static _Noreturn void serve(struct keeper_state *state)
{
	struct keeper_message message = {.op = KEEPER_READY};
	int fds[KEEPER_FDS];
	leave_terminal(state);
	state->oom = host_oom_open();
	message.result = confine_self(state, &message.error);
	int result = keeper_send(state->socket, &message, NULL);
	const uint64_t ended = host_oom_count(state->oom);
	while (!result && !(result = keeper_receive(state->socket, &message, fds))) {
		result = serve_one(state, &message, fds);
		for (unsigned i = 0; i < message.fd_count; i++)
			close(fds[i]);
	}
	if (!state->farewell && state->terminal >= 0)
		raw_mode_restore(state->terminal);
	if (!state->farewell && host_oom_count(state->oom) > ended)
		say("the monitor was killed, because the host or its control group has no more memory: raise "
		    "memory.max, or "
		    "give a smaller --memory");
	end_symbolizer(state);
	for (unsigned i = 0; i < KEEPER_SAVES; i++)
		save_abandon(state->saves[i]);
	_exit(0);
}

int keeper_start(struct save *const saves[KEEPER_SAVES], int save_dir, struct error *error)
{
	int sockets[2];
	cache_hold();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets))
		return error_set(error, errno, "cannot make a pair of sockets: %s", strerror(errno));
	pid_t pid = fork();
	if (!pid) {
		struct keeper_state state = {.socket = sockets[1], .saves = saves, .out = -1, .save_dir = save_dir};
		close(sockets[0]);
		serve(&state);
	}
	int reason = errno;
	close(sockets[1]);
	if (pid < 0) {
		close(sockets[0]);
		return error_set(error, reason,
		                 "cannot start a process beside the monitor: %s; raise 'ulimit -u', or pids.max of the "
		                 "control group",
		                 strerror(reason));
	}
	keeper_adopt(pid, sockets[0]);
	return 0;
}

int keeper_put_file(struct save *save, enum keeper_save which)
{
	if (!keeper_is_there())
		return save_commit(save);
	int result = save_hand_over(save);
	return result ? result : keeper_commit(which);
}
