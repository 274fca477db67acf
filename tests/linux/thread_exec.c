/* SPDX-License-Identifier: MIT */
/* A thread that is not the first executes a program: it is the process's first from then on, with its number; and a
 * robust lock with priority inheritance that it holds goes to who waits. */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int handled;

static void on_signal(int sig)
{
	(void)sig;
	handled++;
}

static unsigned count_tasks(void)
{
	unsigned count = 0;
	DIR *dir = opendir("/proc/self/task");
	assert(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static void tell_name(void)
{
	char name[32] = "";
	FILE *file = fopen("/proc/self/comm", "r");
	assert(file && fgets(name, sizeof(name), file));
	fclose(file);
	printf("name: %s", name);
}

static void *nothing(void *argument)
{
	return argument;
}

/* What the program that was executed finds. */
static int after(void)
{
	cpu_set_t set;
	void *list;
	size_t bytes;
	pthread_t thread;
	signal(SIGUSR1, on_signal);
	printf("the first: %d, %u tasks\n", gettid() == getpid(), count_tasks());
	printf("signal: %ld", syscall(SYS_tgkill, getpid(), getpid(), SIGUSR1));
	printf(", %d\n", handled);
	printf("affinity: %d\n", sched_getaffinity(getpid(), sizeof(set), &set));
	printf("locks: %ld\n", syscall(SYS_get_robust_list, getpid(), &list, &bytes));
	prctl(PR_SET_NAME, "renamed");
	tell_name();
	assert(!pthread_create(&thread, NULL, nothing, NULL));
	assert(!pthread_join(thread, NULL));
	fflush(stdout);
	if (!fork())
		_exit(3);
	int status;
	wait(&status);
	printf("a child: 0x%x\n", status);
	return 5;
}

static void *execute(void *argument)
{
	(void)argument;
	execl("/proc/self/exe", "thread_exec", "after", NULL);
	return NULL;
}

static void *execute_again(void *argument)
{
	(void)argument;
	execl("/proc/self/exe", "thread_exec", "again", NULL);
	return NULL;
}

static void wait_in(void *(*start)(void *))
{
	pthread_t thread;
	fflush(stdout);
	assert(!pthread_create(&thread, NULL, start, NULL));
	for (;;)
		pause();
}

static void lock_of_who_executes(void)
{
	pthread_mutex_t *mutex = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_mutexattr_t attributes;
	assert(mutex != MAP_FAILED);
	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(mutex, &attributes);
	int ready[2];
	char byte;
	assert(!pipe(ready));
	fflush(stdout);
	if (!fork()) {
		pthread_mutex_lock(mutex);
		assert(write(ready[1], "", 1) == 1);
		usleep(20000);
		execl("/bin/true", "true", NULL);
	}
	assert(read(ready[0], &byte, 1) == 1);
	printf("lock: %s\n", strerrorname_np(pthread_mutex_lock(mutex)));
	wait(NULL);
}

/* The first thread executes one program after another. */
static void execute_twice(const char *next)
{
	execl("/proc/self/exe", "thread_exec", next, NULL);
}

int main(int argc, char **argv)
{
	int status;
	if (argc > 1 && !strcmp(argv[1], "again"))
		wait_in(execute);
	if (argc > 1 && !strcmp(argv[1], "twice"))
		execute_twice("after");
	if (argc > 1)
		return after();
	lock_of_who_executes();
	fflush(stdout);
	if (!fork())
		execute_twice("twice");
	wait(&status);
	printf("the first thread: 0x%x\n", status);
	fflush(stdout);
	pid_t pid = fork();
	if (!pid)
		wait_in(execute_again);
	printf("the child: %d\n", waitpid(pid, &status, 0) == pid);
	printf("ended by 0x%x\n", status);
	wait_in(execute);
}
