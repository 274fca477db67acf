/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_PROFILE_RUN_H
#define HYPERVISOR_PROFILE_RUN_H

#include "profile/profile_option.h"

/** Makes the run, writes the files and prints the functions; or compares. Returns the exit status. */
int profile_run(const struct profile_option *option);

#endif
