// SPDX-License-Identifier: MIT
// Unwinding through system calls that a signal has interrupted: cancellation, exceptions thrown by handlers, backtraces;
// and where handlers are told that the program stands.
#include <csignal>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <execinfo.h>
#include <poll.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static int ends[2];
static const char *where;

struct guard {
	const char *name;
	~guard() { printf("%s: destructor\n", name); }
};

static void wait_in(int how)
{
	static const char *const names[] = {"pause", "read", "poll", "usleep", "wait"};
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	guard on_the_way = {names[how]};
	char byte;
	pollfd one = {ends[0], POLLIN, 0};
	switch (how) {
	case 0:
		for (;;)
			pause();
	case 1:
		(void)!read(ends[0], &byte, 1);
		break;
	case 2:
		poll(&one, 1, -1);
		break;
	case 3:
		usleep(1000000000);
		break;
	default:
		pthread_mutex_lock(&lock);
		pthread_cleanup_push([](void *mutex) { puts("cleanup"); pthread_mutex_unlock((pthread_mutex_t *)mutex); },
		                     &lock);
		pthread_cond_wait(&never, &lock);
		pthread_cleanup_pop(1);
	}
}

static void cancel()
{
	for (long how = 0; how < 5; how++) {
		pthread_t thread;
		void *result;
		pthread_create(&thread, nullptr, [](void *argument) -> void * { return wait_in((int)(long)argument), nullptr; },
		               (void *)how);
		usleep(20000);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		puts(result == PTHREAD_CANCELED ? "cancelled" : "returned");
	}
}

static void throw_there(int)
{
	throw std::runtime_error("timeout");
}

static void soon()
{
	const itimerval once = {{0, 0}, {0, 20000}};
	setitimer(ITIMER_REAL, &once, nullptr);
}

static void exceptions()
{
	signal(SIGALRM, throw_there);
	for (int how = 0; how < 4; how++) {
		try {
			soon();
			wait_in(how);
		} catch (const std::exception &error) {
			puts(error.what());
		}
		sigset_t set;
		sigemptyset(&set);
		sigaddset(&set, SIGALRM);
		sigprocmask(SIG_UNBLOCK, &set, nullptr);
	}
}

static void look(int, siginfo_t *, void *context)
{
	void *frames[32];
	int count = backtrace(frames, 32);
	Dl_info info;
	bool sees_main = false;
	for (int i = 0; i < count; i++)
		sees_main |= dladdr(frames[i], &info) && info.dli_sname && !strcmp(info.dli_sname, "main");
	void *at = (void *)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
	where = dladdr(at, &info) && info.dli_sname ? info.dli_sname : "nowhere";
	printf("%s main\n", sees_main ? "sees" : "does not see");
}

int main()
{
	void *first[1];
	char byte;
	backtrace(first, 1); /* loads what it needs */
	if (pipe(ends))
		return 1;
	cancel();
	exceptions();
	for (int flags : {0, SA_RESTART}) {
		struct sigaction action = {};
		action.sa_sigaction = look;
		action.sa_flags = SA_SIGINFO | flags;
		sigaction(SIGALRM, &action, nullptr);
		soon();
		if (flags && !fork()) {
			usleep(40000);
			_exit(write(ends[1], "x", 1) != 1);
		}
		ssize_t got = read(ends[0], &byte, 1);
		printf("in %s: %zd\n", where, got);
		raise(SIGALRM);
	}
}
