/* SPDX-License-Identifier: MIT */
/* The files of the monitor's standard output and error, and that of --strace, which grow while the program runs. A
 * program that looks them up sees them as they were before the run, however much has been written. */
#ifndef HYPERVISOR_HOST_STREAMS_H
#define HYPERVISOR_HOST_STREAMS_H

#include "hostfs/tree/host_tree.h"

/**
 * Remembers the files of standard output and error, before anything is written to them. A file that is not written at
 * its end is not remembered, because its old contents change.
 */
void host_streams_begin(void);

/** Has another file remembered by host_streams_begin, which the monitor writes at its end; three at most. */
void host_streams_also(int fd);

/** If the stamp is of such a file, restores it to the value before the run. Returns whether it is one. */
bool host_streams_restore(struct host_stamp *stamp);

#endif
