/* SPDX-License-Identifier: MIT */
#include "session/schedule_input.h"

#include <errno.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "guest/program_main.h"
#include "sched/preempt_option.h"
#include "sched/schedule_plan.h"
#include "session/opening.h"

/* Checks that --preempt is as in the recording, because a schedule counts decision points. */
static void check_preempt(const struct session *session, const struct schedule *schedule, const char *path)
{
	const struct code_points *given = &session->run.sched.points;
	char wanted[PREEMPT_TEXT], has[PREEMPT_TEXT];
	if (preempt_option_is_same(&schedule->points, given))
		return;
	preempt_option_options(&schedule->points, wanted);
	preempt_option_options(given, has);
	die("the schedule %s was recorded %s%s, and so cannot be replayed %s%s; give the options of the recording",
	    path, *wanted ? "with " : "without --preempt", wanted, *has ? "with " : "without", has);
}

void schedule_input_read(struct session *session)
{
	static struct schedule schedule;
	static struct plan plan;
	const char *path = session->schedule_near ? session->schedule_near : session->schedule_path;
	struct error error;
	if (!path)
		return;
	opening_begin(path, session->run.timeout_s);
	FILE *from = fopen(path, "re");
	if (!from)
		die("cannot read the schedule %s: %s", path, strerror(errno));
	if (schedule_read(&schedule, from, path, &error))
		die("%s", error.text);
	opening_end();
	fclose(from);
	check_preempt(session, &schedule, path);
	if (!session->schedule_near) {
		session->run.schedule = &schedule;
		session->run.schedule_name = path;
		return;
	}
	if (plan_of_schedule(&plan, &schedule, &error) || plan_add_stays(&plan, &schedule, &error))
		die("%.150s: %s", path, error.text);
	plan_order(&plan);
	session->run.sched.plan = plan.entries;
	session->run.sched.boot.counts = plan.count;
}

void schedule_input_find_main(struct session *session, const char *program)
{
	struct sched_from *from = &session->run.sched.from;
	bool named;
	int result = program ? program_main(program, &from->number, &named) : -ENOENT;
	if (result == -ENOEXEC)
		die("run: --from main: %s is not an ELF program; give --from call:N or marker:NAME",
		    session->run.program);
	if (result)
		die("run: --from main: cannot read %s here to find its main: %s; give --from call:N or marker:NAME",
		    session->run.program, strerror(-result));
	if (!named && session->verbosity >= 0)
		say("%s has no symbol main, so the policy starts at its entry point", session->run.program);
	from->main = SCHED_MAIN_WANTED;
}
