/* SPDX-License-Identifier: MIT */
/* A run by a command line of `eremite run`. */
#ifndef HYPERVISOR_RUN_LINE_H
#define HYPERVISOR_RUN_LINE_H

/** Makes one run, or compares two, and reports the result. argv[0] is the name for messages. Returns the exit status.
 */
int run_line(int argc, char **argv);

#endif
