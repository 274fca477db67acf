/* SPDX-License-Identifier: MIT */
/* --timeout while files are opened and read before the run: a FIFO waits for whoever has its other end. */
#ifndef HYPERVISOR_OPENING_H
#define HYPERVISOR_OPENING_H

/** Ends eremite with EXIT_TIMEOUT and a line that names the file, unless opening_end is called in time. 0 s: no limit.
 */
void opening_begin(const char *path, double timeout_s);

/** It is open, and read if it had to be. */
void opening_end(void);

#endif
