/* SPDX-License-Identifier: MIT */
#include "eri/eri_image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/die.h"
#include "library/lz4.h"
#include "base/mapped_file.h"
#include "base/write_all.h"

#define MANIFEST_BYTES_MAX (1UL << 28)
#define SUPERBLOCK_OFFSET 1024
#define SUPERBLOCK_MAGIC 0xe0f5e1e2U

/* Maps a file. Returns 0 or a negative errno. */
static int map_image_file(struct eri_image *image, const char *path)
{
	image->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (image->fd < 0 || fstat(image->fd, &image->was))
		return -errno;
	if (!S_ISREG(image->was.st_mode))
		return -EINVAL;
	if (image->was.st_size < 4096)
		return -EUCLEAN;
	image->bytes = (uint64_t)image->was.st_size;
	void *data;
	int result = mapped_file(image->fd, 0, image->bytes, &data);
	if (!result)
		image->data = data;
	return result;
}

/* Whether a file begins like an EROFS image. */
static bool has_magic(const char *path)
{
	uint32_t magic = 0;
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool has = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	           pread(fd, &magic, sizeof(magic), SUPERBLOCK_OFFSET) == sizeof(magic) && magic == SUPERBLOCK_MAGIC;
	if (fd >= 0)
		close(fd);
	return has;
}

/* Whether a regular file is an image by its name, and no program by its contents: it is cut off at once, or damaged. */
static bool is_by_name(const char *path)
{
	static const char suffix[] = ".eri";
	const size_t length = strlen(path), end = sizeof(suffix) - 1;
	char first[4] = "";
	struct stat st;
	if (length <= end || strcmp(path + length - end, suffix))
		return false;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode) && pread(fd, first, sizeof(first), 0) >= 0 &&
	          memcmp(first, "#!", 2) && memcmp(first, "\177ELF", 4);
	if (fd >= 0)
		close(fd);
	return is;
}

bool eri_image_is(const char *path)
{
	struct eri_image image = {.fd = -1};
	struct eri_content content;
	char error[256];
	if (!has_magic(path)) /* most programs: they are not mapped */
		return is_by_name(path);
	const int result = map_image_file(&image, path);
	bool is = !result || result == -EUCLEAN; /* shorter than a block */
	if (!result && !erofs_file_open(&image.files, image.data, image.bytes, error))
		is = !eri_image_find(&image, ERI_MANIFEST, &content);
	eri_image_close(&image);
	return is;
}

static int fail_image(const struct eri_image *image, int reason, char error[256], const char *why)
{
	char text[256];
	snprintf(text, sizeof(text), "%s", why);
	if (reason == ELIBACC) /* the host's fault */
		return refuse(error, reason, "%s", text);
	return refuse(error, reason, "%.100s is not a sound image: %s", image->path, text);
}

static int read_image_manifest(struct eri_image *image, char error[256])
{
	struct eri_block block;
	size_t at;
	uint8_t sum[DIGEST_BYTES];
	int result = eri_image_load(image, ERI_MANIFEST, MANIFEST_BYTES_MAX, NULL, &block, error);
	if (result)
		return result;
	result = eri_manifest_read(&image->manifest, block.data, block.bytes, error);
	if (!result && eri_manifest_identity(block.data, block.bytes, &at, sum))
		memcpy(image->identity, block.data + at, sizeof(image->identity) - 1);
	free(block.copy);
	return result ? fail_image(image, -result, error, error) : 0;
}

int eri_image_open(struct eri_image *image, const char *path, char error[256])
{
	char lz4_error[256];
	*image = (struct eri_image){.fd = -1};
	snprintf(image->path, sizeof(image->path), "%s", path);
	int result = map_image_file(image, path);
	if (result == -EUCLEAN)
		fail_image(image, EUCLEAN, error, "it is truncated; make or copy it again");
	else if (result)
		refuse(error, -result, "cannot open the image %.160s: %s", path,
		       result == -EINVAL ? "it is not a regular file" : strerror(-result));
	else if ((result = erofs_file_open(&image->files, image->data, image->bytes, error)))
		fail_image(image, -result, error, error);
	/* Any file of such an image may be compressed, and a confined monitor cannot load the library. */
	else if (image->files.compressed && (result = lz4_load(lz4_error)))
		snprintf(error, 256, "%s", lz4_error);
	else
		result = read_image_manifest(image, error);
	/* Zeros were read, which say nothing of the image. */
	if (result && image->data && !mapped_file_is_whole(image->data))
		result = refuse(error, EIO,
		                "cannot read the image %.160s: it was shortened meanwhile, or its file system fails",
		                path);
	if (result)
		eri_image_close(image);
	return result;
}

void eri_image_close(struct eri_image *image)
{
	eri_manifest_fini(&image->manifest);
	if (image->data)
		mapped_file_close(image->data, image->bytes);
	if (image->data || image->fd > 0)
		close(image->fd);
	*image = (struct eri_image){.fd = -1};
}

int eri_image_check(const struct eri_image *image, char error[256])
{
	const struct mapped_source source = {image->fd, image->was, image->data};
	if (!mapped_file_is_unchanged(&source))
		return refuse(error, ESTALE,
		              "the image %.160s changed during the run; run again while nothing writes to it",
		              image->path);
	return 0;
}

int eri_image_find(const struct eri_image *image, const char *path, struct eri_content *content)
{
	content->files = &image->files;
	int result = erofs_file_find(&image->files, path, &content->node);
	return result ? result : S_ISREG(content->node.mode) ? 0 : -EUCLEAN;
}

int eri_content_read(const struct eri_content *content, void *to, uint64_t bytes, uint64_t offset)
{
	return erofs_file_read(content->files, &content->node, to, bytes, offset);
}

static int check_sum(const struct eri_image *image, const char *path, const void *data, size_t bytes,
                     const char *sha256, char error[256])
{
	struct digest_sum sum;
	uint8_t found[DIGEST_BYTES];
	char text[DIGEST_TEXT_BYTES];
	digest_begin(&sum);
	digest_add(&sum, data, bytes);
	digest_end(&sum, found);
	digest_text(found, text);
	if (strcmp(strchr(text, ':') + 1, sha256))
		return refuse(error, EUCLEAN, "%.100s is not a sound image: its %.80s is damaged or was edited",
		              image->path, path);
	return 0;
}

static int load_block(const struct eri_image *image, const char *path, uint64_t max, const char *sha256, bool copies,
                      struct eri_block *block, char error[256])
{
	struct eri_content content;
	int result = eri_image_find(image, path, &content);
	*block = (struct eri_block){0};
	if (!result && content.node.size > max)
		result = -EFBIG;
	if (result)
		return refuse(error, -result, "%.100s is not a sound image: cannot read its %.80s: %s", image->path,
		              path, strerror(-result));
	block->bytes = content.node.size;
	block->data = copies ? NULL : (const char *)erofs_file_at(&image->files, &content.node);
	if (!block->data) {
		block->data = block->copy = malloc(block->bytes + 1);
		result = block->copy ? eri_content_read(&content, block->copy, block->bytes, 0) : -ENOMEM;
	}
	if (result)
		refuse(error, -result, "%.100s is not a sound image: cannot read its %.80s: %s", image->path, path,
		       strerror(-result));
	if (!result && sha256)
		result = check_sum(image, path, block->data, block->bytes, sha256, error);
	if (result)
		free(block->copy);
	return result;
}

int eri_image_load(const struct eri_image *image, const char *path, uint64_t max, const char *sha256,
                   struct eri_block *block, char error[256])
{
	return load_block(image, path, max, sha256, true, block, error);
}

int eri_image_see(const struct eri_image *image, const char *path, uint64_t max, const char *sha256,
                  struct eri_block *block, char error[256])
{
	return load_block(image, path, max, sha256, false, block, error);
}

bool eri_content_part(const struct eri_image *image, const struct eri_content *content, uint64_t *offset)
{
	const uint8_t *at = erofs_file_at(&image->files, &content->node);
	*offset = at ? (uint64_t)(at - image->data) : 0;
	return at;
}

bool eri_image_part(const struct eri_image *image, const char *path, uint64_t *offset, uint64_t *bytes)
{
	struct eri_content content;
	bool found = !eri_image_find(image, path, &content) && eri_content_part(image, &content, offset);
	*bytes = found ? content.node.size : 0;
	return found;
}

int eri_image_memfd(const struct eri_image *image, const char *path, const char *sha256, char error[256])
{
	struct eri_block block;
	int result = eri_image_load(image, path, 1UL << 32, sha256, &block, error);
	if (result)
		return result;
	int fd = memfd_create("eremite image", MFD_CLOEXEC);
	result = fd < 0 ? -errno : write_all(fd, block.data, block.bytes, 0);
	free(block.copy);
	if (!result)
		return fd;
	if (fd >= 0)
		close(fd);
	return refuse(error, -result, "cannot copy %.80s of the image %.100s into memory: %s", path, image->path,
	              strerror(-result));
}

const struct eri_step *eri_image_step(const struct eri_image *image, const char *name)
{
	for (unsigned i = 0; i < image->manifest.step_count; i++)
		if (!name || !strcmp(image->manifest.steps[i].name, name))
			return &image->manifest.steps[i];
	return NULL;
}

void eri_image_step_path(const struct eri_step *step, const char *file, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, ERI_STEPS "/%s/%s", step->name, file);
}
