/* SPDX-License-Identifier: MIT */
/* Images of containers, made byte by byte: tar archives that no tar program would write, and layouts around them.
 * Beside the directory to unpack into there is a file that nothing may touch. */
#ifndef TESTS_UNIT_OCI_FIXTURE_H
#define TESTS_UNIT_OCI_FIXTURE_H

#include "tests/unit/fakes/tap.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oci/oci.h"
#include "tests/unit/fakes/folder.h"

#define FIXTURE_TIME 1500000000

struct bytes {
	uint8_t *data;
	size_t size;
};

static char base[64]; /* has the directories layout, root and outside */
static struct oci_config config;
static struct error error;
static struct oci_limits limits;

static char fixture_layers[1 << 16], fixture_diffs[1 << 16]; /* JSON */

static inline const char *in_base(const char *name)
{
	static char paths[4][512];
	static unsigned turn;
	snprintf(paths[++turn % 4], 512, "%s/%s", base, name);
	return paths[turn % 4];
}

static inline void shell(const char *format, const char *a, const char *b)
{
	char command[1024];
	snprintf(command, sizeof(command), format, a, b);
	if (system(command))
		fail_msg("fails: %s", command);
}

static inline void put_bytes(const char *path, const void *data, size_t size)
{
	FILE *to = fopen(path, "w");
	assert_non_null(to);
	assert_int_equal(fwrite(data, 1, size, to), size);
	assert_int_equal(fclose(to), 0);
}

static inline void put_text(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static inline struct bytes take_bytes(const char *path)
{
	struct stat stat;
	struct bytes bytes;
	FILE *from = fopen(path, "r");
	assert_non_null(from);
	assert_int_equal(fstat(fileno(from), &stat), 0);
	bytes.size = (size_t)stat.st_size;
	bytes.data = malloc(bytes.size + 1);
	assert_int_equal(fread(bytes.data, 1, bytes.size, from), bytes.size);
	fclose(from);
	return bytes;
}

static inline void digest_of(const void *data, size_t size, char text[DIGEST_TEXT_BYTES])
{
	struct digest_sum sum;
	uint8_t out[DIGEST_BYTES];
	digest_begin(&sum);
	digest_add(&sum, data, size);
	digest_end(&sum, out);
	digest_text(out, text);
}

/* --- tar --- */

static inline void append(struct bytes *to, const void *data, size_t size)
{
	size_t padded = (size + 511) & ~511UL;
	to->data = realloc(to->data, to->size + padded + 1);
	assert_non_null(to->data);
	memset(to->data + to->size, 0, padded);
	if (size)
		memcpy(to->data + to->size, data, size);
	to->size += padded;
}

/* One header of the format ustar (pax(1)), for `size` bytes that follow. */
static inline void tar_header(struct bytes *tar, char type, const char *name, const char *link, unsigned mode,
                              unsigned long size)
{
	char header[512] = {0};
	unsigned sum = 0;
	memcpy(header, name, strnlen(name, 100)); /* without an end, if it has 100 bytes */
	sprintf(header + 100, "%07o", mode);
	sprintf(header + 108, "%07o", 12345);
	sprintf(header + 116, "%07o", 12345);
	sprintf(header + 124, "%011lo", size);
	sprintf(header + 136, "%011o", FIXTURE_TIME);
	memset(header + 148, ' ', 8);
	header[156] = type;
	memcpy(header + 157, link, strnlen(link, 100));
	memcpy(header + 257, "ustar\00000", 8);
	for (unsigned i = 0; i < 512; i++)
		sum += (uint8_t)header[i];
	sprintf(header + 148, "%06o", sum);
	append(tar, header, 512);
}

/* Writes a record of an extended header. */
static inline void pax_record(char *to, const char *key, const char *value)
{
	size_t length = strlen(key) + strlen(value) + 3, digits = 1;
	for (size_t ten = 10; ten <= length + digits; ten *= 10)
		digits++;
	sprintf(to, "%zu %s=%s\n", length + digits, key, value);
}

/* An extended header with one record for the entry that follows. */
static inline void tar_pax(struct bytes *tar, const char *key, const char *value)
{
	char *record = malloc(strlen(key) + strlen(value) + 40);
	pax_record(record, key, value);
	tar_header(tar, 'x', "pax", "", 0644, strlen(record));
	append(tar, record, strlen(record));
	free(record);
}

/* A file that has one byte, its last. */
static inline void tar_sparse(struct bytes *tar, const char *name, unsigned long bytes)
{
	char records[500] = "", number[32], map[64];
	sprintf(number, "%lu", bytes);
	pax_record(records, "GNU.sparse.major", "1");
	pax_record(records + strlen(records), "GNU.sparse.minor", "0");
	pax_record(records + strlen(records), "GNU.sparse.name", name);
	pax_record(records + strlen(records), "GNU.sparse.realsize", number);
	sprintf(map, "1\n%lu\n1\n", bytes - 1);
	tar_header(tar, 'x', "pax", "", 0644, strlen(records));
	append(tar, records, strlen(records));
	tar_header(tar, '0', "GNUSparseFile.0/file", "", 0644, 513);
	append(tar, map, strlen(map));
	append(tar, "z", 1);
}

static inline void tar_bytes(struct bytes *tar, const char *name, unsigned mode, const void *data, size_t size)
{
	if (strlen(name) >= 100)
		tar_pax(tar, "path", name);
	tar_header(tar, '0', name, "", mode, size);
	append(tar, data, size);
}

static inline void tar_file(struct bytes *tar, const char *name, unsigned mode, const char *text)
{
	tar_bytes(tar, name, mode, text, strlen(text));
}

static inline void tar_directory(struct bytes *tar, const char *name, unsigned mode)
{
	if (strlen(name) >= 100)
		tar_pax(tar, "path", name);
	tar_header(tar, '5', name, "", mode, 0);
}

static inline void tar_symlink(struct bytes *tar, const char *name, const char *target)
{
	tar_header(tar, '2', name, target, 0777, 0);
}

static inline void tar_link(struct bytes *tar, const char *name, const char *target)
{
	tar_header(tar, '1', name, target, 0644, 0);
}

static inline void tar_end(struct bytes *tar)
{
	static const char zeros[1024];
	append(tar, zeros, sizeof(zeros));
}

static inline struct bytes compressed(const struct bytes *from, int filter)
{
	struct bytes to = {.data = malloc(from->size + (1 << 16))};
	struct archive *archive = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	archive_write_set_format_raw(archive);
	archive_write_add_filter(archive, filter);
	archive_write_set_bytes_in_last_block(archive, 1);
	assert_int_equal(archive_write_open_memory(archive, to.data, from->size + (1 << 16), &to.size), ARCHIVE_OK);
	archive_entry_set_filetype(entry, AE_IFREG);
	assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
	assert_int_equal(archive_write_data(archive, from->data, from->size), from->size);
	archive_entry_free(entry);
	assert_int_equal(archive_write_free(archive), ARCHIVE_OK);
	return to;
}

/* --- layouts --- */

/* Stores a blob and writes its descriptor. */
static inline void put_blob(const void *data, size_t size, const char *type, char descriptor[512])
{
	char digest[DIGEST_TEXT_BYTES], name[128];
	digest_of(data, size, digest);
	snprintf(name, sizeof(name), "layout/blobs/sha256/%s", digest + 7);
	put_bytes(in_base(name), data, size);
	snprintf(descriptor, 512, "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%zu", type, digest, size);
}

/* Adds the archive as a layer; compressed as well if a filter is given. Frees the archive. */
static inline void add_layer(struct bytes *tar, int filter)
{
	char descriptor[512], digest[DIGEST_TEXT_BYTES];
	digest_of(tar->data, tar->size, digest);
	struct bytes blob = filter ? compressed(tar, filter) : *tar;
	put_blob(blob.data, blob.size,
	         filter == ARCHIVE_FILTER_ZSTD ? "application/vnd.oci.image.layer.v1.tar+zstd"
	         : filter                      ? "application/vnd.oci.image.layer.v1.tar+gzip"
	                                       : "application/vnd.oci.image.layer.v1.tar",
	         descriptor);
	const char *comma = fixture_layers[0] ? "," : "";
	sprintf(fixture_layers + strlen(fixture_layers), "%s%s}", comma, descriptor);
	sprintf(fixture_diffs + strlen(fixture_diffs), "%s\"%s\"", comma, digest);
	if (filter)
		free(blob.data);
	free(tar->data);
	*tar = (struct bytes){0};
}

/* Stores a manifest with the layers added, and a configuration whose further members are `more`. */
static inline void put_manifest(const char *more, char descriptor[512])
{
	static char text[1 << 17];
	char entry[512];
	snprintf(text, sizeof(text), "{\"rootfs\":{\"type\":\"layers\",\"diff_ids\":[%s]}%s}", fixture_diffs, more);
	put_blob(text, strlen(text), "application/vnd.oci.image.config.v1+json", entry);
	snprintf(text, sizeof(text), "{\"schemaVersion\":2,\"config\":%s},\"layers\":[%s]}", entry, fixture_layers);
	put_blob(text, strlen(text), "application/vnd.oci.image.manifest.v1+json", descriptor);
}

static inline void put_index(const char *entries)
{
	static char text[1 << 16];
	snprintf(text, sizeof(text), "{\"schemaVersion\":2,\"manifests\":[%s]}", entries);
	put_text(in_base("layout/index.json"), text);
}

/* Completes an image without tags. */
static inline void end_image(const char *more)
{
	char descriptor[512], entry[600];
	put_manifest(more, descriptor);
	snprintf(entry, sizeof(entry), "%s}", descriptor);
	put_index(entry);
}

/* --- results --- */

/* Unpacks into an empty base/root. */
static inline int unpack_from(const char *path)
{
	char source[512];
	snprintf(source, sizeof(source), "%s", path);
	shell("chmod -R u+rwX %s 2>/dev/null; rm -rf %s", in_base("root"), in_base("root"));
	assert_int_equal(mkdir(in_base("root"), 0700), 0);
	int dir = open(in_base("root"), O_RDONLY | O_DIRECTORY);
	oci_config_fini(&config);
	error.text[0] = 0;
	int result = oci_unpack_limited(source, dir, &limits, &config, &error);
	close(dir);
	assert_int_equal(!result, !error.text[0]);
	assert_null(strchr(error.text, '\n'));
	return result;
}

static inline int unpack(void)
{
	return unpack_from(in_base("layout"));
}

/* All below base/root: type, mode, name, and target of a symbolic link or contents of a file. */
static inline void assert_tree(const char *expected)
{
	static char found[1 << 16];
	char command[1024];
	snprintf(command, sizeof(command),
	         "cd %s/root && find . -mindepth 1 | LC_ALL=C sort | cut -c3- | while IFS= read -r f; do "
	         "if [ -L \"$f\" ]; then echo \"l $f $(readlink \"$f\")\"; "
	         "elif [ -d \"$f\" ]; then stat -c 'd %%a %%n' \"$f\"; "
	         "else echo \"$(stat -c 'f %%a %%n' \"$f\") $(head -c 100 \"$f\" | tr '\\0' .)\"; fi; done",
	         base);
	FILE *from = popen(command, "r");
	size_t bytes = fread(found, 1, sizeof(found) - 1, from);
	found[bytes] = 0;
	assert_int_equal(pclose(from), 0);
	assert_string_equal(found, expected);
}

static inline void assert_unpacks_from(const char *path)
{
	if (unpack_from(path))
		fail_msg("%s", error.text);
}

static inline void assert_unpacks(void)
{
	assert_unpacks_from(in_base("layout"));
}

/* What is refused, and the sentence about it. */
static inline void assert_refused(int result, int reason, const char *sentence)
{
	if (result != -reason || !strstr(error.text, sentence))
		fail_msg("%d '%s' instead of %d '%s'", result, error.text, -reason, sentence);
}

static inline int set_up(void **state)
{
	(void)state;
	if (!folder_make(base))
		return -1;
	limits = oci_limits_default;
	fixture_layers[0] = fixture_diffs[0] = 0;
	shell("mkdir -p %s/blobs/sha256 %s", in_base("layout"), in_base("outside"));
	put_text(in_base("layout/oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
	put_text(in_base("outside/victim"), "safe");
	return 0;
}

/* Nothing is changed outside, whatever the test has unpacked. */
static inline int tear_down(void **state)
{
	(void)state;
	struct stat stat;
	struct bytes victim = take_bytes(in_base("outside/victim"));
	assert_int_equal(victim.size, 4);
	assert_memory_equal(victim.data, "safe", 4);
	free(victim.data);
	assert_int_equal(lstat(in_base("outside/victim"), &stat), 0);
	assert_int_equal(stat.st_nlink, 1);
	shell("test \"$(ls -A %s)\" = victim && test ! -e %s", in_base("outside"), in_base("escaped"));
	oci_config_fini(&config);
	return !folder_remove(base);
}

#endif
