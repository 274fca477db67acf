/* SPDX-License-Identifier: MIT */
/* getline, getdelim and the locks of a stream: newlib has them under names of its own. */
#include <stdio.h>
#include <sys/lock.h>

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict stream)
{
	return __getdelim(line, size, delimiter, stream);
}

ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict stream)
{
	return __getline(line, size, stream);
}

void flockfile(FILE *stream)
{
	__lock_acquire_recursive(stream->_lock);
}

int ftrylockfile(FILE *stream)
{
	return __lock_try_acquire_recursive(stream->_lock) ? 0 : -1;
}

void funlockfile(FILE *stream)
{
	__lock_release_recursive(stream->_lock);
}
