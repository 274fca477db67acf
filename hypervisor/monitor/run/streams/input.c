/* SPDX-License-Identifier: MIT */
/* Standard input. Besides it, bytes from outside reach a running guest only by the network (hypervisor/monitor/net/)
 * and by the terminal (terminal.c). */
#include "run/streams/input.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/array.h"

static int keep(struct input *input, const void *from, size_t bytes)
{
	if (!bytes)
		return 0; /* nothing may have been reserved: memcpy takes no null pointer, not even for no bytes */
	if (!array_reserve(input->kept, input->room, input->kept_bytes + bytes))
		return -ENOMEM;
	memcpy(input->kept + input->kept_bytes, from, bytes);
	input->kept_bytes += bytes;
	input->at = input->kept_bytes;
	return 0;
}

/* Waits for input also if the host's descriptor is non-blocking: EAGAIN would show the host's timing to the guest. */
static ssize_t read_host(void *to, size_t bytes)
{
	struct pollfd wait = {.fd = STDIN_FILENO, .events = POLLIN};
	ssize_t got = read(STDIN_FILENO, to, bytes);
	if (got >= 0)
		return got;
	if (errno == EBADF)
		return 0;
	if (errno == EAGAIN && poll(&wait, 1, -1) >= 0)
		return -EINTR; /* the caller tries again, unless the run was stopped */
	return -errno;
}

/* Reads into a buffer of the monitor, because the guest can change its own memory before the input is kept. The buffer
 * has the size of the guest's, so that keeping does not change how much is read. Its pages take memory only when used.
 */
static ssize_t read_and_keep(struct input *input, void *to, size_t bytes)
{
	void *buffer = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (buffer == MAP_FAILED)
		return -ENOMEM;
	ssize_t got = read_host(buffer, bytes);
	if (got >= 0) {
		int error = keep(input, buffer, (size_t)got);
		input->ended = got == 0;
		memcpy(to, buffer, (size_t)got);
		got = error ? error : got;
	}
	munmap(buffer, bytes ? bytes : 1);
	return got;
}

ssize_t input_read(struct input *input, void *to, size_t bytes)
{
	if (input->at < input->kept_bytes) {
		size_t left = input->kept_bytes - input->at;
		size_t take = left < bytes ? left : bytes;
		memcpy(to, input->kept + input->at, take);
		input->at += take;
		return (ssize_t)take;
	}
	if (input->ended)
		return 0;
	return input->keep ? read_and_keep(input, to, bytes) : read_host(to, bytes);
}

void input_rewind(struct input *input)
{
	input->at = 0;
}

void input_fini(struct input *input)
{
	free(input->kept);
	*input = (struct input){0};
}
