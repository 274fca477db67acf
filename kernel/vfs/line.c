/* SPDX-License-Identifier: MIT */
/* Typed bytes. Each queued byte has a mark: whether it ends a line. An end of file is a mark with a NUL byte.
 *
 * Without canonical mode, `editable` stays where the change of the mode has left it, as on Linux; only the place at
 * which an erased tab begins depends on it. */
#include "kernel/vfs/line.h"

#include "abi/linux_signal.h"
#include "kernel/lib/bug.h"
#include "kernel/lib/string.h"
#include "kernel/vfs/line_byte.h"
#include "kernel/vfs/line_echo.h"

#define ENDS_LINE 0x100U
#define END_OF_FILE ENDS_LINE /* and the byte is 0 */

static bool has_input(const struct line *line, uint32_t flag)
{
	return line->termios.c_iflag & flag;
}

static bool has_local(const struct line *line, uint32_t flag)
{
	return line->termios.c_lflag & flag;
}

bool line_is_canonical(const struct line *line)
{
	return has_local(line, LINE_ICANON) && !has_local(line, LINE_EXTPROC);
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

/* --- the queue --- */

static uint16_t queued_at(const struct line *line, uint32_t at)
{
	return line->queue[at % LINE_QUEUE];
}

static void queue_entry(struct line *line, uint16_t entry)
{
	if (line->end - line->start < LINE_QUEUE)
		line->queue[line->end++ % LINE_QUEUE] = entry;
}

/* Queues a byte that ends a line. A full queue holds no other line: its last byte makes room. */
static void queue_end(struct line *line, uint16_t entry)
{
	if (line->end - line->start == LINE_QUEUE)
		line->end--;
	queue_entry(line, entry);
	line->editable = line->end;
}

/* Queues a byte of a line. With PARMRK, \377 is doubled. */
static void queue_byte(struct line *line, uint8_t byte)
{
	if (byte == 0xff && has_input(line, LINE_PARMRK))
		queue_entry(line, byte);
	queue_entry(line, byte);
}

/* --- echo --- */

static void end_erasing(struct line *line)
{
	if (line->erasing)
		line_echo_raw(line, '/');
	line->erasing = false;
}

static void start_output(struct line *line)
{
	line->stopped = line->held;
	line_echo_show(line);
}

/* Echoes a byte that joins the line. */
static void echo_typed(struct line *line, uint8_t byte)
{
	end_erasing(line);
	if (line->editable == line->end)
		line_echo_begin(line);
	line_echo_byte(line, byte);
	line_echo_commit(line);
}

/* --- editing --- */

/* The columns of the characters before `at`, since a tab or else since the beginning of the line. */
static uint32_t columns_before(const struct line *line, uint32_t at, bool *after_tab)
{
	uint32_t columns = 0;
	for (*after_tab = false; at != line->editable && !*after_tab;) {
		const uint8_t byte = (uint8_t)queued_at(line, --at);
		if (byte == '\t')
			*after_tab = true;
		else if (line_byte_is_control(byte))
			columns += has_local(line, LINE_ECHOCTL) ? 2 : 0;
		else
			columns += !line_byte_continues(line, byte);
	}
	return columns;
}

/* Shows a character as erased: on paper. It has `bytes` bytes, from `end` on. */
static void echo_on_paper(struct line *line, uint32_t bytes)
{
	if (!line->erasing)
		line_echo_raw(line, '\\');
	line->erasing = true;
	line_echo_byte(line, (uint8_t)queued_at(line, line->end));
	for (uint32_t i = 1; i < bytes; i++) {
		line_echo_raw(line, (uint8_t)queued_at(line, line->end + i));
		line_echo_move_back(line);
	}
}

static void echo_blank(struct line *line)
{
	line_echo_raw(line, '\b');
	line_echo_raw(line, ' ');
	line_echo_raw(line, '\b');
}

/* Removes a character from the screen. It has begun at `end`. */
static void echo_erased(struct line *line, uint8_t byte)
{
	bool after_tab;
	if (byte == '\t') {
		const uint32_t columns = columns_before(line, line->end, &after_tab);
		line_echo_erase_tab(line, columns, after_tab);
		return;
	}
	const bool is_shown = !line_byte_is_control(byte) || has_local(line, LINE_ECHOCTL);
	if (line_byte_is_control(byte) && is_shown)
		echo_blank(line);
	if (is_shown)
		echo_blank(line);
}

/* Finds the first byte of the last character. Returns false if there is no whole one. */
static bool find_last(const struct line *line, uint32_t *at)
{
	uint8_t byte;
	*at = line->end;
	do
		byte = (uint8_t)queued_at(line, --*at);
	while (line_byte_continues(line, byte) && *at != line->editable);
	return !line_byte_continues(line, byte);
}

/* Erases a character, the last word, or the line. */
static void erase_characters(struct line *line, enum line_character which)
{
	bool in_word = false;
	uint32_t at;
	while (line->end != line->editable && find_last(line, &at)) {
		const uint8_t byte = (uint8_t)queued_at(line, at);
		if (which == LINE_VWERASE && in_word && !line_byte_is_word(byte))
			break;
		in_word = in_word || line_byte_is_word(byte);
		const uint32_t bytes = line->end - at;
		line->end = at;
		if (has_local(line, LINE_ECHO)) {
			if (has_local(line, LINE_ECHOPRT))
				echo_on_paper(line, bytes);
			else if (which == LINE_VERASE && !has_local(line, LINE_ECHOE))
				line_echo_byte(line, line->termios.c_cc[LINE_VERASE]);
			else
				echo_erased(line, byte);
		}
		if (which == LINE_VERASE)
			break;
	}
	if (line->end == line->editable && has_local(line, LINE_ECHO))
		end_erasing(line);
}

static void erase_line(struct line *line)
{
	const uint32_t visible = LINE_ECHOK | LINE_ECHOKE | LINE_ECHOE;
	if (has_local(line, LINE_ECHO) && (line->termios.c_lflag & visible) == visible) {
		erase_characters(line, LINE_VKILL);
		return;
	}
	line->end = line->editable;
	if (!has_local(line, LINE_ECHO))
		return;
	end_erasing(line);
	line_echo_byte(line, line->termios.c_cc[LINE_VKILL]);
	if (has_local(line, LINE_ECHOK))
		line_echo_raw(line, '\n');
}

static void reprint(struct line *line, uint8_t byte)
{
	end_erasing(line);
	line_echo_byte(line, byte);
	line_echo_raw(line, '\n');
	for (uint32_t at = line->editable; at != line->end; at++)
		line_echo_byte(line, (uint8_t)queued_at(line, at));
	line_echo_commit(line);
}

static void begin_literal(struct line *line)
{
	line->literal = true;
	if (!has_local(line, LINE_ECHO))
		return;
	end_erasing(line);
	if (!has_local(line, LINE_ECHOCTL))
		return;
	line_echo_raw(line, '^');
	line_echo_raw(line, '\b');
	line_echo_commit(line);
}

/* Ends the line by a control character. It is not erased by what follows. */
static void end_line(struct line *line, uint8_t byte)
{
	if (has_local(line, LINE_ECHO)) {
		if (line->editable == line->end)
			line_echo_begin(line);
		line_echo_byte(line, byte);
		line_echo_commit(line);
	}
	if (byte == 0xff && has_input(line, LINE_PARMRK))
		queue_entry(line, byte);
	queue_end(line, byte | ENDS_LINE);
}

/* A byte that edits or ends a line, if it is one. */
static bool edit_line(struct line *line, uint8_t byte)
{
	const bool is_erasing = is_control(line, byte, LINE_VERASE) || is_control(line, byte, LINE_VKILL) ||
	                        is_extended(line, byte, LINE_VWERASE);
	if (is_erasing) {
		if (line->end == line->editable)
			return true;
		if (is_control(line, byte, LINE_VERASE))
			erase_characters(line, LINE_VERASE);
		else if (is_control(line, byte, LINE_VWERASE))
			erase_characters(line, LINE_VWERASE);
		else
			erase_line(line);
		line_echo_commit(line);
	} else if (is_extended(line, byte, LINE_VLNEXT)) {
		begin_literal(line);
	} else if (is_extended(line, byte, LINE_VREPRINT) && has_local(line, LINE_ECHO)) {
		reprint(line, byte);
	} else if (byte == '\n') {
		if (has_local(line, LINE_ECHO | LINE_ECHONL)) {
			line_echo_raw(line, '\n');
			line_echo_commit(line);
		}
		queue_end(line, '\n' | ENDS_LINE);
	} else if (is_control(line, byte, LINE_VEOF)) {
		queue_end(line, END_OF_FILE);
	} else if (is_control(line, byte, LINE_VEOL) || is_extended(line, byte, LINE_VEOL2)) {
		end_line(line, byte);
	} else {
		return false;
	}
	return true;
}

/* --- typing --- */

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

static void echo_signal(struct line *line, uint8_t byte)
{
	if (!has_local(line, LINE_NOFLSH)) {
		line_echo_drop(line);
		line_flush(line);
	}
	if (has_input(line, LINE_IXON))
		start_output(line);
	if (has_local(line, LINE_ECHO)) {
		line_echo_byte(line, byte);
		line_echo_commit(line);
	} else {
		line_echo_show(line);
	}
}

/* With IXANY any byte starts the output that a key has stopped. */
static void start_by_any(struct line *line)
{
	if (line->stopped && !line->held && has_input(line, LINE_IXON) && has_input(line, LINE_IXANY))
		start_output(line);
}

static void type_plain(struct line *line, uint8_t byte)
{
	start_by_any(line);
	if (has_local(line, LINE_ECHO))
		echo_typed(line, byte);
	queue_byte(line, byte);
}

/* Whether a byte may mean something. The others are echoed and queued as they are. */
static bool is_special(const struct line *line, uint8_t byte)
{
	if (!byte)
		return false;
	if (byte == '\r' && has_input(line, LINE_IGNCR | LINE_ICRNL))
		return true;
	if (byte == '\n' && (has_input(line, LINE_INLCR) || has_local(line, LINE_ICANON)))
		return true;
	if (has_input(line, LINE_IXON) && (is_control(line, byte, LINE_VSTART) || is_control(line, byte, LINE_VSTOP)))
		return true;
	if (signal_of(line, byte))
		return true;
	if (!has_local(line, LINE_ICANON))
		return false;
	return is_control(line, byte, LINE_VERASE) || is_control(line, byte, LINE_VKILL) ||
	       is_control(line, byte, LINE_VEOF) || is_control(line, byte, LINE_VEOL) ||
	       is_extended(line, byte, LINE_VWERASE) || is_extended(line, byte, LINE_VLNEXT) ||
	       is_extended(line, byte, LINE_VEOL2) ||
	       (has_local(line, LINE_ECHO) && is_extended(line, byte, LINE_VREPRINT));
}

static bool take_flow_key(struct line *line, uint8_t byte)
{
	if (!has_input(line, LINE_IXON))
		return false;
	if (is_control(line, byte, LINE_VSTART)) {
		start_output(line);
		return true;
	}
	if (is_control(line, byte, LINE_VSTOP)) {
		line->stopped = true;
		return true;
	}
	return false;
}

static int type_special(struct line *line, uint8_t byte)
{
	if (take_flow_key(line, byte))
		return 0;
	const int sig = signal_of(line, byte);
	if (sig) {
		echo_signal(line, byte);
		return sig;
	}
	start_by_any(line);
	if (byte == '\r' && has_input(line, LINE_IGNCR))
		return 0;
	if (byte == '\r' && has_input(line, LINE_ICRNL))
		byte = '\n';
	else if (byte == '\n' && has_input(line, LINE_INLCR))
		byte = '\r';
	if (has_local(line, LINE_ICANON) && edit_line(line, byte))
		return 0;
	if (has_local(line, LINE_ECHO) && byte == '\n') {
		end_erasing(line);
		line_echo_raw(line, '\n');
		line_echo_commit(line);
	} else if (has_local(line, LINE_ECHO)) {
		echo_typed(line, byte);
	}
	queue_byte(line, byte);
	return 0;
}

/* Whether typed bytes are only queued. */
static bool is_raw(const struct line *line)
{
	const bool is_changed =
		has_input(line, LINE_ISTRIP) || (has_input(line, LINE_IUCLC) && has_local(line, LINE_IEXTEN));
	const uint32_t input =
		LINE_ISTRIP | LINE_IUCLC | LINE_IGNCR | LINE_ICRNL | LINE_INLCR | LINE_IXON | LINE_PARMRK;
	if (has_local(line, LINE_EXTPROC) && !is_changed)
		return true;
	return !has_input(line, input) && !has_local(line, LINE_ICANON | LINE_ISIG | LINE_ECHO);
}

int line_type(struct line *line, uint8_t byte)
{
	/* In a full queue, the last byte of a line that does not end is replaced. */
	if (line->end - line->start == LINE_QUEUE && has_local(line, LINE_ICANON) && line->editable == line->start)
		line->end--;
	if (is_raw(line)) {
		queue_entry(line, byte);
		return 0;
	}
	if (has_input(line, LINE_ISTRIP))
		byte &= 0x7f;
	if (has_input(line, LINE_IUCLC) && has_local(line, LINE_IEXTEN))
		byte = line_byte_to_lower(byte);
	if (line->literal) {
		line->literal = false;
		type_plain(line, byte);
	} else if (has_local(line, LINE_EXTPROC)) {
		queue_entry(line, byte);
	} else if (is_special(line, byte)) {
		return type_special(line, byte);
	} else {
		type_plain(line, byte);
	}
	return 0;
}

void line_typed(struct line *line)
{
	if (!is_raw(line) && has_local(line, LINE_ECHO | LINE_ECHONL))
		line_echo_show_all(line);
}

size_t line_room(const struct line *line)
{
	uint32_t room = LINE_QUEUE - (line->end - line->start);
	if (has_input(line, LINE_PARMRK))
		room = (room + 2) / 3; /* as many as Linux keeps for a byte with a mark */
	if (room > 1)
		return room - 1;
	return has_local(line, LINE_ICANON) && line->editable == line->start;
}

/* --- reading --- */

static uint32_t readable_bytes(const struct line *line)
{
	return (line_is_canonical(line) ? line->editable : line->end) - line->start;
}

bool line_is_ready(const struct line *line, size_t least)
{
	return readable_bytes(line) >= (line_is_canonical(line) ? 1 : least);
}

size_t line_unread(const struct line *line)
{
	const uint32_t bytes = readable_bytes(line);
	size_t unread = 0;
	for (uint32_t i = 0; i < bytes; i++)
		unread += !line_is_canonical(line) || queued_at(line, line->start + i) != END_OF_FILE;
	return unread;
}

static size_t take_raw(struct line *line, uint8_t *to, size_t bytes)
{
	const size_t have = readable_bytes(line);
	bytes = bytes < have ? bytes : have;
	for (size_t i = 0; i < bytes; i++)
		to[i] = (uint8_t)queued_at(line, line->start++);
	/* with EXTPROC, a lone end of file is one for the reader, too */
	const bool is_end = bytes == 1 && have == 1 && to[0] == line->termios.c_cc[LINE_VEOF];
	return has_local(line, LINE_ICANON) && is_end ? 0 : bytes;
}

size_t line_take(struct line *line, uint8_t *to, size_t bytes)
{
	size_t done = 0;
	bool ends = false;
	if (!line_is_canonical(line))
		return take_raw(line, to, bytes);
	while (line->start != line->editable && !ends) {
		const uint16_t entry = queued_at(line, line->start);
		if (entry != END_OF_FILE) {
			if (done == bytes)
				break;
			to[done++] = (uint8_t)entry;
		}
		ends = entry & ENDS_LINE;
		line->start++;
	}
	return done;
}

/* As on Linux, what is queued when the mode changes is one line, if canonical mode reads it. */
static void join_lines(struct line *line)
{
	for (uint32_t at = line->start; at != line->end; at++)
		line->queue[at % LINE_QUEUE] &= (uint16_t)~ENDS_LINE;
	line->editable = line->start;
	if (has_local(line, LINE_ICANON) && line->end != line->start) {
		line->queue[(line->end - 1) % LINE_QUEUE] |= ENDS_LINE;
		line->editable = line->end;
	}
	line->literal = line->erasing = false;
}

void line_set(struct line *line, const struct linux_termios *termios)
{
	const struct linux_termios before = line->termios;
	line->termios = *termios;
	if ((before.c_lflag ^ termios->c_lflag) & (LINE_ICANON | LINE_EXTPROC))
		join_lines(line);
	if ((before.c_iflag & LINE_IXON) && !(termios->c_iflag & LINE_IXON) && !line->held)
		start_output(line);
}

void line_flush(struct line *line)
{
	line->start = line->end = line->editable = 0;
	line->erasing = false;
}
