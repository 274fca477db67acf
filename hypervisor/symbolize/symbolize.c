/* SPDX-License-Identifier: MIT */
/* eremite-symbolize: stacks of a guest by function and line. The image is untrusted, so it runs with limits on time and
 * memory, and with a filter that allows only system calls to read and print.
 *
 * Usage: eremite-symbolize <REQUEST 3<IMAGE, see request.h. Exits with status 0 if all requests were complete. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "frames.h"
#include "limits.h"
#include "request.h"
#include "symbols.h"

#define IMAGE_FD 3

static int read_all(void *to, size_t bytes)
{
	return fread(to, 1, bytes, stdin) == bytes ? 0 : -1;
}

/* Reads the next request with its stack. Returns 1, 0 at the end, or -1 if it is malformed. */
static int read_request(struct symbolize_request *request, uint8_t *stack)
{
	int first = getc(stdin);
	if (first == EOF)
		return 0;
	ungetc(first, stdin);
	if (read_all(request, sizeof(*request)) ||
	    (request->magic != SYMBOLIZE_MAGIC && request->magic != SYMBOLIZE_MAGIC_TYPED) ||
	    request->stack_bytes > SYMBOLIZE_STACK_MAX ||
	    request->next_bytes > SYMBOLIZE_STACK_MAX - request->stack_bytes)
		return -1;
	return read_all(stack, request->stack_bytes + request->next_bytes) ? -1 : 1;
}

int main(void)
{
	static struct symbolize_request request;
	static uint8_t stack[SYMBOLIZE_STACK_MAX];
	struct frames frames = {.request = &request, .stack = stack};
	limits_set();
	close(STDERR_FILENO); /* the loader's, whose complaint goes to the reader; from here on only answers do */
	int more = read_request(&request, stack);
	if (more <= 0)
		return EXIT_FAILURE;
	frames_open(&frames, symbols_expand(IMAGE_FD));
	limits_close_doors();
	while (more > 0) {
		frames_print_object(&frames);
		putchar(SYMBOLIZE_END);
		frames_print(&frames);
		putchar(SYMBOLIZE_END);
		more = read_request(&request, stack);
	}
	fflush(stdout);
	_exit(more ? EXIT_FAILURE : EXIT_SUCCESS); /* without closing what is open, which would take time */
}
