/* SPDX-License-Identifier: MIT */
#include "hostfs/host_content_time.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest/content_sums.h"
#include "base/digest.h"
#include "hostfs/host_stop.h"
#include "hostfs/tree/host_live_open.h"

/* Images and bytecode have such times: these numbers and the hash are never changed. */
#define FIRST_S 315619200U /* 1980-01-02T00:00:00Z */
#define END_S 631152000U   /* 1990-01-01T00:00:00Z */
#define PIECE_BYTES (1U << 16)

bool host_content_time_is(uint32_t seconds)
{
	return seconds >= FIRST_S && seconds < END_S;
}

/* Hashes a file to its end. Returns 0 or a negative errno. */
static int hash_source(int fd, uint8_t sum[DIGEST_BYTES])
{
	static uint8_t piece[PIECE_BYTES]; /* too large for a stack; requests are served one at a time */
	struct digest_sum all;
	ssize_t got;
	digest_begin(&all);
	for (off_t at = 0; (got = pread(fd, piece, sizeof(piece), at)) != 0;) {
		if (got < 0 && errno != EINTR)
			return -errno;
		digest_add(&all, piece, got < 0 ? 0 : (size_t)got);
		at += got < 0 ? 0 : got;
	}
	digest_end(&all, sum);
	return 0;
}

int host_content_time_read(struct host_files *files, uint32_t source, struct host_content_time *time)
{
	uint8_t sum[DIGEST_BYTES];
	uint64_t number = 0;
	*time = (struct host_content_time){.source = source};
	int fd = host_live_open_path(files, source, "", O_RDONLY, &time->stamp), result = fd;
	if (fd >= 0) {
		const struct stat st = {.st_mtim = time->stamp.mtime, .st_ctim = time->stamp.ctime};
		time->is_old = !content_is_young(&st);
		result = S_ISREG(time->stamp.mode) ? hash_source(fd, sum) : -ESTALE;
		close(fd);
	}
	if (result < 0) {
		host_stop_unless_told(files, source, "", result);
		return files->error.text[0] ? result : 0;
	}
	for (unsigned i = 8; i--;)
		number = number << 8 | sum[i];
	time->seconds = (uint32_t)(FIRST_S + number % (END_S - FIRST_S));
	return 1;
}
