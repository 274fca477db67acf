/* SPDX-License-Identifier: MIT */
/* A copy of one file that a guest leaves in /out. */
#ifndef HYPERVISOR_OUT_COPY_H
#define HYPERVISOR_OUT_COPY_H

#include <stddef.h>
#include <stdint.h>

#define OUT_COPY_MAX (64UL << 20) /* bytes that are kept, so that a guest cannot fill the monitor's memory */

struct out_copy {
	const char *path; /**< in /out */
	uint8_t *data;    /**< what the file has, as far as OUT_COPY_MAX; owned */
	size_t bytes, room;
};

#endif
