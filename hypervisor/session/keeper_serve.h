/* SPDX-License-Identifier: MIT */
/* The keeper process's side of the protocol in keeper.h. */
#ifndef HYPERVISOR_KEEPER_SERVE_H
#define HYPERVISOR_KEEPER_SERVE_H

#include "base/error.h"
#include "base/save.h"
#include "confine/keeper.h"

/**
 * Starts the keeper as a copy of this process. Called while the process has one thread and little memory. The keeper
 * confines itself, serves requests, and ends with the monitor; then it removes files that were not put into place.
 * saves[] are open files or all zero; save_dir is the directory of --save, or -1. Returns 0, or a negative errno with a
 * line in *error.
 */
int keeper_start(struct save *const saves[KEEPER_SAVES], int save_dir, struct error *error);

/** Puts an output file into place, by the keeper if there is one. Returns 0, or a negative errno; the file is then
 * discarded. */
int keeper_put_file(struct save *save, enum keeper_save which);

#endif
