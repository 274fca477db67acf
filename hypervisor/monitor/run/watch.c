/* SPDX-License-Identifier: MIT */
/* The timer, the signals and the second thread of a run.
 *
 * The timer ticks once after a few milliseconds, which starts the second thread (most runs end before). Then it ticks
 * at each look at the guest, and at the deadline. These ticks only end KVM_RUN. After a stop, by deadline or signal, it
 * ticks every 10 ms. From then on each tick makes blocking calls of both threads return, so nothing depends on a signal
 * at the right moment. Handlers run in the guest's thread. */
#include "run/watch.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#include "abi/ring.h"
#include "base/beside.h"
#include "base/jitter.h"
#include "run/streams/terminal.h"

/* FIRST_TICK_NS: when the second thread starts. STOP_TICK_NS: ticks after a stop. STOP_AGAIN_NS: until the next try. */
#define FIRST_TICK_NS 10000000UL
#define STOP_TICK_NS 10000000UL
#define STOP_AGAIN_NS 100000UL

/* With jitter the monitor looks at the guest after one of 4 exits, on average. */
#define LOOK_ONE_IN 4

/* Interval between looks of the second thread at the console ring. It looks when it expects the ring to be a quarter
 * full, so that the guest need not wait for room. While there is no output the interval doubles, because each look
 * takes time from the guest. A guest that fills the ring sooner rings the doorbell. */
#define DRAIN_INTERVAL_MIN_NS 50000UL
#define DRAIN_INTERVAL_START_NS 2000000UL
#define DRAIN_INTERVAL_MAX_NS 32000000UL
#define DRAIN_AIM_BYTES (CONSOLE_RING_BYTES / 4)

static struct watch *active; /* the watch that the signal handlers use */
static volatile sig_atomic_t ticked, stopped, looking;

uint64_t watch_now_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

static void set_timer(uint64_t ns, uint64_t interval_ns)
{
	const struct itimerval value = {
		.it_value = {(time_t)(ns / 1000000000), (suseconds_t)(ns % 1000000000 / 1000)},
		.it_interval = {0, (suseconds_t)(interval_ns / 1000)},
	};
	setitimer(ITIMER_REAL, &value, NULL);
}

/* Sets the timer to the deadline or the next look, if there is one. */
static void await_next(const struct watch *watch)
{
	uint64_t now = watch_now_ns(), next = watch->deadline_ns;
	if (watch->look_ns < next)
		next = watch->look_ns;
	if (next != UINT64_MAX)
		set_timer(next > now ? next - now + 1000 : 1000, STOP_TICK_NS);
}

static void on_tick(int sig);

/* Chooses whether blocked system calls are restarted after a tick. */
static void set_tick_handler(bool goes_on)
{
	const struct sigaction tick = {.sa_handler = on_tick, .sa_flags = goes_on ? SA_RESTART : 0};
	sigaction(SIGALRM, &tick, NULL);
}

/* Makes blocking calls of both threads return. */
static void kick(struct watch *watch)
{
	console_give_up(watch->console);
	watch->ops->interrupt(watch->engine);
	if (__atomic_load_n(&watch->draining, __ATOMIC_SEQ_CST))
		pthread_kill(watch->drainer, SIGUSR1);
}

static void on_tick(int sig)
{
	int error = errno;
	(void)sig;
	if (active) {
		bool first = !ticked;
		ticked = 1;
		uint64_t now = watch_now_ns();
		if (!stopped && now >= active->deadline_ns) {
			stopped = WATCH_TIMEOUT;
			set_tick_handler(false);
		}
		bool look = !stopped && now >= active->look_ns;
		if (look) {
			looking = 1;
			active->look_ns = now + jitter_interval_ns(WATCH_LOOK_NS);
		}
		if (stopped) {
			kick(active);
		} else {
			await_next(active);
			if (first || look)
				active->ops->interrupt(active->engine);
		}
	}
	errno = error;
}

static void on_stop(int sig)
{
	int error = errno;
	if (active && !stopped) {
		stopped = sig;
		set_tick_handler(false);
		kick(active);
		set_timer(STOP_TICK_NS, STOP_TICK_NS);
	}
	errno = error;
}

static void on_wake(int sig)
{
	(void)sig;
}

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* Except for ticks before a stop, no handler restarts system calls, so that blocked calls return. */
static void set_handlers(void)
{
	const struct sigaction wake = {.sa_handler = on_wake};
	/* Without SA_RESETHAND: timeout(1) signals the process and then its group, and the second signal must not end
	 * eremite before it has cleaned up. */
	const struct sigaction stop = {.sa_handler = on_stop};
	sigset_t set;
	set_tick_handler(true);
	sigaction(SIGUSR1, &wake, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	sigaddset(&set, SIGUSR1);
	for (size_t i = 0; i < sizeof(stop_signals) / sizeof(stop_signals[0]); i++) {
		struct sigaction old;
		sigaction(stop_signals[i], NULL, &old);
		if (old.sa_handler != SIG_IGN) /* nohup */
			sigaction(stop_signals[i], &stop, NULL);
	}
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* Returns the next interval in ns, after `bytes` came in the last one. */
static uint64_t next_interval(uint64_t interval_ns, uint64_t bytes)
{
	if (bytes == 0)
		return interval_ns < DRAIN_INTERVAL_MAX_NS ? interval_ns * 2 : interval_ns;
	uint64_t next_ns = interval_ns * DRAIN_AIM_BYTES / bytes;
	if (next_ns > DRAIN_INTERVAL_START_NS)
		return DRAIN_INTERVAL_START_NS;
	return next_ns > DRAIN_INTERVAL_MIN_NS ? next_ns : DRAIN_INTERVAL_MIN_NS;
}

static void *drain_until_stopped(void *context)
{
	struct watch *watch = context;
	beside_spread();
	uint64_t interval = jitter_interval_ns(DRAIN_INTERVAL_START_NS);
	pthread_mutex_lock(&watch->lock);
	while (watch->draining) {
		uint64_t next = watch_now_ns() + interval;
		struct timespec until = {(time_t)(next / 1000000000), (long)(next % 1000000000)};
		pthread_cond_timedwait(&watch->stop, &watch->lock, &until);
		if (!watch->draining)
			break;
		pthread_mutex_unlock(&watch->lock);
		int drained = console_drain(watch->console);
		if (drained < 0) /* the guest's thread meets the same error and ends the run */
			watch->ops->interrupt(watch->engine);
		if (watch->terminal && terminal_look(watch->terminal))
			__atomic_store_n(watch->interrupt, 1, __ATOMIC_RELAXED);
		if (watch->interrupt && __atomic_load_n(watch->interrupt, __ATOMIC_RELAXED))
			watch->ops->interrupt(watch->engine); /* a guest that computes may make no kernel call */
		interval = jitter_interval_ns(next_interval(interval, drained > 0 ? (uint64_t)drained : 0));
		pthread_mutex_lock(&watch->lock);
	}
	pthread_mutex_unlock(&watch->lock);
	return NULL;
}

void watch_init(struct watch *watch, const struct engine_ops *ops, struct engine *engine, struct console *console,
                double timeout_s, bool looks)
{
	pthread_condattr_t attributes;
	*watch = (struct watch){
		.ops = ops,
		.engine = engine,
		.console = console,
		.deadline_ns = UINT64_MAX,
		.look_ns = looks || jitter_is_on() ? watch_now_ns() : UINT64_MAX,
	};
	if (timeout_s > 0)
		watch->deadline_ns = watch_now_ns() + (uint64_t)(timeout_s * 1e9);
	pthread_mutex_init(&watch->lock, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&watch->stop, &attributes);
	pthread_condattr_destroy(&attributes);
	ticked = stopped = looking = 0;
	active = watch;
	set_handlers();
	set_timer(1000 + jitter_instead(FIRST_TICK_NS, FIRST_TICK_NS), 0);
}

void watch_fini(struct watch *watch)
{
	if (watch->draining) {
		pthread_mutex_lock(&watch->lock);
		watch->draining = false;
		pthread_cond_signal(&watch->stop);
		pthread_mutex_unlock(&watch->lock);
		/* If the drainer blocks in a write, the ticks after a stop interrupt it. They continue until here. */
		pthread_join(watch->drainer, NULL);
	}
	set_timer(0, 0);
	active = NULL;
	for (size_t i = 0; i < sizeof(stop_signals) / sizeof(stop_signals[0]); i++) {
		struct sigaction now;
		sigaction(stop_signals[i], NULL, &now);
		if (now.sa_handler == on_stop) /* no watch is active any more, so the signal must end eremite */
			signal(stop_signals[i], SIG_DFL);
	}
	pthread_cond_destroy(&watch->stop);
	pthread_mutex_destroy(&watch->lock);
}

int watch_start_draining(struct watch *watch)
{
	sigset_t all, old;
	if (watch->draining)
		return 0;
	/* The new thread takes no signal but SIGUSR1, so that handlers run in the guest's thread. */
	sigfillset(&all);
	sigdelset(&all, SIGUSR1);
	sigdelset(&all, SIGSYS); /* for a forbidden call of this thread (confine.c) */
	pthread_sigmask(SIG_SETMASK, &all, &old);
	watch->draining = true;
	int error = pthread_create(&watch->drainer, NULL, drain_until_stopped, watch);
	if (error)
		watch->draining = false;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return -error;
}

bool watch_is_time_to_drain(const struct watch *watch)
{
	return ticked && !watch->draining;
}

bool watch_is_time_to_look(void)
{
	bool time = looking || jitter_one_in(LOOK_ONE_IN);
	looking = 0;
	return time;
}

void watch_look_in(struct watch *watch, uint64_t ns)
{
	ns = jitter_interval_ns(ns);
	watch->look_ns = ns == WATCH_NEVER ? WATCH_NEVER
	                                   : watch_now_ns() + ns; /* a tick meanwhile sees the old or the new value */
	if (!stopped)
		await_next(watch);
}

void watch_stop_again(void)
{
	set_timer(STOP_AGAIN_NS, STOP_TICK_NS);
}

int watch_stopped(void)
{
	return stopped;
}
