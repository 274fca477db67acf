/* SPDX-License-Identifier: MIT */
/* The model core. It asks in the order in which kernel/sched/sched.c does. */
#define _GNU_SOURCE 1
#include "tests/unit/sched/model.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "kernel/dev/doorbell.h"
#include "kernel/dev/host.h"
#include "kernel/end.h"
#include "kernel/lib/bug.h"
#include "kernel/personality.h"
#include "kernel/sched/accesses.h"
#include "kernel/sched/arm.h"
#include "kernel/sched/reads_from.h"
#include "kernel/sched/timeouts.h"
#include "kernel/time/vclock.h"

#define PAGES(bytes) (((bytes) + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1))

/* A thread of the model; the kernel's part comes first. */
struct actor {
	struct thread thread;
	const struct step *script;
	unsigned at;
	bool passed; /* the point before the step */
	uint64_t wake_at;
	struct actor *next_waiting; /* for a lock */
};

static const struct sched_policy *const policies[] = {
#define POLICY(name, text) &policy_##name,
	SCHED_POLICY_LIST(POLICY)
#undef POLICY
};

const struct personality personality; /* as of native images */
struct thread *thread_current;
long __eremite_ticks_left; /* stays 0: it is the limit that moves */
static uint64_t jumped;    /* of the clock */
static struct model *run;
static jmp_buf failed;
static struct actor *by_slot[THREADS_MAX];
static struct thread *ready_first, *ready_last;
static unsigned ready_count;
static uint32_t last_tid, alive;
static struct actor *current;
static struct actor *waiting[MODEL_OBJECTS], *sleeping;
static bool locked[MODEL_OBJECTS], flags[MODEL_OBJECTS];

static const struct sched_policy *policy(void)
{
	return policies[sched_boot()->policy];
}

/* What policies build on. */

uint64_t vclock_ticks(void)
{
	return vclock_ticks_inline();
}

uint64_t vclock_cpu(void)
{
	return *model_clock() / TICKS_PER_NS - jumped / TICKS_PER_NS;
}

unsigned thread_count(void)
{
	return alive;
}

unsigned sched_ready_count(void)
{
	return ready_count;
}

struct thread *sched_ready_at(unsigned index)
{
	struct thread *thread = ready_first;
	assert(index < ready_count);
	while (index--)
		thread = thread->next;
	return thread;
}

struct thread *thread_first(void)
{
	return NULL;
}

struct thread *thread_numbered(uint32_t number)
{
	struct actor *actor = by_slot[(number - 1) % THREADS_MAX];
	return actor && actor->thread.number == number ? &actor->thread : NULL;
}

void policy_replay_failed(uint64_t record, const char *why)
{
	run->misfit_record = record;
	snprintf(run->misfit, sizeof(run->misfit), "%s", why);
	longjmp(failed, MODEL_MISFIT);
}

void policy_replay_stopped(void)
{
	longjmp(failed, MODEL_STOPPED);
}

void bug(const char *file, int line, const char *assertion)
{
	fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, assertion);
	abort();
}

void end_with_report(enum end_reason reason, int sig, const char *what)
{
	(void)reason, (void)sig;
	policy_replay_failed(0, what);
}

static void keep_records(void)
{
	struct sched_shared *shared = sched_shared();
	if (!(sched_boot()->flags & SCHED_FLAG_RECORD))
		return;
	if (!shared->records_at)
		return;
	size_t wanted = run->record_count + shared->records_at;
	if (wanted > run->record_room) {
		run->record_room = wanted * 2;
		run->records = realloc(run->records, run->record_room * sizeof(*run->records));
	}
	memcpy(run->records + run->record_count, sched_area()->records, shared->records_at * sizeof(*run->records));
	run->record_count = wanted;
}

/* As the monitor does at the doorbell (abi/sched_record.h). */
static void move_window(void)
{
	struct sched_shared *shared = sched_shared();
	keep_records();
	shared->records_before += shared->records_at;
	shared->records_at = 0;
	if (sched_boot()->policy != SCHED_replay)
		return;
	size_t left = run->schedule_records - shared->records_before;
	shared->records_count = left < run->window ? left : run->window;
	memcpy(sched_area()->records, run->schedule + shared->records_before,
	       shared->records_count * sizeof(struct sched_record));
}

/* No run of the model makes notes. */
int64_t doorbell_ring(enum doorbell_op op, uint64_t arg0, uint64_t arg1)
{
	(void)arg0;
	(void)arg1;
	assert(op != DOORBELL_NOTES);
	return 0;
}

static const struct host_ops model_host = {.schedule = move_window};
const struct host_ops *host = &model_host;

void model_map(void)
{
	int flags_fixed = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
	if (mmap(phys_to_virt(LAYOUT_BOOT_INFO), PAGE_SIZE, PROT_READ | PROT_WRITE, flags_fixed, -1, 0) == MAP_FAILED ||
	    mmap(phys_to_virt(LAYOUT_SCHED), PAGE_SIZE, PROT_READ | PROT_WRITE, flags_fixed, -1, 0) == MAP_FAILED ||
	    mmap(phys_to_virt(LAYOUT_SCHEDULE), PAGES(sizeof(struct sched_area)), PROT_READ | PROT_WRITE, flags_fixed,
	         -1, 0) == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
}

struct boot_sched *model_boot(enum sched_policy_id id, uint64_t seed)
{
	struct boot_sched *boot = &sched_shared()->boot;
	memset(sched_shared(), 0, sizeof(struct sched_shared));
	memset(sched_area()->policy, 0, sizeof(sched_area()->policy));
	boot->policy = id;
	boot->seed = seed;
	return boot;
}

struct thread *model_thread(uint32_t tid)
{
	struct actor *actor = calloc(1, sizeof(*actor));
	actor->thread.number = actor->thread.tid = tid;
	actor->thread.slot = (tid - 1) % THREADS_MAX;
	return &actor->thread;
}

void model_ready_clear(void)
{
	ready_first = ready_last = NULL;
	ready_count = 0;
}

void model_ready_add(struct thread *thread)
{
	thread->next = NULL;
	thread->previous = ready_last;
	*(ready_last ? &ready_last->next : &ready_first) = thread;
	ready_last = thread;
	ready_count++;
}

static void ready_remove(struct thread *thread)
{
	*(thread->previous ? &thread->previous->next : &ready_first) = thread->next;
	*(thread->next ? &thread->next->previous : &ready_last) = thread->previous;
	ready_count--;
}

/* The core. */

static struct actor *create(const struct step *script)
{
	do
		last_tid++;
	while (by_slot[(last_tid - 1) % THREADS_MAX]);
	struct actor *actor = (struct actor *)model_thread(last_tid);
	actor->script = script;
	by_slot[actor->thread.slot] = actor;
	alive++;
	sched_shared()->youngest = last_tid;
	return actor;
}

static void take_over(struct thread *next, bool keep)
{
	if (next == &current->thread && keep)
		return;
	ready_remove(next);
	if (next == &current->thread)
		return;
	if (keep)
		model_ready_add(&current->thread);
	current = (struct actor *)next;
	run->switches++;
}

static void wake(struct actor *actor)
{
	model_ready_add(&actor->thread);
	sched_decide_woken(policy(), &actor->thread);
}

static void wake_sleepers(void)
{
	for (struct actor **at = &sleeping; *at;)
		if ((*at)->wake_at <= *model_clock()) {
			struct actor *actor = *at;
			*at = actor->next_waiting;
			wake(actor);
		} else {
			at = &(*at)->next_waiting;
		}
}

struct thread *timeouts_first(void)
{
	return sleeping ? &sleeping->thread : NULL;
}

/* When the next sleep ends; there is one. */
static uint64_t next_wake(void)
{
	uint64_t soonest = UINT64_MAX;
	for (struct actor *actor = sleeping; actor; actor = actor->next_waiting)
		if (actor->wake_at < soonest)
			soonest = actor->wake_at;
	return soonest;
}

static void jump(void)
{
	uint64_t ticks = next_wake() - *model_clock();
	jumped += ticks;
	*model_clock() += ticks;
	wake_sleepers();
}

static bool jumps(const struct sched_question *question)
{
	if (question->kind == SCHED_KIND_tick || question->kind == SCHED_KIND_woken || !sleeping ||
	    next_wake() <= *model_clock())
		return false;
	return sched_decide_jumps(policy(), question, (next_wake() - *model_clock()) / TICKS_PER_NS + 1);
}

static void ask(enum sched_kind kind, bool goes_on, uint16_t op, uintptr_t object)
{
	struct sched_question question = {.kind = kind,
	                                  .current = &current->thread,
	                                  .goes_on = goes_on,
	                                  .op = op,
	                                  .object = (const void *)object};
	while (jumps(&question)) {
		sched_shared()->lag_ns += (next_wake() - *model_clock()) / TICKS_PER_NS + 1;
		run->jumps++;
		jump();
		if (kind == SCHED_KIND_preempt) {
			question.kind = SCHED_KIND_woken;
			question.op = SCHED_OP_NONE;
			question.object = NULL;
		}
	}
	run->questions[question.kind]++;
	take_over(sched_decide(policy(), &question), goes_on);
}

/* A point that asks. */
static void pass(uint16_t op, uintptr_t object)
{
	thread_current = &current->thread;
	if (accesses_are_counted())
		accesses_note(op, (const void *)object);
	if (reads_from_is_noted())
		reads_from_note(op, (const void *)object, object ? MODEL_SITE(op, MODEL_OBJECT(object)) : 0);
	if (arm_point_is_early())
		reads_from_go_on(thread_current);
	else
		ask(SCHED_KIND_preempt, true, op, object);
}

/* False: nobody ever will be. */
static bool wait_for_ready(void)
{
	while (!ready_count) {
		if (!sleeping)
			return false;
		sched_shared()->lag_ns = 0;
		jump();
	}
	return true;
}

static const void *next_option(const struct sched_choice *choice, const void *option)
{
	const struct actor *actor = option;
	return actor ? actor->next_waiting : *(struct actor *const *)choice->context;
}

static uint32_t number_of(const void *option)
{
	const struct actor *actor = option;
	return actor->thread.tid;
}

static void unlock(uint32_t lock)
{
	const struct sched_choice choice = {
		.kind = SCHED_KIND_wake, .next = next_option, .number = number_of, .context = &waiting[lock]};
	locked[lock] = waiting[lock];
	if (!waiting[lock])
		return;
	unsigned option = waiting[lock]->next_waiting ? sched_decide_choice(policy(), &current->thread, &choice) : 0;
	struct actor **at = &waiting[lock];
	while (option--)
		at = &(*at)->next_waiting;
	struct actor *actor = *at;
	*at = actor->next_waiting;
	wake(actor);
}

/* The thread waits in a list. */
static bool wait_in(struct actor **list, uint16_t op)
{
	current->next_waiting = NULL;
	while (*list)
		list = &(*list)->next_waiting;
	*list = current;
	if (!wait_for_ready())
		return false;
	ask(SCHED_KIND_block, false, op, 0);
	return true;
}

static void check_ticks(void)
{
	wake_sleepers();
	if (*model_clock() >= sched_shared()->policy_ticks)
		ask(sched_decide_tick_kind(), true, SCHED_OP_NONE, 0);
}

static bool end_thread(void)
{
	struct actor *actor = current;
	by_slot[actor->thread.slot] = NULL;
	alive--;
	sched_decide_ended(policy(), &actor->thread);
	if (!alive) {
		sched_decide_end(policy(), &actor->thread, "exits");
		free(actor);
		return false;
	}
	if (wait_for_ready()) {
		ask(SCHED_KIND_exit, false, SCHED_OP_NONE, 0);
		free(actor);
		return true;
	}
	run->end = MODEL_DEADLOCK;
	sched_decide_end(policy(), &actor->thread, "cannot go on");
	free(actor);
	return false;
}

static void note_step(unsigned at)
{
	if (run->trace_count == run->trace_room) {
		run->trace_room = run->trace_room * 2 + 64;
		run->trace = realloc(run->trace, run->trace_room * sizeof(*run->trace));
	}
	run->trace[run->trace_count++] = current->thread.tid << 16 | at;
}

static const uint16_t step_op[] = {
	[STEP_LOCK] = SCHED_OP_pthread_mutex_lock,
	[STEP_UNLOCK] = SCHED_OP_pthread_mutex_unlock,
	[STEP_YIELD] = 24,
	[STEP_SPAWN] = SCHED_OP_pthread_create,
	[STEP_SLEEP] = 35,
	[STEP_POLL] = SCHED_OP_load,
	[STEP_SET] = SCHED_OP_store,
};

/* One step, or one round of a step that spins; false: the run is at its end. */
static bool perform(const struct step *step, uint16_t op)
{
	struct actor *actor = current;
	if (step->kind == STEP_AWAIT || step->kind == STEP_POLL || step->kind == STEP_SPIN) {
		*model_clock() += 10;
		actor->passed = false;
		bool over = step->kind == STEP_SPIN ? ++actor->wake_at >= step->argument : flags[step->argument];
		if (over) {
			actor->wake_at = 0;
			note_step(actor->at++);
		}
		return true;
	}
	note_step(actor->at++);
	actor->passed = false;
	*model_clock() += 4;
	switch (step->kind) {
	case STEP_LOCK:
		if (locked[step->argument])
			return wait_in(&waiting[step->argument], op);
		locked[step->argument] = true;
		return true;
	case STEP_UNLOCK:
		unlock(step->argument);
		return true;
	case STEP_YIELD:
		if (ready_count)
			ask(SCHED_KIND_yield, true, op, 0);
		return true;
	case STEP_SPAWN:
		actor = create(run->scripts[step->argument]);
		model_ready_add(&actor->thread);
		sched_decide_created(policy(), &actor->thread);
		return true;
	case STEP_SLEEP:
		actor->wake_at = *model_clock() + step->argument;
		return wait_in(&sleeping, op);
	case STEP_SET:
		flags[step->argument] = true;
		return true;
	case STEP_END:
		return end_thread();
	default:
		return true;
	}
}

static bool has_point(enum step_kind kind)
{
	return kind != STEP_END && kind != STEP_SPIN && kind != STEP_AWAIT;
}

static void run_threads(void)
{
	for (uint64_t steps = 0;; steps++) {
		const struct step *step = &current->script[current->at];
		uint16_t op = step->kind == STEP_ACCESS ? step->op : step_op[step->kind];
		struct actor *actor = current;
		if (steps == run->steps_max) {
			run->end = MODEL_ENDLESS;
			return;
		}
		if (!actor->passed && has_point(step->kind)) {
			actor->passed = true;
			if (--sched_shared()->points_left < 0)
				pass(op, step->argument == MODEL_NOTHING ? 0 : MODEL_ADDRESS(step->argument));
			if (current != actor)
				continue;
		}
		if (!perform(step, op)) {
			if (run->end != MODEL_DEADLOCK && alive) {
				run->end = MODEL_DEADLOCK;
				sched_decide_end(policy(), &current->thread, "cannot go on");
			}
			return;
		}
		check_ticks();
	}
}

static void start(void)
{
	memset(by_slot, 0, sizeof(by_slot));
	memset(waiting, 0, sizeof(waiting));
	memset(locked, 0, sizeof(locked));
	memset(flags, 0, sizeof(flags));
	model_ready_clear();
	sleeping = NULL;
	last_tid = alive = 0;
	*model_clock() = run->now;
	jumped = 0;
	current = create(run->scripts[0]);
	if (sched_boot()->policy == SCHED_replay)
		move_window();
	sched_decide_init(policy(), sched_boot(), &current->thread);
	for (unsigned i = 1; i < run->started; i++) {
		struct actor *actor = create(run->scripts[i]);
		model_ready_add(&actor->thread);
		sched_decide_created(policy(), &actor->thread);
	}
}

void model_run(struct model *model)
{
	run = model;
	if (!run->steps_max)
		run->steps_max = 1000000;
	if (!run->window)
		run->window = SCHED_WINDOW;
	switch (setjmp(failed)) {
	case 0:
		start();
		run_threads();
		keep_records();
		break;
	case MODEL_STOPPED:
		run->end = MODEL_STOPPED;
		keep_records();
		break;
	default:
		run->end = MODEL_MISFIT;
	}
	run->now = *model_clock();
	for (unsigned i = 0; i < THREADS_MAX; i++)
		free(by_slot[i]);
}

void model_free(struct model *model)
{
	free(model->trace);
	free(model->records);
	model->trace = NULL;
	model->records = NULL;
	model->trace_count = model->trace_room = model->record_count = model->record_room = 0;
}
