/* SPDX-License-Identifier: MIT */
/* A program runs a guest by the library, and its observer gets the guest's output and the end of the run. */
#include <string.h>
#include <unistd.h>

#include "base/own_path.h"
#include "session/session.h"
#include "tests/unit/fakes/tap.h"

static char written[64];
static enum run_end told;

static void on_output(void *context, int stream, const void *bytes, size_t count)
{
	strncat(written, bytes, count);
	*(int *)context = stream;
}

static void on_end(void *context, const struct run_result *result)
{
	(void)context;
	told = result->end;
}

static void runs_a_guest(void **unused)
{
	static struct session session;
	static struct run_result result;
	static char path[PATH_MAX];
	char *arguments[] = {path, NULL};
	int stream = 0;
	(void)unused;
	assert_int_equal(own_path(path), 0);
	strcpy(strrchr(path, '/'), "/../../apps/hello");
	session_init(&session);
	session.run.image = session.run.program = path;
	session.run.arguments = arguments;
	session.run.argument_count = 1;
	session.run.discard_output = true;
	session.run.observer = (struct observer){.context = &stream, .output = on_output, .end = on_end};
	assert_int_equal(session_open(&session), 0);
	session_start(&session);
	session_run(&session, &result);
	session_keep(&session, &result);
	session_close(&session, &result);
	assert_string_equal(written, "Hello, world!\n");
	assert_int_equal(stream, 1);
	assert_int_equal(told, RUN_EXIT);
	assert_int_equal(session_status(&result), 0);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(runs_a_guest)};

TAP_MAIN(tests)
