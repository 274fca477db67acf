/* SPDX-License-Identifier: MIT */
/* The terminal on which the standard streams are open (--tty).
 *
 * Keys come from the host one at a time, and only when no thread is ready. So a run depends on the keys and on the
 * waits that end without a key, but not on the moments of typing. A key that makes a signal is the exception. With an
 * input_source (input.h) keys arrive at any look. */
#ifndef KERNEL_VFS_KEYBOARD_H
#define KERNEL_VFS_KEYBOARD_H

#include "kernel/vfs/terminal.h"

/** Registers the inode of a standard stream. The first one starts the terminal. */
void keyboard_add(struct inode *inode);

/** The terminal, or NULL without --tty. */
struct terminal *keyboard_terminal(void);

/** Takes a key that makes a signal and was typed while the program worked. */
void keyboard_take_interrupt(void);

/** After bytes were typed, which the console keeps (input_arrived). 0: the terminal has gone. */
void keyboard_arrived(size_t bytes);

/** Whether, when no thread is ready, the run waits for a key. is_last: no timer or timeout is left. */
bool keyboard_is_awaited(bool is_last);

#endif
