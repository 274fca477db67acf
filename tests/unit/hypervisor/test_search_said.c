/* SPDX-License-Identifier: MIT */
/* Readers of what a program has written: cut and damaged texts end in a result or a refusal. The sanitizers of this
 * test find what they read beyond. */
#include "search/results/search_junit.h"
#include "search/results/search_said.h"

#include "tests/unit/fakes/tap.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char report[] = "<?xml version='1.0'?><!-- c --><testsuites><testsuite name=\"s\"><testcase classname='C' "
			     "name=\"a&lt;b\"><failure message=\"m &amp;&#10;n\"><![CDATA[<x>]]></failure></testcase>"
			     "<testcase name='ok'/></testsuite></testsuites>";

static const char output[] =
	"==1==ERROR: AddressSanitizer: bad on 0x12\n    #0 0x1 in f a.c:1\n--- FAIL: TestX (0.01s)\n    a_test.go:3: "
	"m\n"
	"thread 'main' panicked at a.rs:1:2:\nleft\nTraceback (most recent call last):\n  File \"a.py\", line 3, in f\n"
	"    x\nError: 7\nThe following tests FAILED:\n\t 1 - racy (Failed)\npanic: x\n\n\tb.go:1 +0x1\n";

/* Reads a copy of exactly these bytes. */
static int junit(const char *from, size_t bytes, char **lines)
{
	struct error error;
	char *copy = malloc(bytes ? bytes : 1);
	size_t size;
	FILE *to = open_memstream(lines, &size);
	memcpy(copy, from, bytes);
	const int result = search_junit_find(copy, bytes, 8, to, &error);
	fclose(to);
	free(copy);
	return result;
}

static void said(const char *from, size_t bytes)
{
	char *copy = malloc(bytes + 1);
	memcpy(copy, from, bytes);
	copy[bytes] = 0;
	struct search_text text = {{copy, copy}, {bytes, bytes}};
	struct search_said found = {0};
	search_text_clean(&text);
	search_said_find(&found, &text, NULL);
	assert_true(strlen(found.lines) < 8192);
	search_said_fini(&found);
	free(search_said_differs(&text, &text));
	free(copy);
}

static void test_whole(void **state)
{
	char *lines;
	(void)state;
	assert_int_equal(junit(report, sizeof(report) - 1, &lines), 1);
	assert_string_equal(lines, "C.a<b - m &\n");
	free(lines);
}

static void junit_is(const char *file, int failed, const char *wanted)
{
	char *lines;
	assert_int_equal(junit(file, strlen(file), &lines), failed);
	assert_string_equal(lines, wanted);
	free(lines);
}

static void test_tests(void **state)
{
	(void)state;
	junit_is("<testsuite name='s'><testcase name='ok'/><error message='teardown'/></testsuite>", 1,
	         "s - teardown\n");
	junit_is("<testsuite><testcase name='ok'><system-out/></testcase><error/><failure/></testsuite>", 2,
	         "unnamed\nunnamed\n");
	junit_is("<testsuite><testcase classname='C'><failure message='m'/><error/></testcase>"
	         "<testcase><x><failure/></x></testcase><testcase name='' ><error/></testcase></testsuite>",
	         3, "C - m\nunnamed\nunnamed\n");
}

/* The key of an exception with this text. */
static char *key_of(const char *line)
{
	char *text = NULL, empty[1] = "";
	struct search_said found = {0};
	assert_true(asprintf(&text, "panic: %s\n", line) > 0);
	struct search_text both = {{empty, text}, {0, strlen(text)}};
	search_said_find(&found, &both, NULL);
	free(text);
	free(found.lines);
	return found.key;
}

/* Numbers do not tell failures apart, but lines of source do. */
static void test_numbers(void **state)
{
	static const char *const values[][2] = {
		{"bad balance:84800", "bad balance:7"},
		{"at 12:34:56.7", "at 1:2:3.4"},
		{"{'n':5}", "{'n':66}"},
		{"127.0.0.1:80", "127.0.0.1:9123"},
		{"http://server:80/", "http://server:81/"},
		{"line 5 of the input", "line 66 of the input"},
		{"std::vector::at:5", "std::vector::at:6"},
		{"10/12:30", "11/1:3"},
	};
	static const char *const places[][2] = {
		{"a.c:12", "a.c:13"},
		{"src/b.rs:3:7", "src/b.rs:4:7"},
		{"src/b.rs:3:7", "src/b.rs:3:8"},
		{"File \"x.py\", line 5", "File \"x.py\", line 6"},
		{"File \"<string>\", line 5", "File \"<string>\", line 6"},
		{"./run.sh: line 5: x", "./run.sh: line 6: x"},
		{"in /x/a.php on line 3", "in /x/a.php on line 4"},
		{"(/x/Makefile:3)", "(/x/Makefile:4)"},
	};
	(void)state;
	for (unsigned i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		char *a = key_of(values[i][0]), *b = key_of(values[i][1]);
		assert_string_equal(a, b);
		free(a);
		free(b);
	}
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *a = key_of(places[i][0]), *b = key_of(places[i][1]);
		assert_string_not_equal(a, b);
		free(a);
		free(b);
	}
}

static void test_cut(void **state)
{
	char *lines;
	(void)state;
	for (size_t bytes = 0; bytes < sizeof(report) - 1; bytes++) {
		assert_true(junit(report, bytes, &lines) < 0);
		free(lines);
	}
	for (size_t bytes = 0; bytes < sizeof(output); bytes++)
		said(output, bytes);
}

static void test_damaged(void **state)
{
	static const char bytes[] = "<>/'\"&=! \n\0]-#:\xff";
	uint64_t random = 1;
	char *lines;
	(void)state;
	for (unsigned i = 0; i < 20000; i++) {
		char damaged[sizeof(report)], text[sizeof(output)];
		memcpy(damaged, report, sizeof(report));
		memcpy(text, output, sizeof(output));
		for (unsigned j = 0; j < 3; j++) {
			random = random * 6364136223846793005UL + 1442695040888963407UL;
			damaged[(random >> 33) % (sizeof(report) - 1)] = bytes[(random >> 20) % sizeof(bytes)];
			text[(random >> 33) % (sizeof(output) - 1)] = bytes[(random >> 20) % sizeof(bytes)];
		}
		junit(damaged, sizeof(report) - 1, &lines);
		free(lines);
		said(text, sizeof(output) - 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole), cmocka_unit_test(test_tests),   cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_cut),   cmocka_unit_test(test_damaged),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
