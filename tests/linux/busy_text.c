/* SPDX-License-Identifier: MIT */
/* What is open for writing, here or in another process, is not executed (execve(2), ETXTBSY). */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
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

int main(int argc, char **argv)
{
	int pipes[2], status;
	char byte;
	(void)argv;
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
	unlink(path);
	return 0;
}
