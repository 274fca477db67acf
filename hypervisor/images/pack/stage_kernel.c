/* SPDX-License-Identifier: MIT */
#include "pack/stage_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "guest/image.h"

/* Stages the first bytes of a file, unless an earlier step has, and sets their SHA-256. */
static int stage_part(struct stage *stage, int fd, uint64_t bytes, const char *path, const char **sha256,
                      struct error *error)
{
	char hex[STAGE_HEX_BYTES], staged[PATH_MAX];
	struct stat st;
	int result = 0;
	if (fstatat(stage->tree, path, &st, 0)) {
		result = stage_copy(stage, fd, 0, bytes, path, 0644, hex);
		if (result)
			error_set(error, -result, "cannot copy the kernel for the image: %s", strerror(-result));
	} else {
		snprintf(staged, sizeof(staged), "/proc/self/fd/%d/%s", stage->tree, path);
		result = digest_file(staged, hex, error);
	}
	*sha256 = result ? "" : text_copy(hex);
	return result;
}

/* Whether a file ends as gzip does for this many bytes (RFC 1952). */
static bool expands_to(int fd, off_t size, uint64_t bytes)
{
	uint8_t end[4];
	return size > (off_t)sizeof(end) && pread(fd, end, sizeof(end), size - (off_t)sizeof(end)) == sizeof(end) &&
	       ((uint32_t)end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 | (uint32_t)end[3] << 24) == bytes;
}

/* Stages the symbols beside a kernel, if they are there and as many as it has. Returns 0, -ENOENT, or another negative
 * errno with one line in *error. */
static int stage_symbols(struct stage *stage, struct eri_step *step, const char *kernel, uint64_t bytes,
                         struct error *error)
{
	char path[PATH_MAX];
	struct stat st;
	int fd = snprintf(path, sizeof(path), "%s.sym", kernel) < PATH_MAX ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	int result = fd < 0 || fstat(fd, &st) || !expands_to(fd, st.st_size, bytes) ? -ENOENT : 0;
	if (!result)
		result = stage_part(stage, fd, (uint64_t)st.st_size, ERI_KERNEL_SYMBOLS, &step->kernel_symbols_sha256,
		                    error);
	if (fd >= 0)
		close(fd);
	return result;
}

int stage_kernel(struct stage *stage, struct eri_step *step, const char *kernel, struct error *error)
{
	static char path[PATH_MAX]; /* too large for a stack */
	const char *from = step->is_linux ? kernel : step->arguments[0];
	char text[DIGEST_TEXT_BYTES];
	uint8_t sum[DIGEST_BYTES] = {0};
	uint64_t loaded;
	struct stat st;
	snprintf(path, sizeof(path), "%s", ERI_KERNEL);
	if (!step->is_linux)
		snprintf(path, sizeof(path), ERI_STEPS "/%s/" ERI_STEP_KERNEL, step->name);
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		const int reason = errno;
		if (fd >= 0)
			close(fd);
		return error_set(error, reason, "cannot copy %.160s for the image: %s", from, strerror(reason));
	}
	const struct image_source source = {.path = from, .fd = fd};
	uint64_t bytes = (uint64_t)st.st_size;
	int result = image_loaded_bytes(&source, &loaded, error);
	if (!result && step->is_linux && loaded < bytes) {
		result = stage_symbols(stage, step, from, bytes - loaded, error);
		bytes = result ? bytes : loaded;
		result = result == -ENOENT ? 0 : result;
	}
	if (!result)
		result = stage_part(stage, fd, bytes, path, &step->kernel_sha256, error);
	if (!result)
		result = image_hash(&source, sum, error);
	close(fd);
	digest_text(sum, text);
	step->kernel_loaded_sha256 = text_copy(strchr(text, ':') + 1);
	return result;
}
