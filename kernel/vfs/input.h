/* SPDX-License-Identifier: MIT */
/* Standard input that arrives as events (BOOT_FLAG_INPUT). A program sees what has come, and nothing else. Without such
 * events a read waits for the host's input (kernel/dev/console.h). */
#ifndef KERNEL_VFS_INPUT_H
#define KERNEL_VFS_INPUT_H

#include "kernel/vfs/file.h"

/** Where it comes from. */
struct input_source {
	/** Asks for bytes, which come later or never, in any number of pieces. */
	void (*ask)(size_t bytes);
	/** Takes all events that have come by now. */
	void (*look)(void);
};

/** NULL: standard input does not arrive as events. */
extern const struct input_source *input_source;

/** After bytes have come, which the console keeps. 0: the end of the input. */
void input_arrived(size_t bytes);

/** Whether, when no thread is ready, the run waits for input: some program has found none. is_last: no timer or timeout
 * is left. */
bool input_is_awaited(bool is_last);

/** Registers the inode of standard input, whose observers then get its events. Does nothing without a source. */
void input_add(struct inode *inode);

/** Clears the state of this file at the end of a run, so that --record leaves no trace in the memory's digest. */
void input_forget(void);

/** struct file_ops of standard input that is no terminal. It is like a pipe. */
long input_read(struct file *file, void *to, size_t bytes, int64_t *pos);
unsigned int input_poll(struct file *file);
long input_ioctl(struct file *file, unsigned long request, void *arg);

#endif
