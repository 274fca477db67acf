/* SPDX-License-Identifier: MIT */
/* What the parts of the program share. Each line is a case, a tab and what became of it; accepted.test compares the
 * lines of a native run with those of a guest. */
#ifndef TESTS_LINUX_ACCEPTED_H
#define TESTS_LINUX_ACCEPTED_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/** What sockets a case may use. */
struct kind {
	const char *name;
	int family, type;
};

enum state {
	STATE_FRESH,
	STATE_BOUND,
	STATE_LISTENING,
	STATE_CONNECTED,
	STATE_ENDED,  /* the peer has closed */
	STATE_CLOSED, /* both have ended it, or a datagram socket was shut down */
	STATES
};

extern const struct kind kinds[];
extern const unsigned kind_count;
extern const char *const state_names[STATES];

/** A socket in a state, and its peer, if it has one; own and peer are -1 if they do not exist. */
struct pair {
	int own, peer, listener;
};

/** Makes a socket in a state. Returns false if the kind has no such state. */
bool pair_make(const struct kind *kind, enum state state, struct pair *pair);

/** Closes all, so that no port stays in use. */
void pair_close(struct pair *pair);

/** Which files a case may use: opens one of them. Returns -1 after the last. A pipe's other end is in *other. */
int file_open(unsigned which, const char **name, int *other);

/** A result: the number, or the error's name. */
const char *result_of(long result);

/** A page of zeros at an address that is the same in each run, because some calls show the address. */
void *memory_fixed(void);

/** Prints bytes in hexadecimal, the first `most`. */
void show_bytes(const void *from, size_t bytes, size_t most);

/** Shows TCP_INFO of a socket in a state, after data in both directions. */
void tcp_info_show(const struct kind *kind, enum state state);

/** Each part prints the cases of one subject. */
void part_options(void);
/** Flags of send(2) and recv(2). */
void part_messages(void);
/** Control messages of sendmsg(2). */
void part_control(void);
/** fcntl(2), ioctl(2), open(2), epoll_ctl(2). */
void part_files(void);
/** prctl(2), clone(2). */
void part_processes(void);
/** mmap(2) and its kin. */
void part_memory(void);
/** Data of TCP that wait for a full segment. */
void part_corks(void);
/** Terminals. */
void part_terminals(void);
/** What options of sockets do. */
void part_effects(void);

#endif
