/* SPDX-License-Identifier: MIT */
/* Files of the host that grow because the monitor writes a program's output to them: its own standard output and error.
 * A program that looks at one finds it as it was before the run, whenever its output gets there. */
#ifndef HYPERVISOR_HOST_STREAMS_H
#define HYPERVISOR_HOST_STREAMS_H

#include "hostfs/host_tree.h"

/**
 * Remembers what standard output and error are, before anything is written to them. One that is written to elsewhere
 * than at its end is not remembered: what was there changes.
 */
void host_streams_begin(void);

/** Makes the stamp of such a file, which may have grown, what it was, and says whether it is one. */
bool host_streams_restore(struct host_stamp *stamp);

#endif
