/* SPDX-License-Identifier: MIT */
#include "session/shared_out.h"

#include "base/die.h"
#include "sched/shared_notes.h"

void shared_out_begin(struct session *session)
{
	session->run.shared_notes = shared_notes_create();
	if (!session->run.shared_notes)
		die("out of memory");
}

void shared_out_write(struct session *session, FILE *to)
{
	if (!shared_notes_write(session->run.shared_notes, to) && session->verbosity >= 0)
		say("no two threads used the same memory at decision points, so %s names no instruction",
		    session->shared_out);
	shared_notes_destroy(session->run.shared_notes);
	session->run.shared_notes = NULL;
}
