/* SPDX-License-Identifier: MIT */
/* Receives /out from a guest, which may be hostile: it can create, replace and damage objects below the directory, and
 * nothing elsewhere. Every component of a path is opened below the previous one without following symbolic links. A
 * file gets its name only when it is complete. */
#include "hostfs/out.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clean_path.h"
#include "base/clean_text.h"
#include "confine/keeper.h"

#define OPEN_DIR (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define COPY_BYTES 0x10000
#define TEMPORARY ".eremite-out" /* prefix of the names of unfinished files */

static int fail_out(struct out *out, int error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Removes the half-written object and sets out->error, unless an earlier failure has set it. Returns -error. */
static int fail_out(struct out *out, int error, const char *fmt, ...)
{
	va_list args;
	new_file_drop(&out->file);
	if (out->parent >= 0)
		close(out->parent);
	out->parent = -1;
	if (out->failed)
		return -error;
	out->failed = true;
	va_start(args, fmt);
	vsnprintf(out->error.text, sizeof(out->error), fmt, args);
	va_end(args);
	clean_text(out->error.text, strlen(out->error.text)); /* the guest chose the names in it */
	return -error;
}

/* Fails because an operation on the current object failed with errno. */
static int fail_errno(struct out *out, const char *what)
{
	int error = errno;
	return fail_out(out, error, "cannot %s %.160s of /out: %s", what, out->path, strerror(error));
}

int out_init(struct out *out, const char *dir, const struct out_limits *limits)
{
	memset(out, 0, sizeof(*out));
	out->limits = *limits;
	out->dir = out->parent = out->file.fd = -1;
	digest_begin(&out->sum);
	if (!dir)
		return 0;
	if (mkdir(dir, 0777) && errno != EEXIST) {
		int error = errno;
		return fail_out(out, error, "cannot make the directory %.160s: %s", dir, strerror(error));
	}
	out->can_link = new_file_can_link();
	out->dir = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (out->dir < 0) {
		int error = errno;
		return fail_out(out, error, "cannot open the directory %.160s: %s", dir, strerror(error));
	}
	out->mask = umask(0); /* so that objects are created with exactly the given mode */
	return 0;
}

/* Opens a directory in a path, and creates it if it is missing. Returns the descriptor or -1 with errno. */
static int step_into(int dir, const char *name, mode_t mode)
{
	int next = openat(dir, name, OPEN_DIR);
	if (next >= 0 || errno != ENOENT)
		return next;
	if (mkdirat(dir, name, mode) && errno != EEXIST)
		return -1;
	return openat(dir, name, OPEN_DIR);
}

/* Opens the directory of the object at `path`; *leaf is its name there. Returns the descriptor or -1 with errno. */
static int open_parent(const struct out *out, const char *path, const char **leaf)
{
	int dir = fcntl(out->dir, F_DUPFD_CLOEXEC, 0);
	for (const char *slash; dir >= 0 && (slash = strchr(path, '/')); path = slash + 1) {
		char name[NAME_MAX + 1];
		size_t length = (size_t)(slash - path);
		memcpy(name, path, length);
		name[length] = 0;
		int next = step_into(dir, name, 0755 & ~out->mask);
		int error = errno;
		close(dir);
		errno = error;
		dir = next;
	}
	*leaf = path;
	return dir;
}

static const char *path_leaf(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Sets a mode on hosts where /proc is not mounted. */
static int set_mode_without_proc(int fd, uint32_t mode)
{
	if (!fchmod(fd, mode & 0777))
		return 0;
	int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result = again < 0 ? -1 : fchmod(again, mode & 0777);
	int error = errno;
	if (again >= 0)
		close(again);
	errno = error;
	return result;
}

/* Sets a mode if it differs. Uses the object's link in /proc/self/fd, because fchmod refuses O_PATH descriptors; the
 * link leads to this very object. Returns 0, or -1 with errno. */
static int set_out_mode(int fd, uint32_t mode)
{
	char name[40];
	struct stat st;
	if (!fstat(fd, &st) && (st.st_mode & 07777) == (mode & 0777))
		return 0;
	if (keeper_is_there()) {
		errno = -keeper_set_mode(fd, mode);
		return errno ? -1 : 0;
	}
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!chmod(name, mode & 0777))
		return 0;
	return errno == ENOENT ? set_mode_without_proc(fd, mode) : -1;
}

/* Gives directories their final modes, innermost first, if `next` is not below them. NULL: there are no more objects.
 * */
static int close_directories(struct out *out, const char *next)
{
	while (out->closing_count) {
		const struct out_closing *last = &out->closing[out->closing_count - 1];
		const char *leaf;
		out->closing_path[last->path_bytes] = 0;
		if (next && !strncmp(next, out->closing_path, last->path_bytes) && next[last->path_bytes] == '/')
			return 0;
		int parent = open_parent(out, out->closing_path, &leaf);
		int fd = parent < 0 ? -1 : openat(parent, leaf, OPEN_DIR);
		int result = fd < 0 ? -1 : set_out_mode(fd, last->mode);
		int error = errno;
		if (fd >= 0)
			close(fd);
		if (parent >= 0)
			close(parent);
		if (result)
			return fail_out(out, error, "cannot set the mode of %.160s of /out: %s", out->closing_path,
			                strerror(error));
		out->closing_count--;
	}
	return 0;
}

static int make_out_directory(struct out *out)
{
	const char *leaf = path_leaf(out->path);
	struct stat st;
	bool open_later = (out->mode & 0700) != 0700;
	/* Removes an object that an earlier run left under this name, unless it is a directory. */
	if (!fstatat(out->parent, leaf, &st, AT_SYMLINK_NOFOLLOW) && !S_ISDIR(st.st_mode) &&
	    unlinkat(out->parent, leaf, 0))
		return fail_errno(out, "replace");
	if (mkdirat(out->parent, leaf, (out->mode & 0777) | 0700) && errno != EEXIST)
		return fail_errno(out, "make the directory");
	int fd = openat(out->parent, leaf, OPEN_DIR);
	if (fd < 0)
		return fail_errno(out, "open the directory");
	int result = set_out_mode(fd, out->mode | 0700);
	if (result)
		result = fail_errno(out, "set the mode of");
	close(fd);
	if (!result && open_later) {
		memcpy(out->closing_path, out->path, sizeof(out->path));
		out->closing[out->closing_count++] =
			(struct out_closing){(uint16_t)strlen(out->path), (uint16_t)(out->mode & 0777)};
	}
	return result;
}

/* Whether a directory has this name. A file cannot replace it: Linux fails with EISDIR, or EACCES under Landlock. Keeps
 * errno. */
static bool is_out_directory(int parent, const char *leaf)
{
	const int error = errno, fd = openat(parent, leaf, OPEN_DIR);
	if (fd >= 0)
		close(fd);
	errno = error;
	return fd >= 0;
}

/* Gives the current object its name, after all of its data has been received. */
static int complete_object(struct out *out)
{
	if (out->kind == S_IFLNK && (!out->target_bytes || memchr(out->target, 0, out->target_bytes)))
		return fail_out(out, EPROTO,
		                "the guest gave the symbolic link %.160s of /out a target that is not a path",
		                out->path);
	if (out->dir < 0 || out->kind == S_IFDIR)
		return 0;
	errno = out->kind == S_IFLNK
	                ? -new_file_symlink(out->parent, out->target, TEMPORARY, path_leaf(out->path), true)
	                : 0;
	if (errno)
		return fail_errno(out, "make the symbolic link");
	if (out->file.fd >= 0) {
		if (set_out_mode(out->file.fd, out->mode))
			return fail_errno(out, "set the mode of");
		errno = -new_file_put(&out->file, path_leaf(out->path), true);
		if (errno)
			return fail_errno(out,
			                  is_out_directory(out->parent, path_leaf(out->path)) ? "replace" : "write");
	}
	close(out->parent);
	out->parent = -1;
	return 0;
}

/* Prepares the current object on the host. */
static int begin_object(struct out *out)
{
	const char *leaf;
	int result = close_directories(out, out->path);
	if (result)
		return result;
	out->parent = open_parent(out, out->path, &leaf);
	if (out->parent < 0 && (errno == ENOTDIR || errno == ELOOP))
		return fail_out(out, ENOTDIR,
		                "cannot write %.160s of /out: a part of its path is a file or a symbolic link",
		                out->path);
	if (out->parent < 0)
		return fail_errno(out, "open the directory of");
	errno = out->kind == S_IFREG ? -new_file_make(&out->file, out->parent, out->mode, out->can_link, TEMPORARY) : 0;
	if (errno)
		return fail_errno(out, "write");
	if (out->kind == S_IFDIR) {
		result = make_out_directory(out);
		if (out->parent >= 0)
			close(out->parent);
		out->parent = -1;
	}
	return result;
}

/* Returns the name of a kind of object that is only hashed, or NULL for other kinds. */
static const char *special_name(uint32_t kind)
{
	switch (kind) {
	case S_IFIFO:
		return "a FIFO";
	case S_IFSOCK:
		return "a socket";
	case S_IFCHR:
	case S_IFBLK:
		return "a device";
	default:
		return NULL;
	}
}

static void note_special(struct out *out)
{
	if (out->special++)
		return;
	out->special_kind = out->kind;
	snprintf(out->special_path, sizeof(out->special_path), "%.*s", (int)sizeof(out->special_path) - 1, out->path);
}

static void warn_of_special(struct out *out)
{
	char others[60] = "";
	if (out->special > 1)
		snprintf(others, sizeof(others), ", as are %lu more", out->special - 1);
	snprintf(out->warning, sizeof(out->warning),
	         "warning: %s of /out is %s and is left out%s: --out takes files, directories and symbolic links",
	         out->special_path, special_name(out->special_kind), others);
	clean_text(out->warning, strlen(out->warning));
}

/* Checks the announcement of an object, and makes it the current one. */
static int take_out_entry(struct out *out, const struct out_entry *entry)
{
	if (!memchr(entry->path, 0, sizeof(entry->path)) || !clean_path(entry->path))
		return fail_out(out, EPROTO, "the guest gave a path in /out that is not allowed: %.160s", entry->path);
	bool special = special_name(entry->kind);
	if (entry->kind != S_IFREG && entry->kind != S_IFDIR && entry->kind != S_IFLNK && !special)
		return fail_out(out, EPROTO, "%.160s of /out is of an unknown kind", entry->path);
	if (((entry->kind == S_IFDIR || special) && entry->bytes) ||
	    (entry->kind == S_IFLNK && (!entry->bytes || entry->bytes >= OUT_TARGET_BYTES)))
		return fail_out(out, EPROTO, "%.160s of /out has an impossible size", entry->path);
	if (out->number >= out->limits.objects)
		return fail_out(out, EFBIG, "the guest left more than %lu objects in /out; raise --memory for more",
		                out->limits.objects);
	if (entry->bytes > out->limits.bytes - out->total)
		return fail_out(out, EFBIG,
		                "the guest left more than %lu MiB in /out, with %.120s; raise --memory for more",
		                out->limits.bytes >> 20, entry->path);
	memcpy(out->path, entry->path, sizeof(out->path));
	out->kind = entry->kind;
	out->mode = entry->mode & 07777;
	out->left = entry->bytes;
	out->target_bytes = 0;
	memset(out->target, 0, sizeof(out->target));
	out->number++;
	out->total += entry->bytes;
	return 0;
}

static void sum_out_entry(struct out *out)
{
	const struct digest_out head = {out->kind, out->mode, out->left, strlen(out->path)};
	digest_add(&out->sum, &head, sizeof(head));
	digest_add(&out->sum, out->path, head.path_bytes);
}

static int unfinished(struct out *out)
{
	return fail_out(out, EPROTO, "the guest ended %.160s of /out %lu bytes too early", out->path, out->left);
}

int out_entry(struct out *out, const struct guest_memory *memory, gpa_t address)
{
	struct out_entry entry;
	if (out->failed)
		return -EPROTO;
	if (out->left)
		return unfinished(out);
	if (guest_memory_read(memory, address, &entry, sizeof(entry)))
		return fail_out(out, EFAULT, "the guest announced an object of /out outside its memory");
	int result = take_out_entry(out, &entry);
	if (result)
		return result;
	sum_out_entry(out);
	if (special_name(out->kind)) {
		note_special(out);
		return 0;
	}
	if (out->dir >= 0)
		result = begin_object(out);
	if (!result && !out->left)
		result = complete_object(out);
	return result;
}

static bool is_stopped(const struct out *out)
{
	return out->limits.stopped && out->limits.stopped();
}

static int write_out_bytes(struct out *out, const uint8_t *from, size_t bytes)
{
	while (bytes) {
		ssize_t done = write(out->file.fd, from, bytes);
		if (done < 0 && errno == EINTR && !is_stopped(out))
			continue;
		if (done < 0)
			return fail_errno(out, "write");
		from += done;
		bytes -= (size_t)done;
	}
	return 0;
}

/* Keeps bytes of a file in memory, as far as there is room. */
static void keep_copy(struct out_copy *copy, const uint8_t *from, size_t bytes)
{
	if (copy->bytes + bytes > OUT_COPY_MAX || !array_reserve(copy->data, copy->room, copy->bytes + bytes))
		return;
	memcpy(copy->data + copy->bytes, from, bytes);
	copy->bytes += bytes;
}

/* Hashes and writes bytes from a copy, so that both get the same bytes even if the guest changes its memory meanwhile.
 * */
static int take_bytes(struct out *out, const uint8_t *from, size_t bytes)
{
	digest_add(&out->sum, from, bytes);
	if (out->kind == S_IFREG && out->copy && !strcmp(out->path, out->copy->path))
		keep_copy(out->copy, from, bytes);
	if (out->kind == S_IFLNK) {
		memcpy(out->target + out->target_bytes, from, bytes);
		out->target_bytes += bytes;
	} else if (out->file.fd >= 0) {
		return write_out_bytes(out, from, bytes);
	}
	return 0;
}

static int take_out_data(struct out *out, const struct guest_memory *memory, gpa_t from, uint64_t bytes)
{
	static uint8_t copy[COPY_BYTES]; /* too large for a stack; only one run at a time exports /out */
	if (!guest_memory_at(memory, from, bytes))
		return fail_out(out, EFAULT, "the guest gave data of %.160s of /out outside its memory", out->path);
	while (bytes) {
		size_t part = bytes < sizeof(copy) ? bytes : sizeof(copy);
		if (is_stopped(out))
			return fail_out(out, EINTR, "stopped while %.160s of /out was written", out->path);
		if (guest_memory_read(memory, from, copy, part))
			return fail_out(out, EFAULT, "the guest gave data outside its memory");
		int result = take_bytes(out, copy, part);
		if (result)
			return result;
		from.value += part;
		bytes -= part;
		out->left -= part;
	}
	return 0;
}

/* Hashes a hole as zeros, and makes a hole in the host's file. */
static int take_hole(struct out *out, uint64_t bytes)
{
	static const uint8_t zeros[COPY_BYTES];
	if (out->kind != S_IFREG)
		return fail_out(out, EPROTO, "the guest gave the symbolic link %.160s of /out a hole", out->path);
	uint64_t left = bytes;
	while (left) {
		size_t part = left < sizeof(zeros) ? left : sizeof(zeros);
		if (is_stopped(out))
			return fail_out(out, EINTR, "stopped while %.160s of /out was hashed", out->path);
		digest_add(&out->sum, zeros, part);
		left -= part;
	}
	out->left -= bytes;
	if (out->file.fd < 0)
		return 0;
	/* after a hole at the end of a file, no data follows that would set its size */
	off_t end = lseek(out->file.fd, (off_t)bytes, SEEK_CUR);
	return end < 0 || (!out->left && ftruncate(out->file.fd, end)) ? fail_errno(out, "write") : 0;
}

int out_data(struct out *out, const struct guest_memory *memory, gpa_t list, uint64_t count)
{
	struct out_piece pieces[OUT_PIECES_MAX];
	if (out->failed)
		return -EPROTO;
	if (count > OUT_PIECES_MAX)
		return fail_out(out, EPROTO, "the guest gave %lu pieces of '%.160s' in /out at once", count, out->path);
	if (guest_memory_read(memory, list, pieces, count * sizeof(pieces[0])))
		return fail_out(out, EFAULT, "the guest gave a list of pieces of %.160s of /out outside its memory",
		                out->path);
	bool incomplete = out->left;
	for (uint64_t i = 0; i < count; i++) {
		const struct out_piece *piece = &pieces[i];
		if (piece->bytes > out->left)
			return fail_out(out, EPROTO, "the guest gave more data for '%.160s' in /out than it announced",
			                out->path);
		int result = piece->address == OUT_HOLE ? take_hole(out, piece->bytes)
		                                        : take_out_data(out, memory, gpa(piece->address), piece->bytes);
		if (result)
			return result;
	}
	return incomplete && !out->left ? complete_object(out) : 0;
}

int out_fini(struct out *out, uint8_t digest[DIGEST_BYTES])
{
	int result = out->failed ? -EPROTO : 0;
	if (!result && out->left)
		result = unfinished(out);
	if (!result && out->dir >= 0)
		result = close_directories(out, NULL);
	if (!result && out->dir >= 0 && out->special)
		warn_of_special(out);
	if (out->dir >= 0) {
		close(out->dir);
		umask(out->mask);
	}
	out->dir = -1;
	out->left = 0;
	digest_end(&out->sum, digest);
	return result;
}
