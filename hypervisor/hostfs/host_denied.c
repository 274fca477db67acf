/* SPDX-License-Identifier: MIT */
#include "hostfs/host_denied.h"

#include <errno.h>
#include <limits.h>

#include "hostfs/host_stop.h"

int64_t host_denied_note(struct host_files *files, uint32_t handle, const char *name, int64_t answer)
{
	static const struct host_stamp none;
	static const uint8_t no_hash[DIGEST_BYTES];
	char path[PATH_MAX];
	struct host_note *note;
	if (answer != -EACCES || files->error[0])
		return answer;
	files->is_denied = files->is_ahead;
	if (files->is_ahead)
		return answer;
	int64_t root = host_objects_path(&files->objects, handle, name, path);
	if (root < 0) /* longer than PATH_MAX, as no program can name it */
		return answer;
	if (host_notes_add(&files->notes, files->run, HOST_NOTE_DENIED, &files->trees[root], path, &none, no_hash,
	                   &note))
		return host_stop_without_memory(files);
	if (files->strict && files->trees[root].sealed)
		return host_stop(
			files, EACCES,
			"--strict-files: the image lacks %s, which the program asked for and the user who made "
			"the image was not permitted to read; make it with that permission, or run it without "
			"--strict-files",
			host_stop_describe(files, handle, name));
	if (files->strict)
		return host_stop(files, EACCES,
		                 "--strict-files: this user may not read the host's %s, which the program asked for; "
		                 "give its permissions, or run without --strict-files",
		                 host_stop_describe(files, handle, name));
	return answer;
}
