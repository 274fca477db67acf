/* SPDX-License-Identifier: MIT */
/* Applies a plan to the directory of --save. */
#ifndef HYPERVISOR_SAVE_APPLY_H
#define HYPERVISOR_SAVE_APPLY_H

#include "base/error.h"
#include "save/save_plan.h"

/**
 * Applies a checked plan. At any moment each file has either its old or its new contents, and a moved file is at its
 * new place before it leaves the old one. Sets is_saved in the records. Returns 0, or a negative errno with a line in
 * *error; then only a part of the plan was applied. SIGINT, SIGTERM, SIGHUP and SIGQUIT wait until it returns.
 */
int save_apply(const struct save_plan *plan, struct error *error);

#endif
