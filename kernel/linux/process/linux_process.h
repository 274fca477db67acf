/* SPDX-License-Identifier: MIT */
/* Processes of Linux programs: the state that fork(2) copies, execve(2) replaces, and wait(2) reads at the end. Process
 * 1 runs the program of the run, and the run ends with it. */
#ifndef KERNEL_LINUX_PROCESS_LINUX_PROCESS_H
#define KERNEL_LINUX_PROCESS_LINUX_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/linux/memory/linux_space.h"
#include "kernel/linux/process/credentials.h"
#include "kernel/linux/process/program.h"
#include "kernel/sched/process.h"
#include "kernel/vfs/vfs.h"

#define OOM_SCORE_MAX 1000

/** A thread that lends its memory to a child (vfork(2)), and waits until the child has its own memory or has ended. The
 * structure is on that thread's stack. */
struct lender {
	struct thread *thread;
	bool has_back;
};

struct terminal;

struct linux_process {
	struct process *base; /**< the common part: process_first, or `own` */
	struct process own;
	struct linux_process *parent;  /**< NULL for the first process */
	struct linux_process *child;   /**< the oldest; others follow by `sibling` */
	struct linux_process *sibling; /**< the next younger child of the same parent */
	uint32_t group, session;
	struct terminal *terminal; /**< the controlling terminal, or NULL */
	uint32_t old_foreground;   /**< of the terminal that this leader has lost by a hang-up; 0: none */
	struct credentials credentials;
	struct linux_space *space; /**< NULL after its end */
	struct program *program;   /**< NULL before the first execve(2), and after its end */
	uint64_t start_ns;
	uint64_t ended_ns;            /**< run time of its ended threads */
	uint64_t children_ns;         /**< run time of the children that it has waited for, and of their children */
	uint64_t peak_bytes;          /**< maximum resident memory in the address spaces that it has left */
	uint64_t children_peak_bytes; /**< the largest peak among the children that it has waited for */
	char name[THREAD_NAME_BYTES]; /**< the name of its first thread, kept after that thread ends */
	int oom_score_adj;            /**< proc(5): stored, without effect */
	uint32_t coredump_filter;     /**< core(5): stored, without effect, as the bits that differ from the default */
	uint32_t login_user;          /**< loginuid of proc(5): stored, as the bits that differ from LOGIN_NONE */
	uint32_t login_session;       /**< sessionid of proc(5), in the same way */
	int exit_signal;              /**< signal to its parent when it ends; 0: none */
	int death_signal;             /**< PR_SET_PDEATHSIG: signal to it when its parent ends; 0: none */
	bool dumpable;                /**< PR_SET_DUMPABLE: whether its objects in /proc are its user's */
	bool no_new_privileges;       /**< PR_SET_NO_NEW_PRIVS: stored; no program grants privileges anyway */
	bool subreaper;               /**< PR_SET_CHILD_SUBREAPER: orphans among its descendants become its children */
	uint8_t membarriers;          /**< membarrier(2): the private commands that are registered */
	bool executed;                /**< it has called execve(2) since its fork */
	bool stopping;                /**< all of its threads but one are ending (execve(2)) */
	bool ending;                  /**< all of its threads are ending, with `status` */
	bool orphan;                  /**< the first process is its parent because its own parent has ended */
	bool ended;                   /**< it has ended and waits for its parent's wait(2) */
	int status;                   /**< as in wait(2) */
	int nice;                     /**< after its end: the nice value of its last thread */
	int stopped;                  /**< the signal that stopped it, until SIGCONT; 0: not stopped */
	bool tells_stop;              /**< its parent has not yet waited for the stop (WUNTRACED) */
	bool tells_continue;          /**< its parent has not yet waited for the continuation (WCONTINUED) */
	struct thread_queue halted;   /**< its threads that are halted because it is stopped */
	struct thread_queue waiting;  /**< its threads that wait for a child, or for the end of its other threads */
	struct lender *lender;        /**< the owner of the memory that this process uses (vfork(2)), or NULL */
};

/** The process of the running thread. */
static inline struct linux_process *process_self(void)
{
	return process_current->more;
}

/** Sets up the first process at the start. */
void process_begin(void);

/** Makes a child of the running process. Memory and files are copied or shared; the rest is copied. The child has no
 * thread and no number yet. Returns 0 or a negative errno. */
int process_fork(bool share, bool share_files, struct linux_process **child);

/** personality.may. */
bool process_may(int capability);

/** personality.limit_may_rise: root may raise all hard limits, that of descriptors up to FDTABLE_MAX. */
bool process_may_raise_limit(int resource, uint64_t hard);

/** personality.limits_find, for the number of any thread of the process. */
struct linux_rlimit *process_limits(int pid);

/** Resets signals with handlers to their default action: execve(2). */
void process_clear_handlers(struct process *process);

/** Undoes process_fork. */
void process_discard(struct linux_process *child);

/** Makes a child a process like others, after it got its first thread. */
void process_add(struct linux_process *child, uint32_t id);

/** The process with a number, ended or not, until it is waited for. NULL: no such process. */
struct linux_process *process_find(uint32_t id);

/** personality.process_exists: whether process_find finds the number. */
bool process_exists(uint32_t id);

/** Finds a process by the number of any of its threads, for calls that accept that. */
struct linux_process *process_of_thread(uint32_t tid);

/** Names a thread of the current process. The name of the first thread is also that of the process. */
void process_name_thread(struct thread *thread, const char name[THREAD_NAME_BYTES]);

/** Makes the running thread's process the current one, and the processor use its memory. */
void process_resume(void);

/** Ends the other threads of the process; returns when they have ended. */
void process_stop_others(void);

/** Ends the running process; wait(2) returns `status`. */
_Noreturn void process_exit(int status);

/** Ends the running thread, and its process if it was the last one. */
_Noreturn void process_thread_exit(int status);

/** The process has its own memory, or has ended: the thread that lent its memory continues. */
void process_give_back(struct linux_process *process);

/** Records the lender of the memory of a process; lender->has_back tells when it may go. */
void process_borrow(struct linux_process *process, struct lender *lender);

/** Frees a child that has ended. */
void process_reap(struct linux_process *child);

#endif
