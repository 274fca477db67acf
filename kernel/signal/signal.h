/* SPDX-License-Identifier: MIT */
/* Signals of the process: dispositions, masks and delivery (signal(7)).
 How handlers are
 * called depends on the kind of image: kernel/native/native_deliver.c, kernel/linux/signal/deliver.c. */
#ifndef KERNEL_SIGNAL_SIGNAL_H
#define KERNEL_SIGNAL_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_signal.h"
#include "kernel/arch/trap.h"
#include "kernel/sched/process.h"
#include "kernel/sched/thread.h"
#include "kernel/signal/queue.h"

static inline uint64_t signal_bit(int sig)
{
	return 1UL << (sig - 1);
}

/** Makes a signal pending that this process sends itself; one that is ignored is dropped. */
void signal_send(int sig, int code);

/**
 * Makes a signal pending with what its receiver is told: for one thread, or for the process (NULL), of whose threads
 * the policy chooses one that does not block it. If it waits, its wait ends. A signal below LINUX_SIGRTMIN that is
 * pending already stays the one it is, unless this one is a timer's; others queue (signal(7)).
 *
 * 1, 0 when it was dropped, or -EAGAIN when a real-time signal finds the queue full.
 */
int signal_queue(struct thread *thread, int sig, const struct signal_origin *origin);

/** Told of each signal that has become pending, and not been dropped; NULL: nobody listens. */
extern void (*signal_listener)(void);

/** Whether a signal is ignored, by its action or by default. */
bool signal_is_ignored(int sig);

/** Whether a signal for a thread, or for the process (NULL), would be dropped now: ignored, and not blocked instead. */
bool signal_is_dropped(const struct thread *thread, int sig);

/** Whether a signal is pending for the process, and for none of its threads. */
bool signal_is_pending(int sig);

/** Signals that are pending for the running thread: its own and the process's. */
static inline uint64_t signal_pending(void)
{
	return thread_current->signals.queue.pending | process_current->signals.queue.pending;
}

/** Changes what the running thread blocks. What the process's signals it would have taken are left to other threads. */
void signal_set_blocked(uint64_t blocked);

/**
 * The pending signal of a set that the running thread takes next, as on Linux: those that were sent to it alone come
 * before the process's, among them those that it has brought about itself, and then the lowest. 0: none is pending.
 */
int signal_first(uint64_t set);

/** Takes the oldest of a pending signal off: what a handler, or sigtimedwait(2), is told of it. */
void signal_take(int sig, struct linux_siginfo *info);

/** Forgets a pending signal, all of its kind, whoever it is for. */
void signal_discard(int sig);

/** Forgets the pending signal of a POSIX timer that is no more. */
void signal_remove_timer(int sig, int timer);

/** The running thread ends: its signals are forgotten, and those of the process it was to take are left to others. */
void signal_thread_ends(struct thread *thread);

/** Whether a signal that is pending for the running thread is unblocked and not ignored. */
bool signal_is_deliverable(void);

/** The signal to deliver to the running thread next, or 0. */
int signal_next(void);

/** Ends the run by a signal without a handler, whose default that is; or by one that stops for ever. */
_Noreturn void signal_die(int sig);

/** A fault that has no handler ends the run, or the process of a Linux program that is not the first one. */
_Noreturn void signal_die_at(const struct trap_frame *frame, int sig, const char *what);

/** Delivers what is deliverable, or ends the run. Handlers of a native image run inside this call; those of a Linux
 * program when its system call returns. */
void signal_deliver(void);

/** The address in the program of an instruction that has faulted at this one. They differ where a Linux program's was
 * moved (kernel/linux/patch/stub.h). */
uint64_t signal_fault_place(uint64_t address);

/**
 * Turns a fault into its signal: the frame continues in the program's handler, or the run ends with a report.
 */
void signal_fault(struct trap_frame *frame, int sig, int code, uint64_t address, const char *what);

#endif
