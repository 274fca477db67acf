/* SPDX-License-Identifier: MIT */
/* Goes through the table of names: copies contents, and writes the table anew, because a file can be left out or have
 * to be stored elsewhere. */
#include "pack/stage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "eri/eri_names.h"
#include "pack/pattern.h"
#include "pack/stage_inputs.h"

/* One name, while it is staged. */
struct item {
	unsigned tree;
	struct eri_name name;
	char below[PATH_MAX];  /* its path below the tree */
	char guest[PATH_MAX];  /* its path in the guest */
	char target[PATH_MAX]; /* of a link */
};

static int join_paths(const char *top, const char *below, char path[PATH_MAX])
{
	return eri_names_join(top, below, path, PATH_MAX);
}

static bool is_own_file(const char *path)
{
	return !strncmp(path, ERI_DIR, strlen(ERI_DIR)) && (!path[strlen(ERI_DIR)] || path[strlen(ERI_DIR)] == '/');
}

/* Copies the contents of a file to its own path, or to one by its hash if that has other contents. */
static int stage_content(struct stage *stage, int fd, struct item *item, char hex[STAGE_HEX_BYTES])
{
	char digits[DIGEST_TEXT_BYTES], path[128];
	int result = -EEXIST;
	digest_text(item->name.hash, digits);
	if (!is_own_file(item->guest + 1))
		result = stage_copy(stage, fd, 0, item->name.size, item->guest + 1, item->name.mode, hex);
	if (result != -EEXIST && result != -ENOTDIR && result != -ELOOP)
		return result;
	struct stat st;
	/* an earlier step may have staged the same contents */
	if (!is_own_file(item->guest + 1) && !fstatat(stage->tree, item->guest + 1, &st, AT_SYMLINK_NOFOLLOW) &&
	    S_ISREG(st.st_mode) && (uint64_t)st.st_size == item->name.size) {
		struct error error;
		char found[STAGE_HEX_BYTES], file[PATH_MAX];
		if (!join_paths(stage->path, "tree", file) && strlen(file) + strlen(item->guest) < PATH_MAX &&
		    !digest_file(strcat(file, item->guest), found, &error) && !strcmp(found, strchr(digits, ':') + 1)) {
			strcpy(hex, found);
			return 0;
		}
	}
	item->name.kind = ERI_STORED;
	snprintf(path, sizeof(path), ERI_FILES "/%s", strchr(digits, ':') + 1);
	result = stage_copy(stage, fd, 0, item->name.size, path, item->name.mode, hex);
	if (result == -EEXIST)
		strcpy(hex, strchr(digits, ':') + 1);
	return result == -EEXIST ? 0 : result;
}

static int add_external(struct stage *stage, const struct item *item, const char *hex)
{
	if (!array_reserve(stage->external, stage->external_room, stage->external_count + 1UL))
		return -ENOMEM;
	struct eri_external *external = &stage->external[stage->external_count];
	*external = (struct eri_external){strdup(item->guest), strdup(hex), item->name.size};
	if (!external->path || !external->sha256)
		return -ENOMEM;
	stage->external_count++;
	return 0;
}

/* Leaves the contents of a file out, if the user wants that. Returns 1 if so, 0, or -ENOMEM. */
static int leave_out_item(struct stage *stage, struct item *item, const char *host)
{
	char digits[DIGEST_TEXT_BYTES];
	digest_text(item->name.hash, digits);
	if (pattern_matches(stage->excludes, item->guest)) {
		item->name.kind = ERI_SEEN;
		item->name.has_hash = false;
		if (!stage->lacks++ && !(stage->lacking = strdup(item->guest)))
			return -ENOMEM;
		return stage_inputs_note(stage, item->guest, host, STAGE_EXCLUDED, item->name.size, 0, -1) ? -ENOMEM
		                                                                                           : 1;
	}
	if (!pattern_matches(stage->externals, item->guest))
		return 0;
	item->name.kind = ERI_EXTERNAL;
	if (stage_inputs_note(stage, item->guest, host, STAGE_EXTERNAL, item->name.size, 0, -1))
		return -ENOMEM;
	return add_external(stage, item, strchr(digits, ':') + 1) ? -ENOMEM : 1;
}

static int stage_file(struct stage *stage, const struct trace *trace, struct item *item, struct error *error)
{
	static char host[PATH_MAX]; /* too large for a stack */
	char hex[STAGE_HEX_BYTES], digits[DIGEST_TEXT_BYTES];
	digest_text(item->name.hash, digits);
	if (join_paths(trace->tree_hosts[item->tree], item->below, host))
		return error_set(error, ENAMETOOLONG, "cannot read %.160s for the image: its path is too long",
		                 item->guest);
	int result = leave_out_item(stage, item, host);
	if (result)
		return result > 0 ? 0 : error_set(error, ENOMEM, "out of memory");
	int fd = open(host, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return error_set(error, errno, "cannot read %.160s for the image: %s", host, strerror(errno));
	result = stage_content(stage, fd, item, hex);
	if (!result)
		result =
			stage_inputs_note(stage, item->guest, host, STAGE_SEALED, item->name.size, item->name.mode, fd);
	close(fd);
	if (result && result != -ENODATA)
		return error_set(error, -result, "cannot copy %.160s for the image: %s", host, strerror(-result));
	if (result || strcmp(hex, strchr(digits, ':') + 1))
		return error_set(error, ESTALE,
		                 "%.160s changed while it was packed; pack again while nothing writes to it", host);
	return 0;
}

/* Makes a link or a directory, for those who mount the image; the run takes both from the table. */
static void make_other(struct stage *stage, const struct item *item)
{
	char path[PATH_MAX];
	if (is_own_file(item->guest + 1) || !item->guest[1])
		return;
	if (item->name.kind == ERI_LINK)
		stage_link(stage, item->target, item->guest + 1);
	else if (item->name.kind != ERI_HIDDEN && S_ISDIR(item->name.mode) && !join_paths(item->guest + 1, "x", path))
		stage_parents(stage, path);
}

/* Stages a name without contents. */
static int stage_other(struct stage *stage, const struct trace *trace, const struct item *item, struct error *error)
{
	static char host[PATH_MAX]; /* too large for a stack */
	const bool is_left_out = item->name.kind == ERI_SEEN && pattern_matches(stage->excludes, item->guest);
	int result = 0;
	make_other(stage, item);
	if ((is_left_out || item->name.kind == ERI_LINK) &&
	    !join_paths(trace->tree_hosts[item->tree], item->below, host))
		result = stage_inputs_note(stage, item->guest, host, is_left_out ? STAGE_EXCLUDED : STAGE_LINK,
		                           item->name.size, 0, -1);
	return result ? error_set(error, ENOMEM, "out of memory") : 0;
}

static int stage_item(struct stage *stage, const struct trace *trace, struct item *item, FILE *to, struct error *error)
{
	static struct eri_bytecode bytecode; /* too large for a stack */
	int result = 0;
	if (item->tree >= trace->tree_count || join_paths(trace->trees[item->tree].guest, item->below, item->guest))
		return error_set(error, EPROTO, "the table of names is not valid");
	if (item->name.kind == ERI_LINK &&
	    eri_names_text(item->name.detail, item->name.detail_bytes, item->target, sizeof(item->target)) < 0)
		return error_set(error, EPROTO, "the table of names is not valid");
	if (item->name.kind == ERI_FILE)
		result = stage_file(stage, trace, item, error);
	else
		result = stage_other(stage, trace, item, error);
	bool has_bytecode = eri_names_bytecode(&item->name, &bytecode) > 0;
	eri_names_write(to, item->tree, item->below, &item->name, item->name.kind == ERI_LINK ? item->target : NULL,
	                has_bytecode ? &bytecode : NULL);
	return result;
}

/* Links are made when all files are there, so that no path of a file leads through them. */
static int stage_lines(struct stage *stage, const struct trace *trace, const struct eri_names *names, FILE *to,
                       struct error *error)
{
	struct item *item = malloc(sizeof(*item));
	size_t at = 0;
	int result = item ? 0 : error_set(error, ENOMEM, "out of memory"), more = 0;
	while (!result && (more = eri_names_line(names, &at, &item->tree, item->below, &item->name)) > 0)
		result = stage_item(stage, trace, item, to, error);
	if (more < 0 && !result)
		result = error_set(error, EPROTO, "the table of names is not valid");
	free(item);
	return result;
}

int stage_names(struct stage *stage, const struct trace *trace, int fd, const char *step, char hex[STAGE_HEX_BYTES],
                struct error *error)
{
	struct eri_names names;
	char *text = NULL, path[PATH_MAX];
	size_t bytes;
	off_t size = lseek(fd, 0, SEEK_END);
	void *table = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
	FILE *to = open_memstream(&text, &bytes);
	if (table == MAP_FAILED || !to)
		return error_set(error, ENOMEM, "out of memory");
	int result = eri_names_open(&names, table, (size_t)size, error);
	fputs(ERI_NAMES_FIRST, to);
	if (!result)
		result = stage_lines(stage, trace, &names, to, error);
	munmap(table, (size_t)size);
	if (fclose(to) && !result)
		result = error_set(error, ENOMEM, "out of memory");
	snprintf(path, sizeof(path), ERI_STEPS "/%s/" ERI_STEP_NAMES, step);
	int failed = result ? 0 : stage_text(stage, text, bytes, path, hex);
	free(text);
	return failed ? error_set(error, -failed, "cannot write the table of names: %s", strerror(-failed)) : result;
}
