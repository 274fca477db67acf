/* SPDX-License-Identifier: MIT */
/* The monitor's own code serves requests of the kernel's. Guest-physical addresses are those of the direct map, which
 * the kernel's fakes choose so that it shows this process. */
#include "tests/unit/hostfs/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/doorbell.h"
#include "abi/layout.h"
#include "host_files.h"

#define ROOTS_MAX 4

static struct host_tree trees[ROOTS_MAX];
static unsigned tree_count;
static struct host_files files;
static const struct guest_memory memory = {.base = (uint8_t *)LAYOUT_DIRECT_MAP, .bytes = 1UL << 47};
unsigned broker_requests;

int64_t doorbell_ring(enum doorbell_op op, uint64_t arg0, uint64_t arg1);

int64_t doorbell_ring(enum doorbell_op op, uint64_t arg0, uint64_t arg1)
{
	(void)arg1;
	if (op != DOORBELL_HOST_FILE)
		abort();
	broker_requests++;
	return host_files_serve(&files, &memory, gpa(arg0));
}

void broker_add(const char *host)
{
	trees[tree_count++] = (struct host_tree){.host = host, .guest = "/"};
}

void broker_begin(void)
{
	char error[256];
	if (host_files_open(&files, trees, tree_count, error) || host_files_begin(&files)) {
		fprintf(stderr, "%s%s\n", error, files.error);
		abort();
	}
}

const char *broker_error(void)
{
	return files.error;
}

int64_t broker_oracle(int root, const char *path, int follow, uint32_t *mode, uint64_t *size)
{
	struct open_how how = {.flags = (uint64_t)(O_PATH | (follow ? 0 : O_NOFOLLOW)), .resolve = RESOLVE_IN_ROOT};
	struct stat st;
	long fd;
	do /* while anybody renames or mounts anything, ".." may fail so: openat2(2) */
		fd = syscall(SYS_openat2, root, path, &how, sizeof(how));
	while (fd < 0 && errno == EAGAIN);
	if (fd < 0)
		return -errno;
	if (fstat((int)fd, &st))
		abort();
	close((int)fd);
	*mode = st.st_mode;
	*size = (uint64_t)st.st_size;
	return 0;
}
