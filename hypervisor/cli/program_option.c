/* SPDX-License-Identifier: MIT */
#include "cli/program_option.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/sched_parameters.h"
#include "base/die.h"
#include "cli/command.h"
#include "cli/image/sealed_run.h"
#include "cli/refused_program.h"
#include "cli/schedule_option.h"
#include "guest/program.h"

/* Whether the program is a native image. A file that is neither kind is refused when it is loaded. */
bool program_option_is_native(const struct options *options)
{
	return !options->run.linux_program && (options->sealed || program_kind(options->run.image) == PROGRAM_IMAGE);
}

/* Refuses a program in a directory that the guest replaces. Called only without --root, --bind and --workdir, with
 * which the name may lead elsewhere in the guest. */
static void check_place(const struct options *options)
{
	char *real = realpath(options->run.image, NULL);
	const char *own = real ? binds_own(real) : NULL;
	if (own && real[strlen(own)])
		die("run: %s is under %s, which the guest replaces with its own; copy it elsewhere, or show its "
		    "directory by --bind and start it there",
		    options->run.image, own);
	free(real);
}

/* The default time slice of a Linux program. */
static void choose_slice(struct options *options)
{
	const uint32_t policy = options->run.sched.boot.policy;
	_Static_assert((int)SCHED_PARAMETER_near_slice == (int)SCHED_PARAMETER_fifo_slice, "one index");
	uint64_t *slice = &options->run.sched.boot.parameters[SCHED_PARAMETER_fifo_slice];
	if (options->run.linux_program && (policy == SCHED_fifo || policy == SCHED_near) && !*slice)
		*slice = SCHED_LINUX_SLICE_TICKS;
	options->run.sched.from.slice = options->run.linux_program ? SCHED_LINUX_SLICE_TICKS : 0;
}

/* Says why a file of the host cannot run. `program`: NULL if PATH does not have it. Where the guest may have another
 * file of that name, its kernel reports. Returns 0 or the exit status. */
static int check_program(const struct options *options, const char *program)
{
	char why[900];
	struct stat st;
	const bool is_host = !options->root_path && !options->workdir_given && !options->binds.count;
	if (is_host && !program && !stat(options->run.program, &st) && S_ISREG(st.st_mode))
		program = options->run.program; /* a file of the working directory that PATH does not replace */
	if (!program || (!is_host && program_kind(program) != PROGRAM_OTHER))
		return 0;
	const int status = refused_program(program, why, sizeof(why));
	if (status)
		say("%s", why);
	return status;
}

int program_option_choose(struct options *options, const struct trace_run *traced)
{
	if (options->sealed) {
		sealed_run_open_kernel(options->sealed, &options->run);
		choose_slice(options);
		return 0;
	}
	static char path[PATH_MAX];
	bool inside = (options->root_path || options->binds.count) && access(options->run.image, F_OK);
	const char *program = inside ? NULL : options->run.image;
	if (command_is_searched(options->run.image)) {
		static char found[PATH_MAX];
		program = !options->root_path && command_find(&options->run, &options->binds, options->run.image, found)
		                  ? found
		                  : NULL;
		inside = !program || program_kind(program) != PROGRAM_IMAGE;
		if (program && options->verbosity >= 0 && (!traced || traced->fds.names >= 0))
			command_say_other(&options->given, options->run.program, program);
		if (!inside)
			options->run.image = program;
	}
	const bool is_other = !inside && program_kind(options->run.image) != PROGRAM_LINUX;
	if (!is_other && !options->root_path && !options->run.workdir && !options->binds.count)
		check_place(options); /* first: no other repair makes it run there */
	const int status = check_program(options, is_other ? options->run.image : program);
	if (status)
		return status;
	if (is_other) {
		if (program_option_is_native(options) &&
		    (options->run.sched.points.atomics || code_points_draw(&options->run.sched.points)))
			die("run: --preempt is for Linux programs; %s is a native image: compile it with eremite-cc "
			    "-fpreempt=memory",
			    options->run.image);
		return 0;
	}
	if (program_linux_image(path))
		die("lib/linux.image, which runs Linux programs, is not beside eremite; install both with 'make "
		    "install'");
	if (options->run.sched.from.kind == SCHED_FROM_MAIN)
		schedule_option_find_main(options, program);
	options->run.image = path;
	options->run.linux_program = true;
	choose_slice(options);
	options->run.show_host = !options->root_path;
	if (options->run.show_host && !options->run.workdir)
		options->run.workdir = binds_current_directory();
	return 0;
}
