/* SPDX-License-Identifier: MIT */
/* Requests for the host's files, some of which are answered in advance (abi/host_file.h). */
#ifndef KERNEL_LINUX_FILES_HOST_AHEAD_H
#define KERNEL_LINUX_FILES_HOST_AHEAD_H

#include "abi/boot.h"
#include "abi/host_file.h"

/** Finds the answers in advance, if there are any. */
void host_ahead_init(const struct boot_info *boot);

/** Called by host_request_send, on the policies' stack: gets the answer to host_request with these members, 0 or more,
 * or a negative errno. Whether it was there in advance changes nothing but time. */
int64_t host_ahead_ask(enum host_file_op op, uint32_t handle, uint64_t buffer, uint64_t bytes);

/** Tells the monitor that the program did not ask for an object that the guest was told of. Without memory for the note
 * nothing is told, and the monitor checks the object as if it were used. */
void host_ahead_unused(uint32_t handle);

/** Tells the monitor that the program uses this object now. */
void host_ahead_used(uint32_t handle);

#endif
