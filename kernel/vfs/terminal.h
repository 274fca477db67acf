/* SPDX-License-Identifier: MIT */
/* The terminal (--tty), on which all standard streams are open: tty(4), termios(3), ioctl_tty(2).
 *
 * Keys come from the host one at a time, and only when no thread is ready. So a run depends on the keys and on the
 * waits that end without a key, but not on the moments of typing. A key that makes a signal is the exception. With an
 * input_source (input.h) keys arrive at any look. */
#ifndef KERNEL_VFS_TERMINAL_H
#define KERNEL_VFS_TERMINAL_H

#include "kernel/vfs/file.h"

extern const struct file_ops terminal_ops;

/** The functions of processes that a terminal uses. */
struct terminal_rules {
	/** Sends a signal to a process group. */
	void (*signal)(uint32_t group, int sig);
	/** Decides whether the running process may use the terminal with this foreground group. If not, sends it `sig`,
	 * SIGTTIN or SIGTTOU. Returns 0, -EIO, or -EINTR after the signal. */
	int (*admit)(uint32_t foreground, int sig);
};

/** NULL: the terminal belongs to the only process. */
extern const struct terminal_rules *terminal_rules;

/** Registers an inode of the terminal, whose observers then get its events. The first one starts the terminal. */
void terminal_add(struct inode *inode);

/** Takes a key that makes a signal and was typed while the program worked. */
void terminal_take_interrupt(void);

/** After bytes were typed, which the console keeps (input_arrived). 0: the terminal has gone. */
void terminal_arrived(size_t bytes);

/** Whether, when no thread is ready, the run waits for a key. is_last: no timer or timeout is left. */
bool terminal_is_awaited(bool is_last);

#endif
