/* SPDX-License-Identifier: MIT */
#include "cli/search/search_input.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"

int search_input_keep(const char *verb)
{
	static char piece[65536]; /* too large for a stack */
	ssize_t got;
	struct stat st;
	if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &st) || S_ISCHR(st.st_mode))
		return -1;
	int kept = memfd_create("eremite input", MFD_CLOEXEC);
	if (kept < 0)
		die("%s: cannot make a file in memory: %s", verb, strerror(errno));
	while ((got = read(STDIN_FILENO, piece, sizeof(piece))) > 0 || (got < 0 && errno == EINTR))
		if (got > 0 && write(kept, piece, (size_t)got) != got)
			die("%s: cannot keep standard input: %s", verb, strerror(errno));
	if (got < 0)
		die("%s: cannot read standard input: %s", verb, strerror(errno));
	if (lseek(kept, 0, SEEK_CUR))
		return kept;
	close(kept); /* as /dev/null */
	return -1;
}
