/* SPDX-License-Identifier: MIT */
#include "pack/run_outputs.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"

static struct run_output *add_run_output(struct run_outputs *outputs, const char *what, const char *path,
                                         const char *target)
{
	memory_check(array_reserve(outputs->all, outputs->room, outputs->count + 1));
	struct run_output *output = &outputs->all[outputs->count];
	*output = (struct run_output){
		.what = what, .path = text_copy(path), .target = text_copy(target), .fd = -1, .number = outputs->count};
	outputs->count++;
	return output;
}

static void add_stream(struct run_outputs *outputs, const char *name, int fd)
{
	struct run_output *output = add_run_output(outputs, name, "", "");
	output->mode = S_IFREG | 0644;
	output->bytes = (uint64_t)lseek(fd, 0, SEEK_END);
	output->fd = fd;
}

static void add_out_entry(struct run_outputs *outputs, const FTSENT *entry, size_t top)
{
	char target[PATH_MAX] = "";
	const uint32_t mode = entry->fts_statp->st_mode;
	if (S_ISLNK(mode)) {
		ssize_t length = readlink(entry->fts_accpath, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = 0;
	}
	struct run_output *output = add_run_output(outputs, "out", entry->fts_path + top, target);
	output->mode = mode;
	if (!S_ISREG(mode))
		return;
	output->bytes = (uint64_t)entry->fts_statp->st_size;
	output->host = text_copy(entry->fts_path);
}

static int add_out(struct run_outputs *outputs, const char *out, struct error *error)
{
	char *const roots[] = {(char *)out, NULL};
	FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	if (!walk)
		return error_set(error, errno, "cannot read %.160s: %s", out, strerror(errno));
	for (FTSENT *entry; (entry = fts_read(walk));)
		if (entry->fts_level > 0 && entry->fts_info != FTS_DP)
			add_out_entry(outputs, entry, strlen(out));
	fts_close(walk);
	return 0;
}

static int add_change(struct run_outputs *outputs, const struct trace_change *change, int spool, struct error *error)
{
	char target[PATH_MAX] = "";
	if (S_ISLNK(change->mode) && change->at >= 0 && change->bytes < sizeof(target) &&
	    pread(spool, target, change->bytes, change->at) != (ssize_t)change->bytes)
		return error_set(error, EIO, "cannot read the link %.160s", change->path);
	struct run_output *output = add_run_output(outputs, "file", change->path, target);
	output->mode = change->mode;
	if (!S_ISREG(change->mode) || change->at < 0)
		return 0;
	output->bytes = change->bytes;
	output->at = (uint64_t)change->at;
	output->fd = spool;
	return 0;
}

/* Streams come first, then /out, then other files. */
static int rank(const char *what)
{
	return !strcmp(what, "stdout") ? 0 : !strcmp(what, "stderr") ? 1 : !strcmp(what, "out") ? 2 : 3;
}

int run_output_order(const char *what, const char *path, const char *other_what, const char *other_path)
{
	int order = rank(what) - rank(other_what);
	if (!order)
		order = strcmp(what, other_what);
	return order ? order : strcmp(path, other_path);
}

static int by_output_place(const void *a, const void *b)
{
	const struct run_output *x = a, *y = b;
	int order = run_output_order(x->what, x->path, y->what, y->path);
	return order ? order : (x->number > y->number) - (x->number < y->number);
}

int run_outputs_list(struct run_outputs *outputs, const struct trace *trace, const struct trace_fds *fds,
                     const char *out, struct error *error)
{
	*outputs = (struct run_outputs){0};
	add_stream(outputs, "stdout", fds->streams[1]);
	add_stream(outputs, "stderr", fds->streams[2]);
	int result = *out ? add_out(outputs, out, error) : 0;
	for (size_t i = 0; i < trace->change_count && !result; i++)
		result = add_change(outputs, &trace->changes[i], fds->spool, error);
	qsort(outputs->all, outputs->count, sizeof(*outputs->all), by_output_place);
	return result;
}

void run_outputs_fini(struct run_outputs *outputs)
{
	for (size_t i = 0; i < outputs->count; i++) {
		free(outputs->all[i].path);
		free(outputs->all[i].target);
		free(outputs->all[i].host);
	}
	free(outputs->all);
	*outputs = (struct run_outputs){0};
}

bool run_output_has_contents(const struct run_output *output)
{
	return output->fd >= 0 || output->host;
}

int run_output_open(const struct run_output *output)
{
	if (!run_output_has_contents(output))
		return -ENODATA;
	int fd = output->host ? open(output->host, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
	                      : fcntl(output->fd, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}
