/* SPDX-License-Identifier: MIT */
/* The command line of `eremite debug`. */
#ifndef HYPERVISOR_DEBUG_LINE_H
#define HYPERVISOR_DEBUG_LINE_H

/** Runs a program under gdb, or under a debugger that connects. Returns the exit status. */
int debug_line(int argc, char **argv);

#endif
