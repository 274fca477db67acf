/* SPDX-License-Identifier: MIT */
/* What `eremite run` says about a run, while it goes on and when it has ended. */
#ifndef HYPERVISOR_RUN_SAY_H
#define HYPERVISOR_RUN_SAY_H

#include "cli/options.h"

/** For run_config.report and run_config.stalled, with the options as report_context. */
void run_say_report(void *context, const struct run_result *result, const struct guest_memory *memory,
                    const struct image *image);
void run_say_stalled(void *context, const struct run_stall *stall, const struct guest_memory *memory,
                     const struct image *image);

/** For run_config.extended. */
void run_say_extended(void *context, const struct instruction_extension *extension, const struct fault_report *place,
                      const struct guest_memory *memory, const struct image *image);

/** For net_config.crowded. */
void run_say_crowded(unsigned sockets);

/** Sets result->message to the line for the run's end, if that is not the program's own exit. */
void run_say_describe(const struct options *options, struct run_result *result);

/** Says how the run ended. */
void run_say_end(const struct options *options, const struct run_result *result);

/** Says that the program does not see standard input, if somebody seems to give it some, because its image has its own.
 */
void run_say_unread_input(const struct options *options, bool is_traced);

/** Says which files of the host take the place of an image's. */
void run_say_replaced(const struct options *options);

#endif
