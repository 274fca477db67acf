/* SPDX-License-Identifier: MIT */
/* Calls with arguments that a seed chooses: what the files of this folder share. All descriptors of a process are in
 * one table, so that one thread closes what another waits for. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/** The random numbers of a thread: a function of the seed and of the thread's place alone. */
extern _Thread_local uint64_t calls_state;

/** The next number of this thread. */
uint64_t calls_random(void);

/** A number below `limit`. */
unsigned calls_below(unsigned limit);

/** One of the words of an array. */
#define CALLS_ONE_OF(...) \
	({ \
		static const long words[] = {__VA_ARGS__}; \
		words[calls_below(sizeof(words) / sizeof(words[0]))]; \
	})

/** True once in `n` times. */
#define CALLS_RARELY(n) (calls_below(n) == 0)

/** A number that is often a limit of something. */
long calls_number(void);

/** Flags: none, a few or all of these, rarely others too. */
unsigned long calls_flags(unsigned long valid);

/** A signal that neither kills nor stops for ever. */
int calls_signal(void);

/** A descriptor of the table, rarely one that is wrong. */
int calls_fd(void);

/** Puts a descriptor into the table, and closes what was there; takes -1. Returns it. */
int calls_keep(int fd);

/** Memory with room for `size` bytes: random bytes, rarely memory that ends, that cannot be written, or that is not
 * there. */
void *calls_memory(size_t size);

/** Memory that is there, of 64 KiB, the thread's own. */
unsigned char *calls_room(void);

/** A path in the directory of this process. */
const char *calls_path(char path[64]);

/** One odd call on pseudo-terminals. */
void calls_terminal(void);

/** One odd call on inotify and the files that it watches. */
void calls_notify(void);

/** One odd call on sockets and their control messages. */
void calls_message(void);

/** One odd call on netlink. */
void calls_netlink(void);

/** One odd call on System V IPC. */
void calls_ipc(void);

/** One odd call on timers and clocks. */
void calls_clock(void);

/** One odd call on any descriptor. */
void calls_mixed(void);

/** Removes all objects of System V IPC. */
void calls_ipc_clear(void);
