/* SPDX-License-Identifier: MIT */
/* A model of the scheduler's core: threads that are lists of steps, run one at a time as the policy says. It keeps what
 * they did, and plays the monitor for schedules. */
#ifndef TESTS_UNIT_SCHED_MODEL_H
#define TESTS_UNIT_SCHED_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/sched/decide.h"

/** What a thread does; each but spin and end has a decision point before it. */
enum step_kind {
	STEP_END,    /**< the thread ends */
	STEP_ACCESS, /**< `op` on object `argument`; MODEL_NOTHING: a point on none */
	STEP_LOCK,   /**< lock `argument`; waits while another thread has it */
	STEP_UNLOCK, /**< hands it to one of those who wait, by choice */
	STEP_YIELD,
	STEP_SPAWN, /**< a thread that runs script `argument` */
	STEP_SLEEP, /**< for `argument` ticks */
	STEP_SPIN,  /**< `argument` times 10 ticks, with a check after each and no point */
	STEP_AWAIT, /**< spins likewise until flag `argument` is set */
	STEP_POLL,  /**< spins with a point before each look at flag `argument` */
	STEP_SET,   /**< sets flag `argument` */
};

struct step {
	enum step_kind kind;
	uint16_t op;
	uint32_t argument;
};

#define MODEL_OBJECTS 16

/** The number of no object. */
#define MODEL_NOTHING UINT32_MAX

/** The address of an object, and its number by its address. */
#define MODEL_ADDRESS(object) (0x1000 + 64UL * (object))
#define MODEL_OBJECT(address) (((address)-0x1000) / 64)

/** The place of an access: all threads run the same code for one object. */
#define MODEL_SITE(op, object) ((object) << 16 | (op))

/** How a run ended. */
enum model_end {
	MODEL_DONE,     /**< every thread has */
	MODEL_DEADLOCK, /**< none can go on */
	MODEL_MISFIT,   /**< policy_replay_failed */
	MODEL_STOPPED,  /**< policy_replay_stopped */
	MODEL_ENDLESS,  /**< more steps than model.steps_max */
};

struct model {
	/* Given. */
	const struct step *const *scripts; /**< the first thread runs scripts[0] */
	unsigned started;                  /**< that many threads exist from the start, with the scripts from 0 on */
	const struct sched_record *schedule;
	size_t schedule_records;
	size_t window; /**< records that the monitor gives at a time */
	uint64_t steps_max;

	/* Found. */
	enum model_end end;
	uint32_t *trace; /**< thread << 16 | step, in the order in which steps were made */
	size_t trace_count, trace_room;
	struct sched_record *records;
	size_t record_count, record_room;
	uint64_t now; /**< ticks */
	uint64_t switches;
	uint64_t questions[SCHED_KINDS];
	uint64_t jumps; /**< of time, while a thread was ready */
	uint64_t misfit_record;
	char misfit[256];
};

/** Maps what the policies write to; once. */
void model_map(void);

/** What the policies are told of the run, all zero but these two. */
struct boot_sched *model_boot(enum sched_policy_id policy, uint64_t seed);

/** Runs scripts from the start under the policy of the last model_boot. Trace and records are the model's. */
void model_run(struct model *model);

/** Frees what a run left. */
void model_free(struct model *model);

/** A thread that is not part of any run, for tests of single functions. */
struct thread *model_thread(uint32_t tid);

/** The ready queue of such tests. */
void model_ready_clear(void);
void model_ready_add(struct thread *thread);

/** The clock, in ticks. */
static inline uint64_t *model_clock(void)
{
	return &sched_shared()->limit;
}

#endif
