/* SPDX-License-Identifier: MIT */
#include "cli/shared_out.h"

#include "base/die.h"
#include "sched/shared_notes.h"

void shared_out_begin(struct options *options)
{
	options->run.shared_notes = options->shared_out ? shared_notes_create() : NULL;
	if (options->shared_out && !options->run.shared_notes)
		die("out of memory");
}

void shared_out_write(struct options *options, FILE *to)
{
	if (!shared_notes_write(options->run.shared_notes, to) && options->verbosity >= 0)
		say("no two threads used the same memory at decision points, so %s names no instruction",
		    options->shared_out);
	shared_notes_destroy(options->run.shared_notes);
	options->run.shared_notes = NULL;
}
