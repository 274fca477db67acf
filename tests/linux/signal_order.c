/* SPDX-License-Identifier: MIT */
/* The order in which pending signals are taken: those that a thread was sent come before the process's, then the lowest
 * (signal(7) leaves it open; Linux has always done so). By handlers, sigtimedwait(2) and signalfd(2). */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

static sigset_t all;

static void send_some(void)
{
	pid_t process = getpid(), thread = (pid_t)syscall(SYS_gettid);
	assert(!kill(process, SIGUSR1) && !kill(process, SIGRTMIN + 2) && !kill(process, SIGSEGV));
	assert(!syscall(SYS_tgkill, process, thread, SIGTERM) && !syscall(SYS_tgkill, process, thread, SIGRTMIN + 6));
	assert(!syscall(SYS_tgkill, process, thread, SIGFPE) && !syscall(SYS_tgkill, process, thread, SIGUSR1));
	assert(!kill(process, SIGRTMIN) && !pthread_kill(pthread_self(), SIGRTMIN + 1));
	assert(!kill(process, SIGRTMIN + 2));
}

static void on_signal(int sig)
{
	printf(" %d", sig);
}

static void by_signalfd(size_t at_once)
{
	struct signalfd_siginfo info[20];
	int fd = signalfd(-1, &all, SFD_NONBLOCK);
	ssize_t got;
	assert(fd >= 0);
	send_some();
	printf("signalfd, %zu:", at_once);
	while ((got = read(fd, info, at_once * sizeof(info[0]))) > 0)
		for (size_t i = 0; i < (size_t)got / sizeof(info[0]); i++)
			printf(" %u", info[i].ssi_signo);
	close(fd);
	printf("\n");
}

static void by_wait(void)
{
	const struct timespec none = {0};
	int sig;
	send_some();
	printf("sigtimedwait:");
	while ((sig = sigtimedwait(&all, NULL, &none)) > 0)
		printf(" %d", sig);
	printf("\n");
}

static void by_handlers(const sigset_t *open)
{
	send_some();
	printf("handlers:");
	sigprocmask(SIG_UNBLOCK, open, NULL);
	sigprocmask(SIG_BLOCK, &all, NULL);
	printf("\n");
}

static void *try_all(void *name)
{
	sigset_t some;
	printf("%s\n", (const char *)name);
	by_signalfd(1);
	by_signalfd(3);
	by_signalfd(20);
	by_wait();
	by_handlers(&all);
	sigemptyset(&some);
	sigaddset(&some, SIGRTMIN);
	sigaddset(&some, SIGRTMIN + 1);
	by_handlers(&some);
	by_wait();
	return NULL;
}

static pthread_barrier_t barrier;

static void ignore_nothing(int sig)
{
	(void)sig;
}

/* Would take the process's SIGUSR2, which is dropped instead; later it has one of its own. */
static void *lose_and_wait(void *thread)
{
	sigset_t two;
	int sig;
	*(pid_t *)thread = (pid_t)syscall(SYS_gettid);
	sigemptyset(&two);
	sigaddset(&two, SIGUSR2);
	pthread_sigmask(SIG_UNBLOCK, &two, NULL);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	pthread_sigmask(SIG_BLOCK, &two, NULL);
	sigaddset(&two, SIGUSR1);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 2; i++) {
		assert(!sigwait(&two, &sig));
		printf(" %d", sig);
	}
	printf("\n");
	return NULL;
}

static void after_a_dropped_one(void)
{
	const struct sigaction taken = {.sa_handler = ignore_nothing}, dropped = {.sa_handler = SIG_IGN};
	pthread_t thread;
	pid_t number;
	printf("after one was dropped:");
	sigaction(SIGUSR2, &taken, NULL);
	assert(!pthread_barrier_init(&barrier, NULL, 2) && !pthread_create(&thread, NULL, lose_and_wait, &number));
	pthread_barrier_wait(&barrier);
	assert(!kill(getpid(), SIGUSR2) && !sigaction(SIGUSR2, &dropped, NULL) && !sigaction(SIGUSR2, &taken, NULL));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	assert(!kill(getpid(), SIGUSR1) && !syscall(SYS_tgkill, getpid(), number, SIGUSR2));
	pthread_barrier_wait(&barrier);
	assert(!pthread_join(thread, NULL));
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	pthread_t thread;
	sigfillset(&all);
	action.sa_mask = all;
	for (int sig = SIGRTMIN; sig < SIGRTMIN + 8; sig++)
		sigaction(sig, &action, NULL);
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	sigprocmask(SIG_BLOCK, &all, NULL);
	try_all("alone");
	assert(!pthread_create(&thread, NULL, try_all, "a second thread") && !pthread_join(thread, NULL));
	after_a_dropped_one();
	return 0;
}
