/* SPDX-License-Identifier: MIT */
/* Terminals: tty(4), termios(3), ioctl_tty(2). Each has a line discipline (line.h), a window size and job control. Its
 * other side is the host's keyboard and console (keyboard.h), or the master of a pseudo-terminal
 * (kernel/linux/files/pty.h). */
#ifndef KERNEL_VFS_TERMINAL_H
#define KERNEL_VFS_TERMINAL_H

#include "kernel/vfs/file.h"
#include "kernel/vfs/line.h"
#include "kernel/vfs/readiness.h"

#define TERMINAL_INODES 3 /* that open files of one terminal may have: the standard streams have one each */

/* The bits of packet mode (TIOCPKT), which say what has happened to a terminal. */
#define TERMINAL_FLUSHED_INPUT 1U
#define TERMINAL_FLUSHED_OUTPUT 2U
#define TERMINAL_STOPPED 4U
#define TERMINAL_STARTED 8U
#define TERMINAL_WITHOUT_FLOW 16U
#define TERMINAL_WITH_FLOW 32U
#define TERMINAL_SET 64U /* the settings, which have EXTPROC */

struct terminal;

/** The other side of a terminal. Members may be NULL, except room and put. */
struct terminal_side {
	/** How many bytes the side takes now. A write makes at most TERMINAL_MORE bytes more than it has room for. */
	size_t (*room)(const struct terminal *terminal);
	/** Shows processed bytes. */
	void (*put)(struct terminal *terminal, const void *text, size_t bytes);
	/** Shows an echo, as far as there is room. `taken` follows. */
	void (*echo)(struct terminal *terminal, const void *text, size_t bytes);
	/** A program has found no typed byte. */
	void (*await)(struct terminal *terminal);
	/** Typed bytes were read or dropped, so there may be room for more. */
	void (*taken)(struct terminal *terminal);
	/** Typed bytes that have not reached the line are dropped. */
	void (*drop)(struct terminal *terminal);
	/** One of the things that packet mode reports has happened. */
	void (*happened)(struct terminal *terminal, unsigned int what);
	/** A file of the terminal is opened. */
	void (*opened)(struct terminal *terminal);
	/** An open file of the terminal is closed. May free the terminal. */
	void (*closed)(struct terminal *terminal);
};

#define TERMINAL_WRITE_BYTES 256U /* processed at once */
#define TERMINAL_MORE (TERMINAL_WRITE_BYTES * LINE_OUTPUT_FACTOR)

struct terminal {
	struct line line;
	const struct terminal_side *side;
	struct linux_termios locked;        /**< bits and characters that changes leave as they are (TIOCSLCKTRMIOS) */
	uint32_t input_speed, output_speed; /**< bits a second, of no effect */
	struct linux_winsize size;
	uint32_t number;              /**< of its name in /dev/pts */
	uint32_t session, foreground; /**< the session that it controls, and the process group in front; 0: none */
	uint32_t hangups;             /**< files that were opened before the last one are of no more use */
	bool ended;                   /**< no byte will be typed any more */
	bool exclusive;               /**< TIOCEXCL, which does not bind the superuser */
	bool has_reader;              /**< a read goes on: others wait in `turns` */
	struct readiness_queue reading, writing, turns;
	struct inode *inodes[TERMINAL_INODES];
	unsigned int inode_count;
};

/** The functions of processes that a terminal uses: personality.terminal_rules. */
struct terminal_rules {
	/** Sends a signal to a process group; 0: to nobody. */
	void (*signal)(uint32_t group, int sig);
	/** Decides whether the running process may use the terminal. If not, sends `sig`, SIGTTIN or SIGTTOU, to its
	 * group. Returns 0, -EIO, or -EINTR after the signal. */
	int (*admit)(const struct terminal *terminal, int sig);
	/** The controlling terminal of the running process, or NULL. */
	struct terminal *(*own)(void);
	/** The running process has opened the terminal without O_NOCTTY. */
	void (*opened)(struct terminal *terminal, const struct file *file);
	/** Requests about sessions and process groups; -ENOTTY for others. from_master: by the master. */
	long (*control)(struct terminal *terminal, const struct file *file, unsigned long request, void *arg,
	                bool from_master);
	/** The terminal hangs up: its session loses it. */
	void (*hung_up)(struct terminal *terminal);
};

/** Sets up a terminal, which is all zero, with the initial settings. */
void terminal_init(struct terminal *terminal, const struct terminal_side *side, uint32_t number);

/** Registers an inode of the terminal, whose observers then get its events. */
void terminal_add(struct terminal *terminal, struct inode *inode);

/** Makes a new file one of the terminal, for inode_ops.open. Returns 0 or -ENOMEM. */
int terminal_open(struct terminal *terminal, struct file *file);

/** Opens the controlling terminal of the running process: /dev/tty. Returns 0, -ENXIO or -ENOMEM. */
int terminal_open_own(struct inode *inode, struct file *file);

/** The terminal of an open file, or NULL. */
struct terminal *terminal_of(const struct file *file);

/** Takes bytes that were typed. */
void terminal_type(struct terminal *terminal, const uint8_t *typed, size_t bytes);

/** Reports events to observers, pollers, and those that wait to read or to write. */
void terminal_tell(struct terminal *terminal, unsigned int events);

/** Ends the use of all open files: reads return 0, writes fail with EIO. The settings are the initial ones again. */
void terminal_hang_up(struct terminal *terminal);

/** ioctl(2) of the terminal's files, and of its master's for requests about the terminal. `file` is the one that was
 * used. */
long terminal_control(struct terminal *terminal, const struct file *file, unsigned long request, void *arg,
                      bool from_master);

/** Opens a terminal's settings to ioctl(2): TCGETS, TCSETS and those of other structures. -ENOTTY for other requests.
 */
long terminal_settings(struct terminal *terminal, unsigned long request, void *arg);

/** Drops the typed bytes that were not read yet. */
void terminal_flush_input(struct terminal *terminal);

/** Whether the running process may change the terminal: 0 or what admit returns for SIGTTOU. */
int terminal_admit_change(const struct terminal *terminal);

/** Sets the flow of output (IXON, tcflow(3)) and tells the other side and the waiting writers. */
void terminal_set_flow(struct terminal *terminal, bool stopped, bool held);

/** Sends a signal to the foreground process group. */
void terminal_signal(const struct terminal *terminal, int sig);

#endif
