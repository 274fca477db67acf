/* SPDX-License-Identifier: MIT */
/* Processes of Linux programs: what fork(2) copies, what execve(2) exchanges, and what is left for wait(2). Process 1
 * is the program that the run is about: the run ends with it. */
#ifndef KERNEL_LINUX_PROCESS_LINUX_PROCESS_H
#define KERNEL_LINUX_PROCESS_LINUX_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/linux_mman.h"
#include "kernel/linux/memory/space.h"
#include "kernel/linux/process/credentials.h"
#include "kernel/linux/process/program.h"
#include "kernel/sched/process.h"
#include "kernel/vfs/vfs.h"

#define OOM_SCORE_MAX 1000

/** A thread that waits for a child to have memory of its own, or to have ended; on its stack. */
struct lender {
	struct thread *thread;
	bool has_back;
};

struct linux_process {
	struct process *base; /**< what common code knows of it: process_first, or `own` */
	struct process own;
	struct linux_process *parent;  /**< NULL: the first one's */
	struct linux_process *child;   /**< the oldest; others follow by `sibling` */
	struct linux_process *sibling; /**< the next younger one of the same parent */
	uint32_t group, session;
	struct credentials credentials;
	uint32_t personality; /**< personality(2): PER_LINUX or PER_LINUX32, and flags, which have no effect */
	struct linux_rlimit limits[LINUX_RLIMITS];
	struct space *space; /**< NULL once it has ended */
	struct vfs_process *files;
	struct program *program; /**< NULL at first, and once it has ended */
	uint64_t start_ns;
	uint64_t ended_ns;            /**< that its threads have run which have ended */
	uint64_t children_ns;         /**< that children have run which it has waited for, with theirs */
	uint64_t peak_bytes;          /**< that were resident at once in spaces that it has left */
	uint64_t children_peak_bytes; /**< of such children, that of the largest */
	char name[THREAD_NAME_BYTES]; /**< its first thread's, also when that has ended */
	int oom_score_adj;            /**< proc(5): kept, and without effect */
	uint32_t coredump_filter;     /**< the same; with bits of core(5) changed from what they are at first */
	int exit_signal;              /**< that its parent gets at its end; 0: none */
	int death_signal;             /**< PR_SET_PDEATHSIG: that it gets when its parent ends; 0: none */
	bool dumpable;                /**< PR_SET_DUMPABLE: kept, and without effect */
	bool no_new_privileges;       /**< PR_SET_NO_NEW_PRIVS: kept; no program gives any */
	bool subreaper;               /**< PR_SET_CHILD_SUBREAPER: orphans among its descendants become its children */
	uint8_t membarriers;          /**< membarrier(2): the private commands that it has registered */
	bool executed;                /**< an execve(2) since its fork */
	bool stopping;                /**< all its threads but one end (execve(2)) */
	bool ending;                  /**< its threads end, with `status` */
	bool orphan;                  /**< its parent is the first process because its own has ended */
	bool ended;                   /**< it waits for its parent to ask */
	int status;                   /**< as wait(2) tells it */
	int nice;                     /**< its last thread's, once it has ended */
	int stopped;                  /**< the signal that has stopped it, until SIGCONT; 0: none */
	bool tells_stop;              /**< its parent has not waited for that yet (WUNTRACED) */
	bool tells_continue;          /**< nor for that it goes on (WCONTINUED) */
	struct thread_queue halted;   /**< its threads that stand still because it is stopped */
	struct thread_queue waiting;  /**< its threads that wait for a child, or for their siblings' ends */
	struct lender *lender;        /**< whose memory this process uses (vfork(2)), or NULL */
};

/** The process of the running thread. */
static inline struct linux_process *process_self(void)
{
	return process_current->more;
}

/** The first process, at the start. */
void process_begin(void);

/** Makes a child of the running process, with copies of what it has, but memory and files of its own or the same ones.
 * It has no thread, and no number, yet. 0 or a negative errno. */
int process_fork(bool share, bool share_files, struct linux_process **child);

/** Has signals that have handlers do by default what they do: execve(2). */
void process_clear_handlers(struct process *process);

/** Undoes process_fork. */
void process_discard(struct linux_process *child);

/** A child has its first thread now, and is a process as others. */
void process_add(struct linux_process *child, uint32_t id);

/** The process of a number, that has not been waited for yet; NULL: there is none. */
struct linux_process *process_find(uint32_t id);

/** The same by the number of any thread of it, as calls take it that ask for a process. */
struct linux_process *process_of_thread(uint32_t tid);

/** Names a thread of the current process, which is named after its first one. */
void process_name_thread(struct thread *thread, const char name[THREAD_NAME_BYTES]);

/** Has the processor, and the kernel's state, be those of the running thread's process. */
void process_resume(void);

/** The process's other threads end; returns when they have. */
void process_stop_others(void);

/** The running process ends, as wait(2) will tell by `status`. */
_Noreturn void process_exit(int status);

/** The running thread ends, and its process if it was the last one. */
_Noreturn void process_thread_exit(int status);

/** The process has memory of its own, or has ended: whoever lent it goes on. */
void process_give_back(struct linux_process *process);

/** Forgets a child that has ended. */
void process_reap(struct linux_process *child);

#endif
