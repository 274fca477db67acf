/* SPDX-License-Identifier: MIT */
/* The files of the monitor's standard output and error, which grow as the monitor writes the program's output. A
 * program that looks them up sees them as they were before the run, however much has been written. */
#ifndef HYPERVISOR_HOST_STREAMS_H
#define HYPERVISOR_HOST_STREAMS_H

#include "hostfs/tree/host_tree.h"

/**
 * Remembers the files of standard output and error, before anything is written to them. A file that is not written at
 * its end is not remembered, because its old contents change.
 */
void host_streams_begin(void);

/** If the stamp is that of standard output's or standard error's file, restores it to the value before the run. Returns
 * whether it is. */
bool host_streams_restore(struct host_stamp *stamp);

#endif
