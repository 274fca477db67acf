/* SPDX-License-Identifier: MIT */
/* The line discipline of a terminal (termios(3)): it processes the bytes that are typed and the bytes that programs
 * write, as Linux's n_tty does. It knows neither files nor threads. */
#ifndef KERNEL_VFS_LINE_H
#define KERNEL_VFS_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/linux.h"

#define LINE_QUEUE 4096U  /* typed bytes that can wait to be read, as on Linux: a power of two */
#define LINE_ECHOES 4096U /* bytes of echo that can wait to be shown, as on Linux: a power of two */

/** Maximum number of bytes that line_output makes of one byte: a tab becomes up to eight spaces. */
#define LINE_OUTPUT_FACTOR 8

/* The flags and control characters that the discipline knows, with Linux's values. Linux stores the others without
 * effect: delays and fill characters (NLDLY, OFILL), IMAXBEL, FLUSHO, PENDIN, XCASE, and what only a serial line has.
 */
#define LINE_PARMRK 0x8U
#define LINE_ISTRIP 0x20U
#define LINE_INLCR 0x40U
#define LINE_IGNCR 0x80U
#define LINE_ICRNL 0x100U
#define LINE_IUCLC 0x200U
#define LINE_IXON 0x400U
#define LINE_IXANY 0x800U
#define LINE_IUTF8 0x4000U
#define LINE_OPOST 0x1U
#define LINE_OLCUC 0x2U
#define LINE_ONLCR 0x4U
#define LINE_OCRNL 0x8U
#define LINE_ONOCR 0x10U
#define LINE_ONLRET 0x20U
#define LINE_XTABS 0x1800U
#define LINE_ISIG 0x1U
#define LINE_ICANON 0x2U
#define LINE_ECHO 0x8U
#define LINE_ECHOE 0x10U
#define LINE_ECHOK 0x20U
#define LINE_ECHONL 0x40U
#define LINE_NOFLSH 0x80U
#define LINE_TOSTOP 0x100U
#define LINE_ECHOCTL 0x200U
#define LINE_ECHOPRT 0x400U
#define LINE_ECHOKE 0x800U
#define LINE_IEXTEN 0x8000U
#define LINE_EXTPROC 0x10000U

enum line_character {
	LINE_VINTR,
	LINE_VQUIT,
	LINE_VERASE,
	LINE_VKILL,
	LINE_VEOF,
	LINE_VTIME,
	LINE_VMIN,
	LINE_VSTART = 8,
	LINE_VSTOP,
	LINE_VSUSP,
	LINE_VEOL,
	LINE_VREPRINT,
	LINE_VWERASE = 14,
	LINE_VLNEXT,
	LINE_VEOL2,
};

/** Bytes that wait to be shown: bytes and commands, see line_echo.c. Positions only grow; they count modulo the size.
 */
struct line_echo {
	uint32_t tail, commit; /**< bytes[tail, commit) are shown as soon as there is room */
	uint32_t mark, head;   /**< those up to `mark` are complete */
	uint8_t bytes[LINE_ECHOES];
};

struct line {
	struct linux_termios termios;
	/** How many bytes can be shown now; 0 while output is stopped. */
	size_t (*room)(struct line *line);
	/** Shows an echo, which is already processed as output. */
	void (*show)(struct line *line, const void *text, size_t bytes);
	uint32_t start, end;  /**< typed and not yet read: queue[start, end); positions only grow, modulo LINE_QUEUE */
	uint32_t editable;    /**< queue[editable, end) is the line being edited */
	uint32_t column;      /**< of the cursor */
	uint32_t edit_column; /**< where the line that is being edited begins */
	bool literal;         /**< the next byte has no special meaning (VLNEXT) */
	bool erasing;         /**< characters erased by ECHOPRT are being shown */
	bool stopped;         /**< output waits for VSTART (IXON), or for the end of `held` */
	bool held;            /**< the program has stopped the output: keys do not start it (tcflow(3)) */
	struct line_echo echo;
	uint16_t queue[LINE_QUEUE];
};

/** Takes a byte that was typed. Returns the signal that it makes, or 0. line_typed follows the last byte. */
int line_type(struct line *line, uint8_t byte);

/** Shows the echo of the bytes that were typed. */
void line_typed(struct line *line);

/** How many bytes may be typed without loss. In canonical mode a line that does not end is cut, so that its end has
 * room. */
size_t line_room(const struct line *line);

/** Whether `least` bytes can be read now, or in canonical mode a line. */
bool line_is_ready(const struct line *line, size_t least);

/** Takes at most `bytes` bytes, in canonical mode of one line. Returns their number; 0 for an end of file. */
size_t line_take(struct line *line, uint8_t *to, size_t bytes);

/** Processes bytes written by the program. `to` has room for LINE_OUTPUT_FACTOR times as many. Returns the number of
 * bytes put there. */
size_t line_output(struct line *line, const uint8_t *from, size_t bytes, uint8_t *to);

/** Changes the settings. */
void line_set(struct line *line, const struct linux_termios *termios);

/** Whether reads return one line each. */
bool line_is_canonical(const struct line *line);

/** The ready bytes without the ends of file: FIONREAD. */
size_t line_unread(const struct line *line);

/** Drops the typed bytes that were not read yet. */
void line_flush(struct line *line);

#endif
