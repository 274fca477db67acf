/* SPDX-License-Identifier: MIT */
#include "verify/verify_images.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/die.h"
#include "base/memory.h"
#include "base/text.h"

/* Adds a name, which is kept. */
static void add_verify_image(struct verify_images *images, char *name)
{
	size_t room = images->room;
	memory_check(array_reserve(images->names, room, images->count + 1UL));
	images->room = (unsigned)room;
	images->names[images->count++] = name;
}

static int is_image_entry(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);
	return length > 4 && !strcmp(entry->d_name + length - 4, ".eri");
}

/* scandir(3) with alphasort(3) would order by the locale. */
static int in_byte_order(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void add_image_directory(struct verify_images *images, const char *path)
{
	struct dirent **entries;
	const size_t length = strlen(path);
	const char *slash = length && path[length - 1] == '/' ? "" : "/";
	const int count = scandir(path, &entries, is_image_entry, in_byte_order);
	if (count < 0)
		die("verify: cannot list %s: %s", path, strerror(errno));
	if (!count)
		die("verify: the directory %s has no file *.eri", path);
	for (int i = 0; i < count; i++) {
		add_verify_image(images, text_of("%s%s%s", path, slash, entries[i]->d_name));
		free(entries[i]);
	}
	free(entries);
}

void verify_images_find(struct verify_images *images, char *const *names, unsigned count)
{
	struct stat st;
	for (unsigned i = 0; i < count; i++)
		if (!stat(names[i], &st) && S_ISDIR(st.st_mode))
			add_image_directory(images, names[i]);
		else
			add_verify_image(images, names[i]);
}

void verify_images_hash(const struct verify_images *images, char hex[2 * DIGEST_BYTES + 1])
{
	struct digest_sum sum;
	uint8_t hash[DIGEST_BYTES];
	char text[DIGEST_TEXT_BYTES];
	digest_begin(&sum);
	for (unsigned i = 0; i < images->count; i++)
		digest_add(&sum, images->names[i], strlen(images->names[i]) + 1);
	digest_end(&sum, hash);
	digest_text(hash, text);
	strcpy(hex, strchr(text, ':') + 1);
}

void verify_images_cut(struct verify_images *images, unsigned shards, unsigned shard)
{
	unsigned kept = 0;
	for (unsigned i = shard - 1; i < images->count; i += shards)
		images->names[kept++] = images->names[i];
	images->count = kept;
}
