/* SPDX-License-Identifier: MIT */
/* The line discipline: editing, echo, signals, modes, and processing of output, as termios(3) says. */
#include "tests/unit/fakes/tap.h"

#include <string.h>

#include "abi/linux_signal.h"
#include "kernel/vfs/line.h"

static struct line line;
static char shown[65536];
static size_t shown_bytes;

static void show(struct line *of, const void *text, size_t bytes)
{
	(void)of;
	assert_true(shown_bytes + bytes < sizeof(shown));
	memcpy(shown + shown_bytes, text, bytes);
	shown_bytes += bytes;
	shown[shown_bytes] = 0;
}

static size_t room(struct line *of)
{
	return of->stopped ? 0 : sizeof(shown);
}

static int begin(void **state)
{
	(void)state;
	line = (struct line){
		.termios =
			{
				.c_iflag = LINE_ICRNL | LINE_IXON | LINE_IUTF8,
				.c_oflag = LINE_OPOST | LINE_ONLCR,
				.c_lflag = LINE_ISIG | LINE_ICANON | LINE_ECHO | LINE_ECHOE | LINE_ECHOK |
	                                   LINE_ECHOCTL | LINE_ECHOKE | LINE_IEXTEN,
				.c_cc = {3, 28, 127, 21, 4, 0, 1, 0, 17, 19, 26, 0, 18, 15, 23, 22},
			},
		.room = room,
		.show = show,
	};
	shown_bytes = 0;
	shown[0] = 0;
	return 0;
}

/* The signal of the last byte. */
static int type(const char *keys)
{
	int sig = 0;
	while (*keys)
		sig = line_type(&line, (uint8_t)*keys++);
	line_typed(&line);
	return sig;
}

static void check_read(const char *expected)
{
	uint8_t text[LINE_QUEUE + 1];
	size_t bytes = line_take(&line, text, LINE_QUEUE);
	text[bytes] = 0;
	assert_string_equal((char *)text, expected);
}

static void check_shown(const char *expected)
{
	assert_string_equal(shown, expected);
	shown_bytes = 0;
	shown[0] = 0;
}

static void test_lines(void **state)
{
	(void)state;
	type("one");
	assert_false(line_is_ready(&line, 1));
	type("\rtwo\r");
	check_shown("one\r\ntwo\r\n");
	check_read("one\n");
	check_read("two\n");
	assert_false(line_is_ready(&line, 1));
	/* An end of file gives what there is, or nothing. */
	type("part\004\004");
	check_shown("part");
	check_read("part");
	assert_true(line_is_ready(&line, 1));
	check_read("");
	assert_false(line_is_ready(&line, 1));
}

static void test_short_reads(void **state)
{
	uint8_t text[2];
	(void)state;
	type("abc\r");
	assert_int_equal(line_take(&line, text, 2), 2);
	check_read("c\n");
}

static void test_editing(void **state)
{
	(void)state;
	type("ab\177c");
	check_shown("ab\b \bc");
	type("\303\274\177"); /* one character */
	check_shown("\303\274\b \b");
	type("\002\177"); /* shown as two */
	check_shown("^B\b \b\b \b");
	type(" word\027");
	check_shown(" word\b \b\b \b\b \b\b \b");
	type("\025\177");
	check_shown("\b \b\b \b\b \b");
	type("x\026\003\r");
	check_shown("x^\b^C\r\n");
	check_read("x\003\n");
	type("a\tb\177\177"); /* a tab is as wide as it is shown */
	check_shown("a\tb\b \b\b\b\b\b\b\b\b");
	type("\022");
	check_shown("^R\r\na");
	type(" foo.bar\027"); /* a word ends at any other character */
	check_shown(" foo.bar\b \b\b \b\b \b");
}

static void test_signals(void **state)
{
	(void)state;
	type("lost");
	assert_int_equal(type("\003"), LINUX_SIGINT);
	check_shown("lost^C");
	assert_int_equal(type("\034"), LINUX_SIGQUIT);
	assert_int_equal(type("\032"), LINUX_SIGTSTP);
	type("kept\r");
	check_read("kept\n");
	type("unseen\003"); /* typed at once: the echo is dropped, too */
	check_shown("^\\^Zkept\r\n^C");
	line.termios.c_lflag |= LINE_NOFLSH;
	type("kept");
	assert_int_equal(type("\003"), LINUX_SIGINT);
	type("\r");
	check_read("kept\n");
	line.termios.c_lflag &= ~LINE_ISIG;
	assert_int_equal(type("\003\r"), 0);
	check_read("\003\n");
	line.termios.c_lflag |= LINE_ISIG;
	line.termios.c_cc[LINE_VINTR] = 0; /* disabled */
	assert_int_equal(type("\003"), 0);
}

/* While output is stopped, echoes wait. */
static void test_stop(void **state)
{
	(void)state;
	type("\023abc\r");
	check_shown("");
	check_read("abc\n");
	type("\021");
	check_shown("abc\r\n");
	type("\023");
	for (unsigned i = 0; i < 3 * LINE_ECHOES; i++)
		type("x"); /* the oldest are lost */
	type("\021");
	assert_true(shown_bytes > LINE_ECHOES / 2 && shown_bytes < LINE_ECHOES);
}

/* An erased character is shown between \ and /. */
static void test_paper(void **state)
{
	(void)state;
	line.termios.c_lflag |= LINE_ECHOPRT;
	type("abc\177\177d\n");
	check_shown("abc\\cb/d\r\n");
	check_read("ad\n");
}

static void test_external(void **state)
{
	(void)state;
	line.termios.c_lflag |= LINE_EXTPROC;
	type("a\177\003\r");
	check_shown("");
	check_read("a\177\003\r");
	type("\004");
	assert_true(line_is_ready(&line, 1));
	check_read("");
}

static void test_raw(void **state)
{
	(void)state;
	line.termios.c_lflag = 0;
	line.termios.c_iflag = 0;
	type("a\r\003\177\021");
	assert_int_equal(line_unread(&line), 5);
	check_read("a\r\003\177\021");
	check_shown("");
	line.termios.c_iflag = LINE_ISTRIP | LINE_INLCR | LINE_IGNCR;
	type("\341\r\n");
	check_read("a\r");
}

/* What was typed before a change of the mode is not lost, and can be read at once. */
static void test_changes(void **state)
{
	struct linux_termios raw = line.termios, canonical = line.termios;
	(void)state;
	raw.c_lflag &= ~(LINE_ICANON | LINE_ECHO);
	type("line\rpart");
	line_set(&line, &raw);
	check_read("line\npart");
	type("raw");
	line_set(&line, &canonical);
	check_read("raw"); /* as on Linux, it is a line without an end of line */
	type("next\r");
	check_read("next\n");
}

/* A line that is too long loses bytes, but can always be ended. */
static void test_full(void **state)
{
	uint8_t text[LINE_QUEUE];
	(void)state;
	line.termios.c_lflag &= ~LINE_ECHO;
	for (unsigned i = 0; i < 3 * LINE_QUEUE; i++)
		type("x");
	type("\r");
	assert_int_equal(line_room(&line), 0);
	assert_int_equal(line_take(&line, text, LINE_QUEUE), LINE_QUEUE);
	assert_int_equal(text[LINE_QUEUE - 1], '\n');
	line.termios.c_iflag |= LINE_PARMRK;
	assert_int_equal(line_room(&line), LINE_QUEUE / 3);
	line.termios.c_iflag &= ~LINE_PARMRK;
	for (unsigned i = 0; i < 3 * LINE_QUEUE; i++)
		type("\004");
	while (line_is_ready(&line, 1))
		check_read("");
}

static void check_output(const char *from, const char *expected)
{
	uint8_t to[100 * LINE_OUTPUT_FACTOR];
	size_t bytes = line_output(&line, (const uint8_t *)from, strlen(from), to);
	to[bytes] = 0;
	assert_string_equal((char *)to, expected);
}

static void test_output(void **state)
{
	(void)state;
	check_output("a\nb\r\n", "a\r\nb\r\r\n");
	line.termios.c_oflag |= LINE_XTABS;
	check_output("\tab\t\t", "        ab              ");
	line.termios.c_oflag = LINE_OPOST | LINE_OCRNL;
	check_output("a\r", "a\n");
	line.termios.c_oflag = LINE_OPOST | LINE_OLCUC | LINE_ONOCR;
	check_output("\ra\xe9\r\r", "\rA\xc9\r");
	line.termios.c_oflag = LINE_ONLCR; /* without OPOST */
	check_output("a\n", "a\n");
}

#define TEST(name) cmocka_unit_test_setup(test_##name, begin)
static const struct CMUnitTest tests[] = {
	TEST(lines), TEST(short_reads), TEST(editing), TEST(signals), TEST(raw),      TEST(changes),
	TEST(full),  TEST(output),      TEST(stop),    TEST(paper),   TEST(external),
};

TAP_MAIN(tests)
