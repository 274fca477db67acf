/* SPDX-License-Identifier: MIT */
#include "search/search_program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "session/command.h"
#include "session/environment.h"

const char *search_program_file(const struct search_option *option, unsigned index, char path[PATH_MAX])
{
	static struct run_config run;
	static const struct binds binds;
	const char *word = option->program[index];
	struct stat st;
	if (!index && !run.environment && environment_add_defaults(&run))
		die("out of memory");
	if (!index && command_is_searched(word) && command_find(&run, &binds, word, path))
		word = path;
	return stat(word, &st) || !S_ISREG(st.st_mode) ? NULL : word;
}

int search_program_add_contents(struct digest_sum *sum, int fd)
{
	static char piece[65536]; /* too large for a stack */
	ssize_t got;
	for (off_t at = 0; (got = pread(fd, piece, sizeof(piece), at)) > 0; at += got)
		digest_add(sum, piece, (size_t)got);
	return got < 0 ? -errno : 0;
}

void search_program_hash(const struct search_option *option, uint8_t to[DIGEST_BYTES])
{
	struct digest_sum sum;
	char path[PATH_MAX];
	digest_begin(&sum);
	for (int i = 0; i < option->program_count; i++) {
		const char *file = search_program_file(option, (unsigned)i, path);
		/* not to wait if a FIFO has taken its place */
		const int fd = file ? open(file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK) : -1;
		const int result = fd < 0 ? 0 : search_program_add_contents(&sum, fd);
		if (result)
			die("search: cannot read %s: %s", file, strerror(-result));
		if (fd >= 0)
			close(fd);
	}
	digest_end(&sum, to);
}

void search_program_note(struct search_option *option)
{
	uint8_t digest[DIGEST_BYTES];
	search_program_hash(option, digest);
	for (unsigned i = 0; i < DIGEST_BYTES; i++)
		snprintf(option->program_sha256 + 2 * (size_t)i, 3, "%02x", digest[i]);
}
