/* SPDX-License-Identifier: MIT */
/* A guest that asks for a file which another tree covers, and reports a change of it: covered ROOT FILE [new|look]. It
 * goes past its kernel, to the doorbell. For tests/save/covered.test and tests/security/hidden.test. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/changes.h"
#include "abi/doorbell.h"
#include "abi/host_file.h"
#include "abi/layout.h"

/* Memory whose guest-physical address is known: the buffer of standard input, which nobody reads. */
#define PLACE LAYOUT_STDIN_BUFFER

static void *at(uint64_t physical)
{
	return (void *)(LAYOUT_DIRECT_MAP + physical);
}

/* The kernel rings in the same page when the monitor steps a program that seems to wait in a loop, which may be between
 * two stores here. A call of the kernel just before shows the monitor that the program does not wait. */
static int64_t ask(uint32_t op, uint64_t a, uint64_t b)
{
	syscall(SYS_getpid);
	volatile struct doorbell *page = at(LAYOUT_DOORBELL);
	page->args[0] = a;
	page->args[1] = b;
	__asm__ volatile("outl %0, %w1" : : "a"(op), "Nd"((uint16_t)DOORBELL_PORT) : "memory");
	return page->result;
}

/* Looks up each name of a path, so that the monitor knows the object. Returns whether it is there. */
static bool look(uint32_t handle, const char *path)
{
	struct host_file_request *request = at(PLACE);
	const struct host_file_looked *looked = at(PLACE + PAGE_SIZE);
	while (*path) {
		size_t length = strcspn(path, "/");
		*request = (struct host_file_request){.op = HOST_FILE_LOOK,
		                                      .handle = handle,
		                                      .buffer = PLACE + PAGE_SIZE,
		                                      .buffer_bytes = HOST_FILE_LOOK_BYTES};
		memcpy(request->name, path, length);
		int64_t found = ask(DOORBELL_HOST_FILE, PLACE, 0);
		if (found == HOST_FILE_AGAIN) /* it has answered ahead, and the second request is served */
			found = ask(DOORBELL_HOST_FILE, PLACE, 0);
		if (found != 1)
			return false;
		handle = (uint32_t)looked->handle;
		path += length + (path[length] == '/');
	}
	return true;
}

int main(int count, char **arguments)
{
	static const char text[] = "evil\n";
	if (count < 3)
		return 2;
	const uint32_t root = (uint32_t)atoi(arguments[1]); /* also the handle of its directory */
	const bool is_there = look(root, arguments[2]);
	if (count > 3 && !strcmp(arguments[3], "look"))
		return is_there ? 0 : 3;
	struct change *change = at(PLACE);
	struct out_piece *piece = at(PLACE + 2 * PAGE_SIZE);
	char *data = at(PLACE + 2 * PAGE_SIZE + sizeof(*piece));
	ask(DOORBELL_EXIT, END_EXIT, 0);
	*change = (struct change){.what = count > 3 ? CHANGE_CREATED : CHANGE_CONTENTS,
	                          .kind = S_IFREG,
	                          .mode = 0644,
	                          .root = root,
	                          .nlink = 1,
	                          .bytes = sizeof(text) - 1,
	                          .ino = 4711};
	strcpy(change->path, arguments[2]);
	if (ask(DOORBELL_CHANGE, PLACE, 0) == 1) {
		memcpy(data, text, sizeof(text));
		*piece = (struct out_piece){PLACE + 2 * PAGE_SIZE + sizeof(*piece), sizeof(text) - 1};
		ask(DOORBELL_CHANGE_DATA, PLACE + 2 * PAGE_SIZE, 1);
	}
	ask(DOORBELL_EXIT, END_EXIT, 0);
	return 1;
}
