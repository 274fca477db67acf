/* SPDX-License-Identifier: MIT */
/* Reports changes that are not saved. */
#ifndef HYPERVISOR_CHANGES_REPORT_H
#define HYPERVISOR_CHANGES_REPORT_H

#include "save/changes.h"

/**
 * Prints one line about files that were not saved, and one about attributes that saved files lack. Prints nothing if
 * there are none, or if the changes are not complete. If --timeout or a signal has stopped a run with --save, prints
 * only that nothing was saved. With `all`, names all files that were not saved, otherwise a few, and none with a
 * component that begins with a dot. Returns whether the changes were reported.
 */
bool changes_report(const struct changes *changes, bool is_stopped, bool all);

/** Returns "created", "changed" or "removed". */
const char *change_name(const struct change_record *record);

#endif
