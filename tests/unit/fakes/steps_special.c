/* SPDX-License-Identifier: MIT */
/* FIFOs and what else mknod(2) makes. Whatever is opened here does not wait for its other end. */
#define _GNU_SOURCE
#include "abi/linux.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "tests/unit/fakes/both.h"
#include "tests/unit/fakes/random_args.h"
#include "tests/unit/fakes/steps.h"

static char path[RANDOM_PATH_BYTES];

static void make(void)
{
	static const unsigned int types[] = {S_IFIFO, S_IFIFO, S_IFIFO, S_IFREG, 0, S_IFSOCK, S_IFDIR, S_IFLNK, 030000};
	unsigned int mode = types[random_args_below(9)] | (unsigned int)random_args_below(010000);
	int fd = random_args_dirfd();
	random_args_path(path);
	BOTH(mknodat, both_describe("(%d, \"%s\", 0%o)", fd, path, mode), fd, (long)path, mode, 0);
}

/* Whether readiness is the same on all descriptors. */
static void look(void)
{
	struct linux_pollfd *fds[2] = {(void *)both_out[0], (void *)both_out[1]};
	for (int side = 0; side < 2; side++) {
		for (int i = 0; i < 9; i++)
			fds[side][i] = (struct linux_pollfd){3 + i, (short)0xffff, 0};
	}
	BOTH(poll, " of all", BOTH_RESULT, 9, 0);
	both_check_data(9 * sizeof(*fds[0]));
}

void steps_special(void)
{
	if (random_args_one_in(3))
		look();
	else
		make();
}
