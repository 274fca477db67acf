/* SPDX-License-Identifier: MIT */
#ifndef HYPERVISOR_DIRECTORY_H
#define HYPERVISOR_DIRECTORY_H

#include <dirent.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

/** Whether an open directory can be read and has no entries. */
static inline bool directory_is_empty(int dir)
{
	int own = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = own < 0 ? NULL : fdopendir(own);
	bool empty = stream;
	for (const struct dirent *entry; empty && (entry = readdir(stream));)
		empty = !strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..");
	if (stream)
		closedir(stream);
	return empty;
}

#endif
