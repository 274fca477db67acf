/* SPDX-License-Identifier: MIT */
/* The echo of a line: what is typed waits here until it can be shown. */
#ifndef KERNEL_VFS_LINE_ECHO_H
#define KERNEL_VFS_LINE_ECHO_H

#include "kernel/vfs/line.h"

/** Adds a byte; control characters as ^X with ECHOCTL. */
void line_echo_byte(struct line *line, uint8_t byte);

/** Adds a byte as it is. */
void line_echo_raw(struct line *line, uint8_t byte);

/** Adds a command: the cursor is now where the line that is being edited begins. */
void line_echo_begin(struct line *line);

/** Adds a command: the last byte has continued a character, so the cursor is one column further left. */
void line_echo_move_back(struct line *line);

/** Adds a command: go back over a tab. `columns` are those of the characters before it, since another tab or else since
 * the beginning of the line. */
void line_echo_erase_tab(struct line *line, uint32_t columns, bool after_tab);

/** Completes what was added; shows it if that is much. */
void line_echo_commit(struct line *line);

/** Shows what is complete, as far as there is room. */
void line_echo_show(struct line *line);

/** Shows all. */
void line_echo_show_all(struct line *line);

/** Drops all that has not been shown. */
void line_echo_drop(struct line *line);

#endif
