/* SPDX-License-Identifier: MIT */
/* The options of `eremite run` about schedules, after they are parsed. */
#ifndef HYPERVISOR_SCHEDULE_OPTION_H
#define HYPERVISOR_SCHEDULE_OPTION_H

#include "session/session.h"

/** Checks --sched and the related options together, and sets the policy that they mean. Ends eremite if they do not go
 * together. */
void schedule_option_check(struct session *options);

#endif
