/* SPDX-License-Identifier: MIT */
/* The option --user: whose rights a Linux program has. */
#ifndef HYPERVISOR_USER_OPTION_H
#define HYPERVISOR_USER_OPTION_H

#include "abi/boot.h"
#include "base/error.h"

/** Reads UID:GID[,GID...]. Returns 0, or a negative errno with one line in *error. */
int user_option_read(const char *text, struct boot_user *user, struct error *error);

#endif
