/* SPDX-License-Identifier: MIT */
#include "cmdline/schedule_option.h"

#include <errno.h>
#include <string.h>

#include "base/die.h"
#include "guest/program_main.h"
#include "sched/from_option.h"
#include "sched/preempt_option.h"
#include "sched/schedule_plan.h"
#include "session/opening.h"

/* Refuses what cannot go with an option that names a schedule. */
static void check_schedule(const struct session *options, const char *option, const char *does, unsigned policy)
{
	if (options->sched_given && options->run.sched.boot.policy != policy)
		die("run: %s %s a schedule, so it cannot go with --sched %s; leave one of them out", option, does,
		    sched_option_policy_name(options->run.sched.boot.policy));
	if (options->sched_seed_given && policy == SCHED_replay)
		die("run: %s %s a schedule, so it cannot go with --sched-seed; leave one of them out", option, does);
	char from[FROM_TEXT];
	from_option_describe(&options->run.sched.from, from);
	if (options->run.sched.from.kind != SCHED_FROM_START)
		die("run: %s %s a schedule from its start, so it cannot go with --from %s; leave one of them out",
		    option, does, from);
}

static void check_shared_out(struct session *options)
{
	struct boot_sched *boot = &options->run.sched.boot;
	boot->flags |= SCHED_FLAG_NOTE;
	if (!options->run.sched.points.loads)
		die("run: --shared-out notes accesses at decision points; add --preempt accesses:N,SEED, such as "
		    "accesses:65536,1");
	if (boot->policy != SCHED_random && boot->policy != SCHED_pos && boot->policy != SCHED_surw)
		die("run: --shared-out needs a policy that is asked at each decision point: --sched random, pos or "
		    "surw");
}

void schedule_option_check(struct session *options)
{
	struct boot_sched *boot = &options->run.sched.boot;
	if (options->schedule_path && options->schedule_near)
		die("run: --schedule and --schedule-near cannot go together; leave one of them out");
	if (options->schedule_path)
		check_schedule(options, "--schedule", "replays", SCHED_replay);
	if (options->schedule_near)
		check_schedule(options, "--schedule-near", "follows", SCHED_near);
	if (boot->policy == SCHED_replay && !options->schedule_path)
		die("run: --sched replay needs a schedule: --schedule FILE");
	if (options->schedule_path)
		boot->policy = SCHED_replay;
	if (options->schedule_near)
		boot->policy = SCHED_near;
	if (options->schedule_out)
		boot->flags |= SCHED_FLAG_RECORD;
	if (options->summary != SUMMARY_NONE)
		boot->flags |= SCHED_FLAG_ACCOUNT;
	if (options->shared_out)
		check_shared_out(options);
}
