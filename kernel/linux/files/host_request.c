/* SPDX-License-Identifier: MIT */
#include "kernel/linux/files/host_request.h"

#include "kernel/mm/kmalloc.h"

struct host_file_request *host_request; /* in the direct map, as its buffers are */

struct host_file_request *host_request_init(void)
{
	if (!host_request)
		host_request = kzalloc(sizeof(*host_request));
	return host_request;
}
