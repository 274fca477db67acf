/* SPDX-License-Identifier: MIT */
#include "search/search_input.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "sealed/image_text.h"

static uint64_t bytes;
static char *file;

/* Finds the path of standard input, if that is a file which has not been read yet. */
static void find_file(const struct stat *st)
{
	char path[PATH_MAX];
	struct stat now;
	const ssize_t length = readlink("/proc/self/fd/0", path, sizeof(path) - 1);
	if (!S_ISREG(st->st_mode) || lseek(STDIN_FILENO, 0, SEEK_CUR) || length < 0)
		return;
	path[length] = 0;
	if (!stat(path, &now) && now.st_dev == st->st_dev && now.st_ino == st->st_ino)
		file = strdup(path);
}

int search_input_keep(const char *verb)
{
	static char piece[65536]; /* too large for a stack */
	ssize_t got;
	struct stat st;
	if (isatty(STDIN_FILENO) || fstat(STDIN_FILENO, &st) || S_ISCHR(st.st_mode))
		return -1;
	find_file(&st);
	int kept = memfd_create("eremite input", MFD_CLOEXEC);
	if (kept < 0)
		die("%s: cannot make a file in memory: %s", verb, strerror(errno));
	while ((got = read(STDIN_FILENO, piece, sizeof(piece))) > 0 || (got < 0 && errno == EINTR))
		if (got > 0 && write(kept, piece, (size_t)got) != got)
			die("%s: cannot keep standard input: %s", verb, strerror(errno));
	if (got < 0)
		die("%s: cannot read standard input: %s", verb, strerror(errno));
	bytes = (uint64_t)lseek(kept, 0, SEEK_CUR);
	if (bytes)
		return kept;
	close(kept); /* as /dev/null */
	return -1;
}

void search_input_describe(uint64_t size, const char *path)
{
	bytes = size;
	free(file);
	file = path ? strdup(path) : NULL;
}

uint64_t search_input_bytes(void)
{
	return bytes;
}

const char *search_input_file(void)
{
	return bytes ? file : NULL;
}

void search_input_put(FILE *to)
{
	if (search_input_file()) {
		char *word = image_text_words(&file, 1);
		fputs(" < ", to);
		image_text_put_words(to, word);
		fputc('\n', to);
		free(word);
	} else if (bytes) {
		fprintf(to, "\n  it read a standard input of %" PRIu64 " bytes: give it the same\n", bytes);
	} else {
		fputc('\n', to);
	}
}
