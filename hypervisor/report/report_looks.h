/* SPDX-License-Identifier: MIT */
/* Where threads are at many moments of one run. Their stacks are kept, and named together by one eremite-symbolize, as
 * long as the same files are mapped: reading debug information takes longer than the run. */
#ifndef HYPERVISOR_REPORT_LOOKS_H
#define HYPERVISOR_REPORT_LOOKS_H

#include "abi/doorbell.h"
#include "guest/guest_memory.h"
#include "guest/image.h"

/** Shows look number `number`, from 0, in the form of report_look. */
typedef void report_looks_show(void *context, unsigned number, const char *text);

/** Adds a look, with the arguments of report_look. It is shown at once or later. */
void report_looks_add(report_looks_show *show, void *context, const struct image *image,
                      const struct fault_report *report, const struct guest_memory *memory, uint64_t op,
                      uint64_t object);

/** Shows all that were not shown yet. */
void report_looks_end(report_looks_show *show, void *context, const struct image *image,
                      const struct guest_memory *memory);

#endif
