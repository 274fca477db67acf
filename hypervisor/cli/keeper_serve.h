/* SPDX-License-Identifier: MIT */
/* The keeper's own side (keeper.h). */
#ifndef HYPERVISOR_KEEPER_SERVE_H
#define HYPERVISOR_KEEPER_SERVE_H

#include "base/save.h"
#include "confine/keeper.h"

/**
 * Starts the keeper, a copy of this process, which has one thread and as little memory as it will ever have. It
 * confines itself, serves, and ends with the monitor; files that were not put into place by then are removed. saves[]
 * are open files or all zero, and save_dir is --save's folder, or -1. 0, or a negative errno with a line in error[].
 */
int keeper_start(struct save *const saves[KEEPER_SAVES], int save_dir, char error[256]);

#endif
