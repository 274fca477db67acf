/* SPDX-License-Identifier: MIT */
/* What is said of changes that are not saved. */
#ifndef HYPERVISOR_CHANGES_REPORT_H
#define HYPERVISOR_CHANGES_REPORT_H

#include "save/changes.h"

/** Says in one line each what was not saved, and what of the saved files is lacking. Nothing if nothing is. */
void changes_report(const struct changes *changes);

/** "created", "changed" or "removed". */
const char *change_name(const struct change_record *record);

#endif
