/* SPDX-License-Identifier: MIT */
/* Does what a plan says. */
#ifndef HYPERVISOR_SAVE_APPLY_H
#define HYPERVISOR_SAVE_APPLY_H

#include "save/save_plan.h"

/**
 * Applies a checked plan. Each file has its old contents or its new ones at any moment, and what moves is at its new
 * place before it leaves the old one. Sets is_saved of the records. 0, or a negative errno with a line in error[]: then
 * a part was done.
 */
int save_apply(const struct save_plan *plan, char error[256]);

#endif
