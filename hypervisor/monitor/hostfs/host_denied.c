/* SPDX-License-Identifier: MIT */
#include "hostfs/host_denied.h"

#include <errno.h>
#include <limits.h>

#include "hostfs/host_stop.h"
#include "hostfs/tree/host_tree_ops.h"

int64_t host_denied_note(struct host_files *files, uint32_t handle, const char *name, int64_t answer)
{
	static const struct host_stamp none;
	static const uint8_t no_hash[DIGEST_BYTES];
	char path[PATH_MAX];
	struct host_note *note;
	if (answer != -EACCES || files->error.text[0])
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
	return files->strict ? files->trees[root].ops->stop_at_denial(files, handle, name) : answer;
}
