/* SPDX-License-Identifier: MIT */
#include "symbols.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "request.h"

#define EXPANDED_MAX (64UL << 20)
#define GZIP (15 + 16) /* inflateInit2: the largest window, with the header of gzip */

static bool write_all(int fd, const void *from, size_t bytes)
{
	return write(fd, from, bytes) == (ssize_t)bytes;
}

/* Expands a gzip file in memory to the end of another file. */
static bool expand(int to, const uint8_t *from, size_t bytes)
{
	static uint8_t piece[1 << 16];
	z_stream stream = {.next_in = (uint8_t *)from, .avail_in = (unsigned)bytes};
	size_t all = 0;
	int result = inflateInit2(&stream, GZIP);
	while (result == Z_OK && all < EXPANDED_MAX) {
		stream.next_out = piece;
		stream.avail_out = sizeof(piece);
		result = inflate(&stream, Z_NO_FLUSH);
		const size_t got = sizeof(piece) - stream.avail_out;
		all += got;
		if (!write_all(to, piece, got))
			result = Z_ERRNO;
	}
	inflateEnd(&stream);
	return result == Z_STREAM_END;
}

int symbols_expand(int fd)
{
	struct stat st;
	struct symbolize_symbols end;
	if (fstat(fd, &st) || st.st_size < (off_t)sizeof(end) || st.st_size > (off_t)EXPANDED_MAX ||
	    pread(fd, &end, sizeof(end), st.st_size - (off_t)sizeof(end)) != sizeof(end) ||
	    end.magic != SYMBOLIZE_SYMBOLS_MAGIC || end.image_bytes > (uint64_t)st.st_size - sizeof(end))
		return fd;
	const size_t size = (size_t)st.st_size;
	const uint8_t *all = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
	int to = all == MAP_FAILED ? -1 : memfd_create("symbols", MFD_CLOEXEC);
	if (to >= 0 && write_all(to, all, end.image_bytes) &&
	    expand(to, all + end.image_bytes, size - sizeof(end) - end.image_bytes))
		return to;
	return fd;
}
