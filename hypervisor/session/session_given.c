/* SPDX-License-Identifier: MIT */
/* What a command line has given as inputs of a run, as a recording keeps them. */
#include "session/session_given.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/die.h"

void session_given_add(struct record_given *given, const char *name, const char *value)
{
	char *text, **grown = realloc(given->inputs, (given->input_count + 2UL) * sizeof(*grown));
	if (!grown || asprintf(&text, value ? "--%s=%s" : "--%s", name, value) < 0)
		die("out of memory");
	grown[given->input_count++] = text;
	grown[given->input_count] = NULL;
	given->inputs = grown;
}
