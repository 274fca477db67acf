/* SPDX-License-Identifier: MIT */
/* Connects a run with its debugger: starts gdb, or waits for another client. */
#ifndef HYPERVISOR_DEBUG_GDB_H
#define HYPERVISOR_DEBUG_GDB_H

#include <sys/types.h>

#include "base/error.h"
#include "debug/debug.h"

/** How gdb is started. */
struct gdb_start {
	char **options; /**< for gdb, after those by which it finds the program */
	unsigned option_count;
	int input;   /**< its standard input */
	pid_t group; /**< its process group, which has the terminal */
};

/** Starts gdb on the program at debug->program, with a private socket. Returns 0, or a negative errno with a line in
 * *error. */
int gdb_connect(struct debug *debug, const struct gdb_start *start, struct error *error);

/** Waits for a client at "unix:PATH" or "[ADDRESS:]PORT". `told` is called when it can connect, with what gdb is given
 * as its remote target. Returns 0, or a negative errno with a line in *error. */
int gdb_listen(struct debug *debug, const char *where, void (*told)(const char *target), struct error *error);

#endif
