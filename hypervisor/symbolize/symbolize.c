/* SPDX-License-Identifier: MIT */
/* eremite-symbolize: the stack of a guest by function and line. It reads an image that nobody vouches for, and so it
 * runs with limits on time and memory, and behind a filter that leaves it no system call but those to read and print.
 *
 * Usage: eremite-symbolize <REQUEST 3<IMAGE, see request.h. Status 0 when there is at least one line. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"
#include "limits.h"
#include "request.h"

#define IMAGE_FD 3

static int read_all(void *to, size_t bytes)
{
	return fread(to, 1, bytes, stdin) == bytes ? 0 : -1;
}

int main(void)
{
	static struct symbolize_request request;
	static uint8_t stack[SYMBOLIZE_STACK_MAX];
	struct frames frames = {.request = &request, .stack = stack};
	limits_set();
	if (read_all(&request, sizeof(request)) || request.magic != SYMBOLIZE_MAGIC ||
	    request.stack_bytes > SYMBOLIZE_STACK_MAX || read_all(stack, request.stack_bytes))
		return EXIT_FAILURE;
	frames_open(&frames, IMAGE_FD);
	limits_close_doors();
	frames_print(&frames);
	fflush(stdout);
	_exit(EXIT_SUCCESS); /* what is still open is not worth closing */
}
