/* SPDX-License-Identifier: MIT */
/* Signals of the process: dispositions, masks and delivery (signal(7)). How handlers are called depends on the kind of
 * image (personality.signal_deliver). */
#ifndef KERNEL_SIGNAL_SIGNAL_H
#define KERNEL_SIGNAL_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_signal.h"
#include "kernel/arch/trap.h"
#include "kernel/sched/process.h"
#include "kernel/sched/thread.h"
#include "kernel/signal/queue.h"

struct sched_choice;

static inline uint64_t signal_bit(int sig)
{
	return 1UL << (sig - 1);
}

/** Makes a signal from the process to itself pending. An ignored signal is dropped. */
void signal_send(int sig, int code);

/** Makes a signal pending, with the data for its receiver. It is for one thread, or for the process (NULL): then the
 * policy chooses a thread that does not block it. If that thread waits, its wait ends. A signal below LINUX_SIGRTMIN
 * that is already pending stays as it is, unless the new one is a timer's. Other signals queue (signal(7)).
 *
 * Returns 1, 0 when it was dropped, or -EAGAIN when a real-time signal finds the queue full. */
int signal_queue(struct thread *thread, int sig, const struct signal_origin *origin);

/** What signals need of the scheduler, which is above this folder and sets it at the start. */
struct signal_scheduler {
	const void *(*choose)(const struct sched_choice *choice); /**< sched_choose */
	bool (*wake_is_in_time)(struct thread *thread);           /**< sched_wake_is_in_time */
	void (*wake)(struct thread *thread, int result);          /**< sched_wake */
};
extern struct signal_scheduler signal_scheduler;

/** If set, called when the signal of a POSIX timer is taken off a queue. Returns the timer's overrun. The first timer
 * sets it to posix_timer_taken. */
extern int (*signal_timer_taken)(int timer);

/** The address at which a kernel call finds whether the program's stack has room: a fault there is the program's,
 * though it is in the kernel. kernel/main.c sets it to kcall_probe. */
extern const char *signal_stack_probe;

/** Whether a signal is ignored, by its action or by default. */
bool signal_is_ignored(int sig);

/** Whether a signal for a thread, or for the process (NULL), would be dropped now: it is ignored and not blocked. */
bool signal_is_dropped(const struct thread *thread, int sig);

/** Whether a signal is pending for the process as a whole, not for one of its threads. */
bool signal_is_pending(int sig);

/** Signals that are pending for the running thread: its own and the process's. */
static inline uint64_t signal_pending(void)
{
	return thread_current->signals.queue.pending | process_current->signals.queue.pending;
}

/** Changes the blocked signals of the running thread. Signals of the process that were assigned to it and are now
 * blocked pass to other threads. */
void signal_set_blocked(uint64_t blocked);

/** The pending signal of a set that the running thread takes next, in Linux's order: signals for the thread alone come
 * before the process's. Of these, a signal with the number of a fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
 * SIGSYS) comes first, whoever sent it; then the lowest number counts. 0: none is pending. */
int signal_first(uint64_t set);

/** Takes the oldest pending signal of a number, and fills in the data for a handler or sigtimedwait(2). */
void signal_take(int sig, struct linux_siginfo *info);

/** The data of the oldest pending signal of a number, which stays pending; without the overruns of a timer. Returns
 * whether one is pending. */
bool signal_look(int sig, struct linux_siginfo *info);

/** Drops all pending signals of a number, for the process and for each thread. */
void signal_discard(int sig);

/** Drops the pending signal of a deleted POSIX timer. */
void signal_remove_timer(int sig, int timer);

/** The running thread ends: drops its signals, and passes the process's signals assigned to it to other threads. */
void signal_thread_ends(struct thread *thread);

/** Whether a pending signal of the running thread is neither blocked nor ignored. */
bool signal_is_deliverable(void);

/** The signal to deliver to the running thread next, or 0. */
int signal_next(void);

/** Ends the run by a signal without a handler whose default action is to terminate, or by one that stops the process
 * for ever. */
_Noreturn void signal_die(int sig);

/** The fault that the program has died of; all zero: it has not. */
struct signal_fatal {
	int sig, code;
	uint64_t address;
};
extern struct signal_fatal signal_fatal;

/** Turns a fault into its signal: the frame continues in the program's handler, or the run ends with a report. */
void signal_fault(struct trap_frame *frame, int sig, int code, uint64_t address, const char *what);

#endif
