/* SPDX-License-Identifier: MIT */
/* Sources of the Python modules that a run has loaded from bytecode. Readers of an image look for what ran. */
#ifndef HYPERVISOR_TRACE_SOURCES_H
#define HYPERVISOR_TRACE_SOURCES_H

#include <stdbool.h>

#include "hostfs/host_files.h"

/**
 * Finds the sources of all bytecode that the run has read: DIR/STEM.py for DIR/__pycache__/STEM.TAG.pyc, whichever of
 * several bytecode files of one source it was, or below PYTHONPYCACHEPREFIX; also where STEM.py is a symbolic link that
 * the run has looked up. Returns an array with an element for each handle, which the caller frees, or NULL without
 * memory.
 */
bool *trace_sources_find(const struct host_files *files);

#endif
