/* SPDX-License-Identifier: MIT */
/* Names of threads: each has its own, begins with its maker's, and is named by itself, by another thread, and by
 * whoever writes to /proc; the first one's is the process's. And what else may be written to there. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static pid_t tid;

/* The first line of a file in /proc, or the error. */
static void show(const char *format, pid_t pid, pid_t thread)
{
	char path[100], line[200];
	snprintf(path, sizeof(path), format, pid, thread);
	int fd = open(path, O_RDONLY);
	ssize_t length = fd < 0 ? -1 : read(fd, line, sizeof(line) - 1);
	line[length < 0 ? 0 : length] = 0;
	if (!strncmp(line, "Name:", 5))
		*strchr(line, '\n') = 0;
	char *behind = strstr(format, "stat") && strchr(line, ')') ? strchr(line, ')') + 1 : NULL;
	if (behind)
		*behind = 0;
	char *from = behind ? strchr(line, '(') : line;
	printf("  %s: %s\n", strrchr(format, '/'), length < 0 ? strerrorname_np(errno) : from);
	close(fd);
}

static void show_all(const char *when)
{
	char name[16];
	prctl(PR_GET_NAME, name);
	printf("%s: %s\n", when, name);
	show("/proc/%d/comm", getpid(), 0);
	show("/proc/%d/status", getpid(), 0);
	show("/proc/%d/task/%d/comm", getpid(), getpid());
	show("/proc/%d/task/%d/comm", getpid(), tid);
	show("/proc/%d/task/%d/status", getpid(), tid);
	show("/proc/%d/task/%d/stat", getpid(), tid);
}

static void *thread(void *none)
{
	char name[16];
	tid = (pid_t)syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier); /* named by the other one */
	prctl(PR_GET_NAME, name);
	printf("the thread is %s\n", name);
	prctl(PR_SET_NAME, "a name that is longer than others");
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	return none;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);
	ssize_t length = fd < 0 ? -1 : write(fd, text, strlen(text));
	printf("%s: %s\n", path, length < 0 ? strerrorname_np(errno) : "written");
	close(fd);
	show(path, 0, 0);
}

int main(int argc, char **argv)
{
	pthread_t other;
	int status;
	(void)argv;
	if (argc > 1) {
		show("/proc/self/comm", 0, 0);
		return 0;
	}
	prctl(PR_SET_NAME, "first");
	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&other, NULL, thread, NULL);
	pthread_barrier_wait(&barrier);
	show_all("begun");
	printf("%d\n", pthread_setname_np(other, "worker-1"));
	printf("%s\n", strerrorname_np(pthread_setname_np(other, "much too long a name")));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	show_all("named");
	fflush(stdout);
	if (!fork()) {
		show("/proc/self/comm", 0, 0);
		char path[60];
		snprintf(path, sizeof(path), "/proc/%d/comm", getppid());
		int fd = open(path, O_WRONLY);
		printf("%s\n", write(fd, "x", 1) < 0 ? strerrorname_np(errno) : "written");
		fflush(stdout);
		execl("/proc/self/exe", "any", "child", NULL);
	}
	assert(wait(&status) > 0 && !status);
	pthread_barrier_wait(&barrier);
	pthread_join(other, NULL);
	put("/proc/self/comm", "by hand");
	put("/proc/thread-self/comm", "0123456789abcdefghij");
	put("/proc/self/oom_score_adj", "300\n");
	put("/proc/self/oom_score_adj", "1001");
	put("/proc/self/oom_score_adj", "x");
	put("/proc/self/oom_score_adj", "1x");
	put("/proc/self/oom_score_adj", "");
	fflush(stdout);
	if (!fork()) {
		show("/proc/self/oom_score_adj", 0, 0);
		fflush(stdout);
		_exit(0);
	}
	assert(wait(&status) > 0 && !status);
	return 0;
}
