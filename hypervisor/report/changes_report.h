/* SPDX-License-Identifier: MIT */
/* Reports changes that are not saved. */
#ifndef HYPERVISOR_CHANGES_REPORT_H
#define HYPERVISOR_CHANGES_REPORT_H

#include "save/changes.h"

/**
 * Prints one line about files that were not saved, and one about attributes that saved files lack. Prints nothing if
 * there are none.
 */
void changes_report(const struct changes *changes);

/** Returns "created", "changed" or "removed". */
const char *change_name(const struct change_record *record);

#endif
