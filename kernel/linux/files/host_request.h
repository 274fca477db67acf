/* SPDX-License-Identifier: MIT */
/* The one request with which the kernel asks for the host's files (abi/host_file.h). */
#ifndef KERNEL_LINUX_FILES_HOST_REQUEST_H
#define KERNEL_LINUX_FILES_HOST_REQUEST_H

#include "abi/host_file.h"

/** Allocates the request, once. Returns it, or NULL without memory. The sender sets its name and offset. */
struct host_file_request *host_request_init(void);

/** The request; NULL before host_request_init. */
extern struct host_file_request *host_request;

/** Sends the request with a buffer at a guest-physical address. Returns the monitor's answer (host_ahead.h). */
int64_t host_request_send(enum host_file_op op, uint32_t handle, uint64_t buffer, uint64_t bytes);

#endif
