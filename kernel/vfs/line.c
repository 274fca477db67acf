/* SPDX-License-Identifier: MIT */
/* Each queued byte has a mark: whether it ends a line. An end of file is a mark without a byte. */
#include "kernel/vfs/line.h"

#include "abi/linux_signal.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"

#define ENDS_LINE 0x100U
#define END_OF_FILE 0x200U

#define DELETE 0x7f

static bool has_local(const struct line *line, uint32_t flag)
{
	return line->termios.c_lflag & flag;
}

/* Whether a byte is this control character; 0 disables one. */
static bool is_control(const struct line *line, uint8_t byte, enum line_character which)
{
	return byte && line->termios.c_cc[which] == byte;
}

static bool is_extended(const struct line *line, uint8_t byte, enum line_character which)
{
	return has_local(line, LINE_IEXTEN) && is_control(line, byte, which);
}

/* --- output --- */

static bool continues_character(const struct line *line, uint8_t byte)
{
	return (line->termios.c_iflag & LINE_IUTF8) && (byte & 0xc0) == 0x80;
}

/* The column after a byte that was printed at `column`. */
static uint32_t column_after(const struct line *line, uint32_t column, uint8_t byte)
{
	switch (byte) {
	case '\r':
		return 0;
	case '\n':
		return column;
	case '\b':
		return column ? column - 1 : 0;
	case '\t':
		return (column | 7) + 1;
	default:
		return byte < ' ' || byte == DELETE || continues_character(line, byte) ? column : column + 1;
	}
}

static size_t put_output(struct line *line, uint8_t byte, uint8_t *to)
{
	to[0] = byte;
	line->column = column_after(line, line->column, byte);
	return 1;
}

size_t line_output(struct line *line, const uint8_t *from, size_t bytes, uint8_t *to)
{
	const uint32_t flags = line->termios.c_oflag & LINE_OPOST ? line->termios.c_oflag : 0;
	size_t done = 0;
	for (size_t i = 0; i < bytes; i++) {
		uint8_t byte = from[i];
		if (byte == '\r' && (flags & LINE_OCRNL))
			byte = '\n';
		if (byte == '\n' && (flags & LINE_ONLCR))
			done += put_output(line, '\r', to + done);
		if (byte == '\t' && (flags & LINE_XTABS) == LINE_XTABS) {
			do
				done += put_output(line, ' ', to + done);
			while (line->column % 8);
			continue;
		}
		done += put_output(line, byte, to + done);
	}
	return done;
}

static void echo(struct line *line, const char *text)
{
	uint8_t out[4 * LINE_OUTPUT_FACTOR];
	size_t bytes = strlen(text);
	assert(bytes <= 4);
	line->echo(line, out, line_output(line, (const uint8_t *)text, bytes, out));
}

/* Whether a byte is shown as ^X. */
static bool is_shown_as_control(const struct line *line, uint8_t byte)
{
	return has_local(line, LINE_ECHOCTL) && (byte == DELETE || (byte < ' ' && byte != '\t' && byte != '\n'));
}

static void echo_byte(struct line *line, uint8_t byte)
{
	if (is_shown_as_control(line, byte))
		echo(line, (const char[]){'^', (char)(byte ^ 0x40), 0});
	else if (byte)
		echo(line, (const char[]){(char)byte, 0});
}

/* --- the line that is being edited --- */

static void put(struct line *line, uint16_t entry)
{
	if (line->end == LINE_QUEUE && line->start) {
		memmove(line->queue, line->queue + line->start, (line->end - line->start) * sizeof(line->queue[0]));
		line->end -= line->start;
		line->editable -= line->start;
		line->start = 0;
	}
	/* The last place is reserved for the end of a line: without it the full queue could not be read. */
	if (line->end < (entry & (ENDS_LINE | END_OF_FILE) ? LINE_QUEUE : LINE_QUEUE - 1))
		line->queue[line->end++] = entry;
	if (entry & (ENDS_LINE | END_OF_FILE)) {
		line->queue[line->end - 1] |= ENDS_LINE;
		line->editable = line->end;
	}
}

/* The column at which the edited line ends on the screen. */
static uint32_t end_column(const struct line *line)
{
	uint32_t column = line->edit_column;
	for (uint32_t i = line->editable; i < line->end; i++) {
		uint8_t byte = (uint8_t)line->queue[i];
		column = is_shown_as_control(line, byte) ? column + 2 : column_after(line, column, byte);
	}
	return column;
}

/* Removes the last character of the line, also from the screen. */
static void erase_one(struct line *line)
{
	uint32_t before = end_column(line);
	while (line->end > line->editable && continues_character(line, (uint8_t)line->queue[line->end - 1]))
		line->end--;
	if (line->end > line->editable)
		line->end--;
	if (!has_local(line, LINE_ECHO))
		return;
	if (!has_local(line, LINE_ECHOE)) {
		echo_byte(line, line->termios.c_cc[LINE_VERASE]);
		return;
	}
	for (uint32_t at = end_column(line); at < before; at++)
		echo(line, "\b \b");
}

static bool is_word(uint16_t entry)
{
	return entry != ' ' && entry != '\t';
}

static void erase_word(struct line *line)
{
	while (line->end > line->editable && !is_word(line->queue[line->end - 1]))
		erase_one(line);
	while (line->end > line->editable && is_word(line->queue[line->end - 1]))
		erase_one(line);
}

static void erase_line(struct line *line)
{
	if (has_local(line, LINE_ECHOKE) && has_local(line, LINE_ECHOE)) {
		while (line->end > line->editable)
			erase_one(line);
		return;
	}
	line->end = line->editable;
	if (!has_local(line, LINE_ECHO))
		return;
	echo_byte(line, line->termios.c_cc[LINE_VKILL]);
	if (has_local(line, LINE_ECHOK))
		echo(line, "\n");
}

static void reprint(struct line *line)
{
	echo_byte(line, line->termios.c_cc[LINE_VREPRINT]);
	echo(line, "\n");
	line->edit_column = line->column;
	for (uint32_t i = line->editable; i < line->end; i++)
		echo_byte(line, (uint8_t)line->queue[i]);
}

static void add(struct line *line, uint8_t byte)
{
	if (line->end == line->editable)
		line->edit_column = line->column;
	if (has_local(line, LINE_ECHO))
		echo_byte(line, byte);
	put(line, byte);
}

/* Canonical mode. */
static void edit(struct line *line, uint8_t byte)
{
	if (is_control(line, byte, LINE_VERASE)) {
		if (line->end > line->editable)
			erase_one(line);
	} else if (is_control(line, byte, LINE_VKILL)) {
		erase_line(line);
	} else if (is_extended(line, byte, LINE_VWERASE)) {
		erase_word(line);
	} else if (is_extended(line, byte, LINE_VREPRINT)) {
		if (has_local(line, LINE_ECHO))
			reprint(line);
	} else if (is_extended(line, byte, LINE_VLNEXT)) {
		line->literal = true;
		if (has_local(line, LINE_ECHO) && has_local(line, LINE_ECHOCTL))
			echo(line, "^\b");
	} else if (is_control(line, byte, LINE_VEOF)) {
		put(line, END_OF_FILE);
	} else if (byte == '\n' || is_control(line, byte, LINE_VEOL) || is_extended(line, byte, LINE_VEOL2)) {
		if (has_local(line, LINE_ECHO) || (byte == '\n' && has_local(line, LINE_ECHONL)))
			echo_byte(line, byte);
		put(line, byte | ENDS_LINE);
	} else {
		add(line, byte);
	}
}

/* The signal that a byte sends; 0: none. */
static int signal_of(const struct line *line, uint8_t byte)
{
	if (!has_local(line, LINE_ISIG))
		return 0;
	return is_control(line, byte, LINE_VINTR)   ? LINUX_SIGINT
	       : is_control(line, byte, LINE_VQUIT) ? LINUX_SIGQUIT
	       : is_control(line, byte, LINE_VSUSP) ? LINUX_SIGTSTP
	                                            : 0;
}

static void start_output(struct line *line)
{
	line->stopped = line->held;
}

int line_type(struct line *line, uint8_t byte)
{
	const uint32_t flags = line->termios.c_iflag;
	if (flags & LINE_ISTRIP)
		byte &= 0x7f;
	if (line->literal) {
		line->literal = false;
		add(line, byte);
		return 0;
	}
	if ((flags & LINE_IXON) && is_control(line, byte, LINE_VSTART)) {
		start_output(line);
		return 0;
	}
	if ((flags & LINE_IXON) && is_control(line, byte, LINE_VSTOP)) {
		line->stopped = true;
		return 0;
	}
	int sig = signal_of(line, byte);
	if ((flags & LINE_IXON) && (sig || (flags & LINE_IXANY)))
		start_output(line);
	if (sig) {
		if (!has_local(line, LINE_NOFLSH))
			line_flush(line);
		if (has_local(line, LINE_ECHO))
			echo_byte(line, byte);
		return sig;
	}
	if (byte == '\r' && (flags & LINE_IGNCR))
		return 0;
	if (byte == '\r' && (flags & LINE_ICRNL))
		byte = '\n';
	else if (byte == '\n' && (flags & LINE_INLCR))
		byte = '\r';
	if (has_local(line, LINE_ICANON))
		edit(line, byte);
	else
		add(line, byte);
	return 0;
}

/* --- reading --- */

size_t line_ready(const struct line *line)
{
	return (has_local(line, LINE_ICANON) ? line->editable : line->end) - line->start;
}

bool line_has_room(const struct line *line)
{
	return line->end - line->start < LINE_QUEUE - 1 ||
	       (has_local(line, LINE_ICANON) && line->editable == line->start);
}

size_t line_unread(const struct line *line)
{
	const uint32_t limit = line->start + (uint32_t)line_ready(line);
	size_t bytes = 0;
	for (uint32_t i = line->start; i < limit; i++)
		bytes += !(line->queue[i] & END_OF_FILE);
	return bytes;
}

size_t line_take(struct line *line, uint8_t *to, size_t bytes)
{
	const uint32_t limit = line->start + (uint32_t)line_ready(line);
	size_t done = 0;
	bool ends = false;
	while (line->start < limit && !ends) {
		uint16_t entry = line->queue[line->start];
		ends = has_local(line, LINE_ICANON) && (entry & ENDS_LINE);
		if (!(entry & END_OF_FILE)) {
			if (done == bytes)
				break;
			to[done++] = (uint8_t)entry;
		}
		line->start++;
	}
	if (line->editable < line->start)
		line->editable = line->start;
	if (line->start == line->end)
		line->start = line->end = line->editable = 0;
	return done;
}

/* As on Linux, what is queued when the mode changes is one line, if canonical mode reads it. */
static void join_lines(struct line *line)
{
	for (uint32_t i = line->start; i < line->end; i++)
		line->queue[i] &= (uint16_t)~ENDS_LINE;
	if (line->end > line->start)
		line->queue[line->end - 1] |= ENDS_LINE;
	line->editable = line->end;
	line->literal = false;
}

void line_set(struct line *line, const struct linux_termios *termios)
{
	const uint32_t before = line->termios.c_iflag;
	const bool other_mode = (line->termios.c_lflag ^ termios->c_lflag) & LINE_ICANON;
	line->termios = *termios;
	if (other_mode)
		join_lines(line);
	if ((before & LINE_IXON) && !(termios->c_iflag & LINE_IXON))
		start_output(line);
}

void line_flush(struct line *line)
{
	line->start = line->end = line->editable = 0;
	line->literal = false;
}
