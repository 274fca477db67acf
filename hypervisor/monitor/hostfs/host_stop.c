/* SPDX-License-Identifier: MIT */
#include "hostfs/host_stop.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int64_t host_stop(struct host_files *files, int reason, const char *fmt, ...)
{
	va_list args;
	if (files->error.text[0])
		return -reason;
	va_start(args, fmt);
	vsnprintf(files->error.text, sizeof(files->error), fmt, args);
	va_end(args);
	return -reason;
}

int64_t host_stop_unless_told(struct host_files *files, uint32_t handle, const char *name, int64_t result)
{
	if (result >= 0)
		return result;
	switch (-result) {
	case EACCES:
	case ELOOP:
	case ENAMETOOLONG:
	case ENOENT:
	case ENOTDIR:
	case EPERM:
		return result;
	default:
		return host_stop(files, (int)-result, "cannot look up the host's %s: %s",
		                 host_stop_describe(files, handle, name), strerror((int)-result));
	}
}

int64_t host_stop_without_memory(struct host_files *files)
{
	return host_stop(files, ENOMEM, "not enough memory to remember the host's files that the program looks at");
}

int64_t host_stop_at_nonsense(struct host_files *files, const char *what)
{
	return host_stop(files, EPROTO, "the guest's kernel made an invalid request for the host's files: %s", what);
}

const char *host_stop_describe(const struct host_files *files, uint32_t handle, const char *name)
{
	static char text[121];
	char path[PATH_MAX];
	if (host_objects_path(&files->objects, handle, name, path) < 0)
		path[0] = 0;
	host_notes_path(text, sizeof(text), &files->trees[host_objects_root(&files->objects, handle)], path);
	return text;
}

int64_t host_stop_at_change(struct host_files *files, uint32_t handle, const char *name)
{
	return host_stop(files, ESTALE,
	                 "the host's %s changed during the run; run again while nothing writes to it, or from a copy",
	                 host_stop_describe(files, handle, name));
}

int64_t host_stop_at_appearance(struct host_files *files, uint32_t handle, const char *name)
{
	return host_stop(
		files, ESTALE,
		"the host's %s appeared during the run, after the program had found none; run again while nothing "
		"writes there, or from a copy",
		host_stop_describe(files, handle, name));
}
