/* SPDX-License-Identifier: MIT */
/* A byte of the queue is shown, and COMMAND begins a command: COMMAND itself for that byte, a control character for ^X,
 * or one of enum command. Echoes wait while output is stopped or has no room; the oldest are lost when the queue is
 * nearly full. A queue that overflows in spite of that shows the wrong bytes, as on Linux. */
#include "kernel/vfs/line_echo.h"

#include "kernel/vfs/line_byte.h"
#include "kernel/vfs/line_output.h"

#define COMMAND 0xffU

enum command {
	MOVE_BACK = 0x80,
	BEGIN_LINE,
	ERASE_TAB, /* the byte after it has the columns */
};

#define AFTER_TAB 0x80U /* of the columns of ERASE_TAB */

/* Linux's limits, in bytes: complete echoes are shown at once when there are so many, and dropped above the other. */
#define MANY 256U
#define NEARLY_FULL (LINE_ECHOES - (MANY + 32))

#define SHOWN_AT_ONCE 128U

static void add_echo(struct line *line, uint8_t byte)
{
	line->echo.bytes[line->echo.head++ % LINE_ECHOES] = byte;
}

static uint8_t echo_at(const struct line *line, uint32_t at)
{
	return line->echo.bytes[at % LINE_ECHOES];
}

static void add_command(struct line *line, uint8_t command)
{
	add_echo(line, COMMAND);
	add_echo(line, command);
}

void line_echo_raw(struct line *line, uint8_t byte)
{
	if (byte == COMMAND)
		add_command(line, byte);
	else
		add_echo(line, byte);
}

void line_echo_byte(struct line *line, uint8_t byte)
{
	if ((line->termios.c_lflag & LINE_ECHOCTL) && line_byte_is_control(byte) && byte != '\t')
		add_command(line, byte);
	else
		line_echo_raw(line, byte);
}

void line_echo_begin(struct line *line)
{
	add_command(line, BEGIN_LINE);
}

void line_echo_move_back(struct line *line)
{
	add_command(line, MOVE_BACK);
}

void line_echo_erase_tab(struct line *line, uint32_t columns, bool after_tab)
{
	add_command(line, ERASE_TAB);
	add_echo(line, (uint8_t)(columns % 8 | (after_tab ? AFTER_TAB : 0)));
}

static void move_left(struct line *line)
{
	line->column -= line->column ? 1 : 0;
}

/* Goes to where a tab begins. The characters before it count from the beginning of the line, or from another tab. */
static size_t output_erased_tab(struct line *line, uint8_t columns, uint8_t *to)
{
	const uint32_t before = columns & AFTER_TAB ? columns : columns + line->edit_column;
	const size_t width = 8 - before % 8;
	for (size_t i = 0; i < width; i++) {
		move_left(line);
		to[i] = '\b';
	}
	return width;
}

/* Runs the command at `at`. Returns the number of bytes put at `to`. */
static size_t output_command(struct line *line, uint32_t at, uint8_t *to)
{
	const uint8_t command = echo_at(line, at + 1);
	switch (command) {
	case ERASE_TAB:
		return output_erased_tab(line, echo_at(line, at + 2), to);
	case BEGIN_LINE:
		line->edit_column = line->column;
		return 0;
	case MOVE_BACK:
		move_left(line);
		return 0;
	case COMMAND:
		line->column++;
		to[0] = COMMAND;
		return 1;
	default:
		line->column += 2;
		to[0] = '^';
		to[1] = command ^ 0x40;
		return 2;
	}
}

static uint32_t bytes_of_entry(const struct line *line, uint32_t at)
{
	if (echo_at(line, at) != COMMAND)
		return 1;
	return echo_at(line, at + 1) == ERASE_TAB ? 3 : 2;
}

/* Processes the entry at the tail. Returns the number of bytes put at `to`. */
static size_t output_entry(struct line *line, uint8_t *to)
{
	const uint8_t byte = echo_at(line, line->echo.tail);
	if (byte == COMMAND)
		return output_command(line, line->echo.tail, to);
	if (line->termios.c_oflag & LINE_OPOST)
		return line_output_byte(line, byte, to);
	to[0] = byte;
	return 1;
}

static void show_committed(struct line *line)
{
	struct line_echo *echo = &line->echo;
	const size_t room = line->room(line);
	uint8_t out[SHOWN_AT_ONCE];
	size_t bytes = 0, total = 0;
	while ((echo->commit - echo->tail) % LINE_ECHOES && total < room) {
		if (bytes + LINE_OUTPUT_FACTOR > sizeof(out)) {
			line->show(line, out, bytes);
			bytes = 0;
		}
		const size_t more = output_entry(line, out + bytes);
		bytes += more;
		total += more;
		echo->tail += bytes_of_entry(line, echo->tail);
	}
	if (bytes)
		line->show(line, out, bytes);
	while ((int32_t)(echo->commit - echo->tail) >= (int32_t)NEARLY_FULL)
		echo->tail += bytes_of_entry(line, echo->tail);
}

void line_echo_commit(struct line *line)
{
	struct line_echo *echo = &line->echo;
	const uint32_t bytes = echo->head - echo->tail, before = echo->commit - echo->tail;
	echo->mark = echo->head;
	if (bytes < MANY || bytes % MANY > before % MANY)
		return;
	echo->commit = echo->head;
	show_committed(line);
}

void line_echo_show(struct line *line)
{
	if (line->echo.mark == line->echo.tail)
		return;
	line->echo.commit = line->echo.mark;
	show_committed(line);
}

void line_echo_show_all(struct line *line)
{
	if (line->echo.commit == line->echo.head)
		return;
	line->echo.commit = line->echo.head;
	show_committed(line);
}

void line_echo_drop(struct line *line)
{
	line->echo.tail = line->echo.commit = line->echo.mark = line->echo.head = 0;
}
