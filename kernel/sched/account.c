/* SPDX-License-Identifier: MIT */
/* Accounts. Each change of a thread's state adds the time since the last change. */
#include "kernel/sched/account.h"

#include "abi/sched_area.h"
#include "kernel/arch/uaccess.h"
#include "kernel/dev/doorbell.h"
#include "kernel/lib/per_processor.h"
#include "kernel/lib/string.h"
#include "kernel/sched/arm.h"
#include "kernel/sched/policy.h"
#include "kernel/sched/process.h"
#include "kernel/time/vclock.h"

PER_PROCESSOR uint16_t account_calling;

static uint64_t close_stretch(struct thread *thread)
{
	uint64_t now = vclock_ticks_inline() / TICKS_PER_NS, stretch = now - thread->since_ns;
	thread->since_ns = now;
	return stretch;
}

void account_start(struct thread *thread)
{
	thread->since_ns = vclock_now();
	sched_shared()->youngest = thread->number;
}

/* Adds the time since the last change to the thread's present state. */
static void close_current(struct thread *thread)
{
	uint64_t *account = &thread->blocked_ns[thread->reason.cause];
	if (!thread->reason.what)
		account = thread == thread_current ? &thread->ran_ns : &thread->blocked_ns[SCHED_CAUSE_ready];
	*account += close_stretch(thread);
}

void account_ready(struct thread *thread)
{
	close_current(thread);
	thread->reason.what = NULL;
}

void account_run(struct thread *thread)
{
	thread->blocked_ns[SCHED_CAUSE_ready] += close_stretch(thread);
}

void account_wait(struct thread *thread)
{
	thread->ran_ns += close_stretch(thread);
}

/* Adds the decisions since the last call to the running thread's account. The points must be settled. */
static void count_points(void)
{
	static uint64_t counted;
	uint64_t decision = sched_shared()->decision;
	thread_current->points += decision - counted;
	counted = decision;
}

void account_switch(struct thread *next)
{
	count_points();
	account_run(next);
	next->switches++;
	thread_current = next;
	sched_shared()->current = next->number;
}

uint64_t account_ran_ns(const struct thread *thread)
{
	return thread->ran_ns + (thread == thread_current ? vclock_now() - thread->since_ns : 0);
}

static bool account_is_kept(const struct thread *thread)
{
	return sched_boot()->flags & SCHED_FLAG_ACCOUNT && thread->number <= SCHED_ACCOUNTS;
}

void account_created(const struct thread *thread)
{
	if (account_is_kept(thread))
		sched_area()->account_processes[thread->number - 1].process = thread->process->id;
}

static void keep(const struct thread *thread, bool ended)
{
	if (!account_is_kept(thread))
		return;
	struct sched_account *account = &sched_area()->accounts[thread->number - 1];
	account->thread = thread->number;
	account->ended = ended;
	account->points = thread->points;
	account->switches = thread->switches;
	account->ran_ns = thread->ran_ns;
	memcpy(account->blocked_ns, thread->blocked_ns, sizeof(thread->blocked_ns));
	if (!thread->note || copy_from_user(account->name, thread->note->name, sizeof(account->name)))
		account->name[0] = 0;
	account->name[sizeof(account->name) - 1] = 0;
	struct sched_account_process *of = &sched_area()->account_processes[thread->number - 1];
	if (thread->number == PROCESS_ID) /* nobody has made it */
		of->process = PROCESS_ID;
	memcpy(of->name, thread->name, sizeof(of->name));
}

void account_end(const struct thread *thread)
{
	keep(thread, true);
}

void account_close(void)
{
	count_points();
	if (thread_current->state ==
	    THREAD_ENDED) /* the last thread has ended, and no other thread could run after it */
		keep(thread_current, true);
	for (struct thread *thread = thread_first(); thread; thread = thread->after) {
		close_current(thread);
		keep(thread, false);
	}
}

_Noreturn void account_close_stopped(void)
{
	arm_points_settle();
	account_close();
	for (;;)
		doorbell_ring(DOORBELL_ACCOUNTS, 0, 0);
}
