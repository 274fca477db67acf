/* SPDX-License-Identifier: MIT */
/* Layers of an image, as a stranger may have made them: archives of a few entries with hostile names, or any bytes.
 * Nothing may come to be, change or go beside the directory into which they are unpacked. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/janitor.h"
#include "oci/oci_layer.h"
#include "oci/oci_start.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/fakes/folder.h"

#define TAR_BYTES (1 << 18)

static char base[64];
static int root, beside;
static uint8_t tar[TAR_BYTES];
static size_t tar_bytes;

static void clean_up(void)
{
	folder_remove(base);
}

static void make_folder(void)
{
	int file, top;
	if (base[0])
		return;
	if (!folder_make(base) || libarchive_load(&(struct error){0}))
		abort();
	atexit(clean_up);
	top = open(base, O_RDONLY | O_DIRECTORY);
	if (mkdirat(top, "root", 0700) || mkdirat(top, "out", 0700))
		abort();
	root = openat(top, "root", O_RDONLY | O_DIRECTORY);
	beside = openat(top, "out", O_RDONLY | O_DIRECTORY);
	file = openat(beside, "a", O_WRONLY | O_CREAT, 0600);
	if (root < 0 || beside < 0 || write(file, "safe", 4) != 4)
		abort();
	close(file);
	close(top);
}

/* Removes the root as `pack` does, and makes an empty one. */
static void replace_root(void)
{
	char path[80];
	snprintf(path, sizeof(path), "%s/root", base);
	close(root);
	janitor_remove(path);
	root = mkdir(path, 0700) ? -1 : open(path, O_RDONLY | O_DIRECTORY);
	if (root < 0)
		abort();
}

/* Beside the root there is one directory, with one file, which is as it was. */
static void check_beside(void)
{
	char text[8], path[80];
	struct stat stat;
	int file = openat(beside, "a", O_RDONLY | O_NOFOLLOW);
	if (file < 0 || read(file, text, sizeof(text)) != 4 || memcmp(text, "safe", 4) || fstat(file, &stat) ||
	    stat.st_nlink != 1 || stat.st_mode != (S_IFREG | 0600))
		abort();
	close(file);
	snprintf(path, sizeof(path), "%s/a", base);
	if (!access(path, F_OK) || fstat(beside, &stat) || stat.st_nlink != 2)
		abort();
}

static void take_path(struct fuzz_input *input, char path[101])
{
	static const char *const names[] = {"a", "b",   "c",    "a",     "b",     "..",           ".",    "",
	                                    "a", "out", "root", ".wh.a", ".wh.b", ".wh..wh..opq", ".wh.", ".wh..."};
	size_t at = 0;
	uint8_t kind = (uint8_t)fuzz_number(input, 1);
	if (kind & 0x80)
		path[at++] = '/';
	for (unsigned i = 0; i <= (kind & 3); i++)
		at += (size_t)sprintf(path + at, "%s%s", i ? "/" : "", names[fuzz_number(input, 1) & 15]);
	path[at] = 0;
}

static void put_block(const void *data, size_t bytes)
{
	if (tar_bytes + 512 > TAR_BYTES)
		return;
	memset(tar + tar_bytes, 0, 512);
	memcpy(tar + tar_bytes, data, bytes);
	tar_bytes += 512;
}

/* One entry in the format ustar (pax(1)), of at most 255 bytes. */
static void put_entry(struct fuzz_input *input)
{
	static const char types[] = "00055521";
	char header[513] = {0}, path[101], target[101];
	unsigned sum = 0;
	uint8_t kind = (uint8_t)fuzz_number(input, 1), bytes = (uint8_t)fuzz_number(input, 1);
	char type = kind < 8 ? types[kind] : "0123456xgLKS12571"[kind & 15];
	take_path(input, path);
	take_path(input, target);
	bytes = type == '0' ? bytes : 0;
	memcpy(header, path, strlen(path));
	sprintf(header + 100, "%07o", (unsigned)fuzz_number(input, 2) & 07777);
	sprintf(header + 124, "%011o", bytes);
	memset(header + 148, ' ', 8);
	header[156] = type;
	memcpy(header + 157, target, strlen(target));
	memcpy(header + 257, "ustar\00000", 8);
	for (unsigned i = 0; i < 512; i++)
		sum += (uint8_t)header[i];
	sprintf(header + 148, "%06o", sum);
	put_block(header, 512);
	if (bytes)
		put_block(header, bytes);
}

static void unpack(struct oci_tree *tree, struct oci_config *config, const struct oci_limits *limits,
                   struct error *error)
{
	static uint8_t buffer[1 << 17]; /* as oci_source.c has */
	struct oci_source source = {.dir = -1, .file = -1, .buffer = buffer};
	struct oci_blob blob = {.source = &source, .name = "layer", .bytes = tar_bytes};
	struct oci_stream stream;
	blob.fd = memfd_create("layer", MFD_CLOEXEC);
	if (write(blob.fd, tar, tar_bytes) != (ssize_t)tar_bytes || lseek(blob.fd, 0, SEEK_SET))
		abort();
	digest_begin(&blob.sum);
	error->text[0] = 0;
	int result = oci_stream_open(&stream, &blob, limits, error);
	if (!result) {
		result = oci_layer_unpack(tree, &stream, config);
		oci_stream_close(&stream);
	}
	if (result > 0 || !result != !error->text[0])
		abort();
	oci_blob_close(&blob);
}

/* Finds a user in the files that layers have made, and makes a directory among them. */
static void start_container(struct oci_tree *tree, struct oci_config *config, struct error *error)
{
	char directory[] = "/a/../b/./c", volume[] = "/etc/d";
	char *volumes[] = {volume, NULL};
	config->user = (char *)"a:b";
	config->workdir = directory;
	config->volumes = volumes;
	config->volume_count = 1;
	error->text[0] = 0;
	int result = oci_start(tree, config);
	if (result > 0 || !result != !error->text[0])
		abort();
	free(config->credentials);
	free(config->home);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct oci_limits limits = {
		.entries = 1000, .bytes = 1 << 20, .ratio = 200, .free_bytes = 1 << 19};
	static struct oci_tree tree;
	struct fuzz_input input = {data, size};
	struct oci_config config = {0};
	struct error error = {0};
	make_folder();
	if (oci_tree_init(&tree, root, &limits, &config.attributes, &error))
		abort();
	for (unsigned i = 0; i < 4 && input.left; i++) {
		uint8_t count = (uint8_t)fuzz_number(&input, 1);
		tar_bytes = 0;
		for (unsigned n = 0; n < count && input.left; n++)
			put_entry(&input);
		if (count == 0) { /* any bytes */
			tar_bytes = input.left < TAR_BYTES ? input.left : TAR_BYTES;
			fuzz_take(&input, tar, tar_bytes);
		}
		unpack(&tree, &config, &limits, &error);
		check_beside();
	}
	start_container(&tree, &config, &error);
	error.text[0] = 0;
	if (oci_tree_finish(&tree) && !error.text[0])
		abort();
	oci_tree_fini(&tree);
	oci_attributes_fini(&config.attributes);
	check_beside();
	replace_root();
	check_beside();
	return 0;
}
