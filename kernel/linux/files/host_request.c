/* SPDX-License-Identifier: MIT */
#include "kernel/linux/files/host_request.h"

#include "kernel/linux/files/host_ahead.h"
#include "kernel/mm/kmalloc.h"

struct host_file_request *host_request; /* in the direct map, as its buffers are */

struct host_file_request *host_request_init(void)
{
	if (!host_request)
		host_request = kzalloc(sizeof(*host_request));
	return host_request;
}

int64_t host_request_send(enum host_file_op op, uint32_t handle, uint64_t buffer, uint64_t bytes)
{
	host_request->op = op;
	host_request->handle = handle;
	host_request->buffer = buffer;
	host_request->buffer_bytes = bytes;
	return host_ahead_ask(host_request);
}
