/* SPDX-License-Identifier: MIT */
#include "session/program_choice.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/sched_parameters.h"
#include "base/die.h"
#include "session/command.h"
#include "session/sealed_run.h"
#include "session/refused_program.h"
#include "session/schedule_input.h"
#include "guest/program.h"

/* Whether the program is a native image. A file that is neither kind is refused when it is loaded. */
bool program_choice_is_native(const struct session *session)
{
	return !session->run.linux_program && (session->sealed || program_kind(session->run.image) == PROGRAM_IMAGE);
}

/* Refuses a program in a directory that the guest replaces. Called only without --root, --bind and --workdir, with
 * which the name may lead elsewhere in the guest. */
static void check_place(const struct session *session)
{
	char *real = realpath(session->run.image, NULL);
	const char *own = real ? binds_own(real) : NULL;
	if (own && real[strlen(own)])
		die("run: %s is under %s, which the guest replaces with its own; copy it elsewhere, or show its "
		    "directory by --bind and start it there",
		    session->run.image, own);
	free(real);
}

/* The default time slice of a Linux program. */
static void choose_slice(struct session *session)
{
	const uint32_t policy = session->run.sched.boot.policy;
	_Static_assert((int)SCHED_PARAMETER_near_slice == (int)SCHED_PARAMETER_fifo_slice, "one index");
	uint64_t *slice = &session->run.sched.boot.parameters[SCHED_PARAMETER_fifo_slice];
	if (session->run.linux_program && (policy == SCHED_fifo || policy == SCHED_near) && !*slice)
		*slice = SCHED_LINUX_SLICE_TICKS;
	session->run.sched.from.slice = session->run.linux_program ? SCHED_LINUX_SLICE_TICKS : 0;
}

/* Says why a file of the host cannot run. `program`: NULL if PATH does not have it. Where the guest may have another
 * file of that name, its kernel reports. Returns 0 or the exit status. */
static int check_program(const struct session *session, const char *program)
{
	char why[900];
	struct stat st;
	const bool is_host = !session->root_path && !session->workdir_given && !session->binds.count;
	if (is_host && !program && !stat(session->run.program, &st) && S_ISREG(st.st_mode))
		program = session->run.program; /* a file of the working directory that PATH does not replace */
	if (!program || (!is_host && program_kind(program) != PROGRAM_OTHER))
		return 0;
	const int status = refused_program(program, why, sizeof(why));
	if (status)
		say("%s", why);
	return status;
}

int program_choice_make(struct session *session)
{
	if (session->sealed) {
		sealed_run_open_kernel(session->sealed, &session->run);
		choose_slice(session);
		return 0;
	}
	static char path[PATH_MAX];
	bool inside = (session->root_path || session->binds.count) && access(session->run.image, F_OK);
	const char *program = inside ? NULL : session->run.image;
	if (command_is_searched(session->run.image)) {
		static char found[PATH_MAX];
		program = !session->root_path && command_find(&session->run, &session->binds, session->run.image, found)
		                  ? found
		                  : NULL;
		inside = !program || program_kind(program) != PROGRAM_IMAGE;
		if (program && session->verbosity >= 0 && !session->is_quiet_about_program)
			command_say_other(&session->given, session->run.program, program);
		if (!inside)
			session->run.image = program;
	}
	const bool is_other = !inside && program_kind(session->run.image) != PROGRAM_LINUX;
	if (!is_other && !session->root_path && !session->run.workdir && !session->binds.count)
		check_place(session); /* first: no other repair makes it run there */
	const int status = check_program(session, is_other ? session->run.image : program);
	if (status)
		return status;
	if (is_other) {
		if (program_choice_is_native(session) &&
		    (session->run.sched.points.atomics || code_points_draw(&session->run.sched.points)))
			die("run: --preempt is for Linux programs; %s is a native image: compile it with eremite-cc "
			    "-fpreempt=memory",
			    session->run.image);
		return 0;
	}
	if (program_linux_image(path))
		die("lib/linux.image, which runs Linux programs, is not beside eremite; install both with 'make "
		    "install'");
	if (session->run.sched.from.kind == SCHED_FROM_MAIN)
		schedule_input_find_main(session, program);
	session->run.image = path;
	session->run.linux_program = true;
	choose_slice(session);
	session->run.show_host = !session->root_path;
	if (session->run.show_host && !session->run.workdir)
		session->run.workdir = binds_current_directory();
	return 0;
}
