/* SPDX-License-Identifier: MIT */
#include "oci/oci.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clean_text.h"
#include "base/error.h"
#include "oci/oci_config.h"
#include "oci/oci_json.h"
#include "oci/oci_layer.h"
#include "oci/oci_layout.h"
#include "oci/oci_start.h"

#define INDEXES_MAX 4 /* an index of indexes of ... images; builders make 2 */

const struct oci_limits oci_limits_default = {
	.entries = 4UL << 20,
	.bytes = 64UL << 30,
	.ratio = 200,
	.free_bytes = 1UL << 30,
};

/* Splits "PATH:TAG" where PATH exists; file names may have colons, and tags, too. *tag points into `path`, or is NULL.
 */
static void split_tag(char *path, char **tag)
{
	*tag = NULL;
	if (!access(path, F_OK))
		return;
	for (char *at = path + strlen(path); at > path; at--) {
		if (*at != ':')
			continue;
		*at = 0;
		if (!access(path, F_OK)) {
			*tag = at + 1;
			return;
		}
		*at = ':';
	}
}

/* Reads the version of an image layout. Returns -ENOENT if the source is not one. */
static int read_version(struct oci_source *source, struct error *error)
{
	const struct oci_descriptor file = {.path = (char *)"oci-layout", .bytes = -1};
	char *text;
	size_t bytes;
	int result = oci_source_text(source, &file, &text, &bytes, NULL, error);
	if (result)
		return result;
	cJSON *layout = cjson.ParseWithLength(text, bytes);
	const char *version = oci_json_text(layout, "imageLayoutVersion");
	if (!version || strncmp(version, "1.", 2))
		result = error_set(error, EINVAL, "its oci-layout does not have the version 1");
	cjson.Delete(layout);
	free(text);
	return result;
}

/* Finds the manifest of an image layout, from its index on. */
static int find_manifest(struct oci_source *source, const char *tag, struct oci_image *image, char *digest,
                         struct error *error)
{
	struct oci_descriptor at = {.path = strdup("index.json"), .bytes = -1, .is_index = true};
	char *text = NULL;
	size_t bytes;
	int result = at.path ? 0 : error_set(error, ENOMEM, "there is not enough memory");
	for (unsigned i = 0; !result && at.is_index; i++) {
		struct oci_descriptor next = {.bytes = -1};
		result = i > INDEXES_MAX
		                 ? error_set(error, EINVAL, "its index names an index that names an index, and so on")
		                 : oci_source_text(source, &at, &text, &bytes, NULL, error);
		if (!result)
			result = oci_layout_choose(text, bytes, i ? NULL : tag, i == 0, &next, error);
		free(text);
		text = NULL;
		free(at.path);
		at = next;
	}
	if (!result)
		result = oci_source_text(source, &at, &text, &bytes, digest, error);
	if (!result)
		result = oci_layout_manifest(text, bytes, image, error);
	free(text);
	free(at.path);
	return result;
}

/* Finds the files of the image. An archive of newer versions of docker is a layout, too. */
static int find_image(struct oci_source *source, const char *tag, struct oci_image *image, char *digest,
                      struct error *error)
{
	const struct oci_descriptor file = {.path = (char *)"manifest.json", .bytes = -1};
	char *text;
	size_t bytes;
	int result = read_version(source, error);
	if (!result)
		return find_manifest(source, tag, image, digest, error);
	if (result != -ENOENT)
		return result;
	result = oci_source_text(source, &file, &text, &bytes, NULL, error);
	if (result == -ENOENT)
		return error_set(
			error, EINVAL,
			"it has neither oci-layout nor manifest.json; give an OCI image layout, or an archive of "
			"docker save");
	if (result)
		return result;
	result = oci_layout_docker(text, bytes, tag, image, error);
	free(text);
	return result;
}

static int read_image_config(struct oci_source *source, const struct oci_image *image, struct oci_config *config,
                             struct error *error)
{
	char *text, digest[DIGEST_TEXT_BYTES];
	size_t bytes;
	int result = oci_source_text(source, &image->config, &text, &bytes, digest, error);
	if (result)
		return result;
	result = oci_config_read(text, bytes, config, error);
	free(text);
	if (result)
		return result;
	strcpy(config->config_digest, digest);
	if (config->layer_count == image->layer_count)
		return 0;
	return error_set(error, EINVAL, "it has %u layers, and its configuration has %u", image->layer_count,
	                 config->layer_count);
}

static int unpack_layer(struct oci_source *source, const struct oci_descriptor *layer, struct oci_tree *tree,
                        struct oci_config *config, const char *diff_id)
{
	struct oci_blob blob;
	struct oci_stream stream;
	int result = oci_blob_open(source, layer->path, &blob, tree->error);
	if (result)
		return result;
	if (layer->bytes >= 0 && blob.bytes != (uint64_t)layer->bytes)
		result = error_set(tree->error, EBADMSG, "the image is damaged: %.100s has %llu bytes instead of %lld",
		                   layer->path, (unsigned long long)blob.bytes, (long long)layer->bytes);
	if (!result)
		result = oci_stream_open(&stream, &blob, tree->limits, tree->error);
	if (!result) {
		result = oci_layer_unpack(tree, &stream, config);
		if (!result)
			result = oci_stream_check(&stream, diff_id);
		if (!result)
			result = oci_blob_check(&blob, layer, NULL, tree->error);
		oci_stream_close(&stream);
	}
	oci_blob_close(&blob);
	return result;
}

static int unpack_layers(struct oci_source *source, const struct oci_image *image, struct oci_tree *tree,
                         struct oci_config *config)
{
	int result = 0;
	for (unsigned i = 0; i < image->layer_count && !result; i++) {
		result = unpack_layer(source, &image->layers[i], tree, config, config->diff_ids[i]);
		if (!result)
			continue;
		const struct error line = *tree->error;
		error_set(tree->error, 0, "layer %u: %.230s", i + 1, line.text);
	}
	return result;
}

static int unpack(struct oci_source *source, const char *tag, struct oci_tree *tree, struct oci_config *config,
                  struct error *error)
{
	struct oci_image image = {0};
	char digest[DIGEST_TEXT_BYTES] = "";
	int result = cjson_load(error);
	if (!result)
		result = libarchive_load(error);
	if (!result)
		result = find_image(source, tag, &image, digest, error);
	if (!result)
		result = read_image_config(source, &image, config, error);
	if (!result)
		strcpy(config->manifest_digest, digest);
	if (!result)
		result = unpack_layers(source, &image, tree, config);
	if (!result)
		result = oci_start(tree, config);
	if (!result)
		result = oci_tree_finish(tree);
	if (!result && config->skipped)
		snprintf(config->warning, sizeof(config->warning),
		         "the image has %llu devices, FIFOs and sockets, which are left out",
		         (unsigned long long)config->skipped);
	oci_layout_fini(&image);
	return result;
}

int oci_unpack_limited(const char *from, int dir, const struct oci_limits *limits, struct oci_config *config,
                       struct error *error)
{
	struct oci_source source = {.dir = -1, .file = -1};
	char *path = strdup(from), *tag;
	struct error line;
	struct oci_tree *tree = calloc(1, sizeof(*tree));
	*config = (struct oci_config){0};
	if (!path || !tree) {
		free(path);
		free(tree);
		return error_set(error, ENOMEM, "there is not enough memory to unpack an image");
	}
	split_tag(path, &tag);
	int result = oci_tree_init(tree, dir, limits, &config->attributes, &line);
	if (!result)
		result = oci_source_open(&source, path, dir, limits, &line);
	if (!result)
		result = unpack(&source, tag, tree, config, &line);
	oci_source_close(&source);
	oci_tree_fini(tree);
	if (result) {
		error_set(error, 0, "the image %.60s: %.180s", path, line.text);
		clean_text(error->text, strlen(error->text));
		oci_config_fini(config);
	}
	free(path);
	free(tree);
	return result;
}

int oci_unpack(const char *source, int dir, struct oci_config *config, struct error *error)
{
	return oci_unpack_limited(source, dir, &oci_limits_default, config, error);
}
