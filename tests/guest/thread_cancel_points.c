/* SPDX-License-Identifier: MIT */
/* Every function that must be a cancellation point, twice: cancelled while it waits, and before it is called.
 * Those that never wait are only cancelled before. */
#include <aio.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "say.h"

static int empty[2], full[2], file;
static char path[] = "thread_cancel_points.data";
static pthread_t sleeper;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static const struct timespec long_time = {1000, 0};
static struct timespec far_away;

static char bytes[8];
static struct iovec vector = {bytes, sizeof(bytes)};

static void do_read(void)
{
	(void)!read(empty[0], bytes, 1);
}
static void do_readv(void)
{
	(void)!readv(empty[0], &vector, 1);
}
static void do_write(void)
{
	(void)!write(full[1], bytes, 1);
}
static void do_writev(void)
{
	(void)!writev(full[1], &vector, 1);
}
static void do_pause(void)
{
	pause();
}
static void do_sleep(void)
{
	sleep(1000);
}
static void do_usleep(void)
{
	usleep(999999999);
}
static void do_nanosleep(void)
{
	nanosleep(&long_time, NULL);
}
static void do_clock_nanosleep(void)
{
	clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, NULL);
}
static void do_poll(void)
{
	struct pollfd fd = {empty[0], POLLIN, 0};
	poll(&fd, 1, -1);
}
static void do_ppoll(void)
{
	struct pollfd fd = {empty[0], POLLIN, 0};
	ppoll(&fd, 1, NULL, NULL);
}
static void do_select(void)
{
	fd_set set;
	FD_ZERO(&set);
	FD_SET(empty[0], &set);
	select(empty[0] + 1, &set, NULL, NULL, NULL);
}
static void do_pselect(void)
{
	fd_set set;
	FD_ZERO(&set);
	FD_SET(empty[0], &set);
	pselect(empty[0] + 1, &set, NULL, NULL, NULL, NULL);
}
static void do_sigsuspend(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigsuspend(&set);
}
static sigset_t *usr1(void)
{
	static sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return &set;
}
static void do_sigwait(void)
{
	int sig;
	sigwait(usr1(), &sig);
}
static void do_sigwaitinfo(void)
{
	sigwaitinfo(usr1(), NULL);
}
static void do_sigtimedwait(void)
{
	sigtimedwait(usr1(), NULL, &long_time);
}
static void do_pthread_join(void)
{
	pthread_join(sleeper, NULL);
}
static void do_pthread_timedjoin_np(void)
{
	pthread_timedjoin_np(sleeper, NULL, &far_away);
}
static void unlock(void *held)
{
	pthread_mutex_unlock(held);
}
static void do_pthread_cond_wait(void)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	pthread_cond_wait(&condition, &mutex);
	pthread_cleanup_pop(1);
}
static void do_pthread_cond_timedwait(void)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	pthread_cond_timedwait(&condition, &mutex, &far_away);
	pthread_cleanup_pop(1);
}
static void do_sem_wait(void)
{
	sem_wait(&semaphore);
}
static void do_sem_timedwait(void)
{
	sem_timedwait(&semaphore, &far_away);
}

static void do_pread(void)
{
	(void)!pread(file, bytes, 1, 0);
}
static void do_pwrite(void)
{
	(void)!pwrite(file, bytes, 1, 0);
}
static void do_open(void)
{
	close(open(path, O_RDONLY));
}
static void do_openat(void)
{
	close(openat(AT_FDCWD, path, O_RDONLY));
}
static void do_creat(void)
{
	close(creat(path, 0600));
}
static void do_close(void)
{
	close(-1);
}
static void do_fcntl_setlkw(void)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
	fcntl(file, F_SETLKW, &lock);
}
static void do_lockf(void)
{
	(void)!lockf(file, F_LOCK, 1);
}
static void do_fsync(void)
{
	fsync(file);
}
static void do_fdatasync(void)
{
	fdatasync(file);
}
static void do_msync(void)
{
	msync(&file, 1, MS_SYNC);
}
static void do_wait(void)
{
	wait(NULL);
}
static void do_waitpid(void)
{
	waitpid(-1, NULL, 0);
}
static void do_waitid(void)
{
	waitid(P_ALL, 0, NULL, WEXITED);
}
static void do_pthread_testcancel(void)
{
	pthread_testcancel();
}

struct point {
	const char *name;
	void (*call)(void);
};

#define POINT(name) \
	{ \
#name, do_##name \
	}
static const struct point that_wait[] = {
	POINT(read),
	POINT(readv),
	POINT(write),
	POINT(writev),
	POINT(pause),
	POINT(sleep),
	POINT(usleep),
	POINT(nanosleep),
	POINT(clock_nanosleep),
	POINT(poll),
	POINT(ppoll),
	POINT(select),
	POINT(pselect),
	POINT(sigsuspend),
	POINT(sigwait),
	POINT(sigwaitinfo),
	POINT(sigtimedwait),
	POINT(pthread_join),
	POINT(pthread_timedjoin_np),
	POINT(pthread_cond_wait),
	POINT(pthread_cond_timedwait),
	POINT(sem_wait),
	POINT(sem_timedwait),
};
static const struct point at_once[] = {
	POINT(pread), POINT(pwrite),       POINT(open),    POINT(openat), POINT(creat),
	POINT(close), POINT(fcntl_setlkw), POINT(lockf),   POINT(fsync),  POINT(fdatasync),
	POINT(msync), POINT(wait),         POINT(waitpid), POINT(waitid), POINT(pthread_testcancel),
};

static volatile int stage;

static void *wait_in(void *point)
{
	stage = 1;
	((const struct point *)point)->call();
	return NULL;
}

static void *cancelled_before(void *point)
{
	pthread_cancel(pthread_self());
	((const struct point *)point)->call();
	return NULL;
}

static void run(const struct point *point, const char *when, void *(*entry)(void *))
{
	pthread_t thread;
	void *result;
	stage = 0;
	pthread_create(&thread, NULL, entry, (void *)point);
	if (entry == wait_in) {
		while (!stage)
			sched_yield();
		for (int i = 0; i < 20; i++) /* it waits, very likely; it must be cancelled in any case */
			sched_yield();
		pthread_cancel(thread);
	}
	pthread_join(thread, &result);
	printf("%s, %s: %s\n", point->name, when, result == PTHREAD_CANCELED ? "cancelled" : "went on");
}

static void fill(int fd)
{
	char block[4096] = "";
	fcntl(fd, F_SETFL, O_NONBLOCK);
	while (write(fd, block, sizeof(block)) > 0)
		;
	fcntl(fd, F_SETFL, 0);
}

static void *wait_for_ever(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int main(void)
{
	if (pipe(empty) < 0 || pipe(full) < 0)
		return 1;
	fill(full[1]);
	file = open(path, O_RDWR | O_CREAT, 0600);
	sem_init(&semaphore, 0, 0);
	clock_gettime(CLOCK_REALTIME, &far_away);
	far_away.tv_sec += 1000;
	pthread_sigmask(SIG_BLOCK, usr1(), NULL);
	pthread_create(&sleeper, NULL, wait_for_ever, NULL);
	for (unsigned i = 0; i < sizeof(that_wait) / sizeof(that_wait[0]); i++) {
		run(&that_wait[i], "waiting", wait_in);
		run(&that_wait[i], "before", cancelled_before);
	}
	for (unsigned i = 0; i < sizeof(at_once) / sizeof(at_once[0]); i++)
		run(&at_once[i], "before", cancelled_before);
	SAY_ERROR(pthread_mutex_lock(&mutex));
	unlink(path);
	return 0;
}
