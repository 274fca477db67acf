/* SPDX-License-Identifier: MIT */
/* Verifies the images of a command line, several at once, and writes the results (docs/verify.md). */
#ifndef HYPERVISOR_VERIFY_ALL_H
#define HYPERVISOR_VERIFY_ALL_H

#include "verify/verify_option.h"

/** Repeats the runs of all images and compares them, or merges the results of shards. Called once. Returns the exit
 * status; ends eremite with a message if the results cannot be made. */
int verify_all(const struct verify_option *option);

#endif
