/* SPDX-License-Identifier: MIT */
#include "cli/schedule_option.h"

#include <errno.h>
#include <string.h>

#include "base/die.h"
#include "cli/opening.h"
#include "guest/program_main.h"
#include "sched/from_option.h"
#include "sched/preempt_option.h"
#include "sched/schedule_plan.h"

/* Refuses what cannot go with an option that names a schedule. */
static void check_schedule(const struct options *options, const char *option, const char *does, unsigned policy)
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

static void check_shared_out(struct options *options)
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

void schedule_option_check(struct options *options)
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

/* Checks that --preempt is as in the recording, because a schedule counts decision points. */
static void check_preempt(const struct options *options, const struct schedule *schedule, const char *path)
{
	const struct code_points *given = &options->run.sched.points;
	char wanted[PREEMPT_TEXT], has[PREEMPT_TEXT];
	if (preempt_option_is_same(&schedule->points, given))
		return;
	preempt_option_options(&schedule->points, wanted);
	preempt_option_options(given, has);
	die("the schedule %s was recorded %s%s, and so cannot be replayed %s%s; give the options of the recording",
	    path, *wanted ? "with " : "without --preempt", wanted, *has ? "with " : "without", has);
}

void schedule_option_read(struct options *options)
{
	static struct schedule schedule;
	static struct plan plan;
	const char *path = options->schedule_near ? options->schedule_near : options->schedule_path;
	char error[256];
	if (!path)
		return;
	opening_begin(path, options->run.timeout_s);
	FILE *from = fopen(path, "re");
	if (!from)
		die("cannot read the schedule %s: %s", path, strerror(errno));
	if (schedule_read(&schedule, from, path, error))
		die("%s", error);
	opening_end();
	fclose(from);
	check_preempt(options, &schedule, path);
	if (!options->schedule_near) {
		options->run.schedule = &schedule;
		options->run.schedule_name = path;
		return;
	}
	if (plan_of_schedule(&plan, &schedule, error) || plan_add_stays(&plan, &schedule, error))
		die("%.150s: %s", path, error);
	plan_order(&plan);
	options->run.sched.plan = plan.entries;
	options->run.sched.boot.counts = plan.count;
}

void schedule_option_find_main(struct options *options, const char *program)
{
	struct sched_from *from = &options->run.sched.from;
	bool named;
	int result = program ? program_main(program, &from->number, &named) : -ENOENT;
	if (result == -ENOEXEC)
		die("run: --from main: %s is not an ELF program; give --from call:N or marker:NAME",
		    options->run.program);
	if (result)
		die("run: --from main: cannot read %s here to find its main: %s; give --from call:N or marker:NAME",
		    options->run.program, strerror(-result));
	if (!named && options->verbosity >= 0)
		say("%s has no symbol main, so the policy starts at its entry point", options->run.program);
	from->main = SCHED_MAIN_WANTED;
}
