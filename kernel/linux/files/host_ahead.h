/* SPDX-License-Identifier: MIT */
/* Requests for the host's files, of which some are answered before they are made (abi/host_file.h). */
#ifndef KERNEL_LINUX_FILES_HOST_AHEAD_H
#define KERNEL_LINUX_FILES_HOST_AHEAD_H

#include "abi/boot.h"
#include "abi/host_file.h"

/** Finds out where such answers are, if there are any. */
void host_ahead_init(const struct boot_info *boot);

/** Has a request answered: 0 or more, or a negative errno. Whether the monitor was asked shows in nothing but time. */
int64_t host_ahead_ask(struct host_file_request *request);

#endif
