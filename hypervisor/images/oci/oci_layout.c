/* SPDX-License-Identifier: MIT */
#include "oci/oci_layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_path.h"
#include "base/error.h"
#include "oci/oci_json.h"

#define JSON_EXACT_MAX 9007199254740992.0 /* numbers of JSON are exact up to 2^53 */

static const char *const index_types[] = {
	"application/vnd.oci.image.index.v1+json",
	"application/vnd.docker.distribution.manifest.list.v2+json",
	NULL,
};

static const char *const manifest_types[] = {
	"application/vnd.oci.image.manifest.v1+json",
	"application/vnd.docker.distribution.manifest.v2+json",
	NULL,
};

static const char *const config_types[] = {
	"application/vnd.oci.image.config.v1+json",
	"application/vnd.docker.container.image.v1+json",
	NULL,
};

static const char *const layer_types[] = {
	"application/vnd.oci.image.layer.v1.tar",
	"application/vnd.oci.image.layer.v1.tar+gzip",
	"application/vnd.oci.image.layer.v1.tar+zstd",
	"application/vnd.oci.image.layer.nondistributable.v1.tar",
	"application/vnd.oci.image.layer.nondistributable.v1.tar+gzip",
	"application/vnd.oci.image.layer.nondistributable.v1.tar+zstd",
	"application/vnd.docker.image.rootfs.diff.tar",
	"application/vnd.docker.image.rootfs.diff.tar.gzip",
	"application/vnd.docker.image.rootfs.diff.tar.zstd",
	"application/vnd.docker.image.rootfs.foreign.diff.tar",
	"application/vnd.docker.image.rootfs.foreign.diff.tar.gzip",
	NULL,
};

static bool is_one_of(const char *text, const char *const list[])
{
	while (text && *list)
		if (!strcmp(text, *list++))
			return true;
	return false;
}

/* Reads a descriptor (image-spec, descriptor.md), for free(to->path). */
static int read_descriptor(const cJSON *from, const char *what, struct oci_descriptor *to, struct error *error)
{
	const char *digest = oci_json_text(from, "digest");
	const cJSON *size = oci_json_member(from, "size");
	*to = (struct oci_descriptor){.bytes = -1};
	if (digest && !strncmp(digest, "sha512:", 7))
		return error_set(error, EINVAL, "%s has a digest by SHA-512, and eremite reads images with SHA-256",
		                 what);
	if (!oci_json_is_digest(digest))
		return error_set(error, EINVAL, "%s has no digest of the form sha256:HEX", what);
	if (!oci_json_is(size, cJSON_Number) || !(size->valuedouble >= 0 && size->valuedouble <= JSON_EXACT_MAX))
		return error_set(error, EINVAL, "%s has no size", what);
	strcpy(to->digest, digest);
	to->bytes = (int64_t)size->valuedouble;
	to->is_index = is_one_of(oci_json_text(from, "mediaType"), index_types);
	if (asprintf(&to->path, "blobs/sha256/%s", digest + 7) >= 0)
		return 0;
	to->path = NULL;
	return error_set(error, ENOMEM, "there is not enough memory for an image's description");
}

/* --- tags --- */

/* Whether a name is the tag, or ends with it after '/' or ':'. */
static bool matches(const char *name, const char *tag, bool exactly)
{
	if (!name || exactly)
		return name && !strcmp(name, tag);
	size_t length = strlen(name), end = strlen(tag);
	return length > end && end && !strcmp(name + length - end, tag) && strchr("/:", name[length - end - 1]);
}

/* The names of an entry of an index or of manifest.json, from one to the next. */
struct names {
	const cJSON *entry;
	unsigned key;
	const cJSON *tag;
};

static const char *next_name(struct names *names)
{
	static const char *const keys[] = {"org.opencontainers.image.ref.name", "io.containerd.image.name"};
	while (names->key < 2) {
		const cJSON *annotations = oci_json_member(names->entry, "annotations");
		const char *name = oci_json_text(annotations, keys[names->key++]);
		if (name)
			return name;
	}
	if (names->key++ == 2) {
		const cJSON *tags = oci_json_member(names->entry, "RepoTags");
		names->tag = oci_json_is(tags, cJSON_Array) ? tags->child : NULL;
	} else if (names->tag) {
		names->tag = names->tag->next;
	}
	return oci_json_is(names->tag, cJSON_String) ? names->tag->valuestring : NULL;
}

static bool has_reference(const cJSON *entry, const char *tag, bool exactly)
{
	struct names names = {.entry = entry};
	for (const char *name; (name = next_name(&names));)
		if (matches(name, tag, exactly))
			return true;
	return false;
}

/* Lists the names of all entries, as far as there is room. */
static const char *list_names(const cJSON *entries, char text[128])
{
	const cJSON *entry;
	size_t at = 0;
	unsigned left = 0;
	text[0] = 0;
	cJSON_ArrayForEach(entry, entries)
	{
		struct names names = {.entry = entry};
		for (const char *name; (name = next_name(&names));)
			if (left || at + strlen(name) + 24 > 128)
				left++;
			else
				at += (size_t)sprintf(text + at, "%s%s", at ? ", " : "", name);
	}
	if (left)
		sprintf(text + at, "%s%u more", at ? " and " : "", left);
	return text[0] ? text : "none";
}

/* --- the index --- */

/* Whether an entry may be for linux/amd64. Attestations of a build are for unknown/unknown. */
static bool is_for_us(const cJSON *entry)
{
	const cJSON *platform = oci_json_member(entry, "platform");
	const char *os = oci_json_text(platform, "os"), *machine = oci_json_text(platform, "architecture");
	const char *variant = oci_json_text(platform, "variant");
	return (!os || !strcmp(os, "linux")) && (!machine || !strcmp(machine, "amd64")) &&
	       (!variant || !*variant || !strcmp(variant, "v1"));
}

static const char *list_platforms(const cJSON *entries, char text[128])
{
	const cJSON *entry;
	size_t at = 0;
	text[0] = 0;
	cJSON_ArrayForEach(entry, entries)
	{
		const cJSON *platform = oci_json_member(entry, "platform");
		const char *os = oci_json_text(platform, "os"), *machine = oci_json_text(platform, "architecture");
		const char *variant = oci_json_text(platform, "variant");
		if (!os || !machine || at + 40 > 128 || !strcmp(os, "unknown"))
			continue;
		at += (size_t)snprintf(text + at, 40, "%s%.12s/%.12s%s%.8s", at ? ", " : "", os, machine,
		                       variant && *variant ? "/" : "", variant ? variant : "");
	}
	return text[0] ? text : "none";
}

/* Which entries of an index, or of manifest.json, to choose from. */
struct choice {
	const char *tag; /* NULL: any */
	bool exactly;    /* the tag is the whole of a name */
	bool is_top;     /* two different entries are ambiguous */
};

/* What tells two entries apart. */
static const char *identity(const cJSON *entry)
{
	const char *digest = oci_json_text(entry, "digest");
	return digest ? digest : oci_json_text(entry, "Config");
}

/* Returns the entry, or NULL with a line in *error, and -errno in *reason. */
static const cJSON *choose_entry(const cJSON *entries, const struct choice *by, int *reason, struct error *error)
{
	const cJSON *entry, *found = NULL;
	const char *one = NULL;
	unsigned named = 0;
	char list[128];
	cJSON_ArrayForEach(entry, entries)
	{
		if (by->tag && !has_reference(entry, by->tag, by->exactly))
			continue;
		named++;
		if (!is_for_us(entry) || (found && !by->is_top))
			continue;
		const char *other = identity(entry);
		if (found && !(one && other && !strcmp(one, other))) {
			*reason = error_set(
				error, EINVAL, "it has several images%s%.60s; give one of its tags as PATH:TAG: %s",
				by->tag ? " for the tag " : "", by->tag ? by->tag : "", list_names(entries, list));
			return NULL;
		}
		found = entry;
		one = other;
	}
	if (!found && by->tag && !named)
		*reason = error_set(error, ENOENT, "it has no tag %.60s; its tags are: %s", by->tag,
		                    list_names(entries, list));
	else if (!found)
		*reason = error_set(error, ENOENT, "it has no image for linux/amd64; its platforms are: %s",
		                    list_platforms(entries, list));
	return found;
}

/* Chooses by the whole name if some entry has that, and otherwise by the end of names. */
static const cJSON *choose_manifest(const cJSON *entries, const char *tag, bool is_top, int *reason,
                                    struct error *error)
{
	struct choice by = {.tag = tag, .is_top = is_top};
	const cJSON *entry;
	cJSON_ArrayForEach(entry, entries)
	{
		if (tag && has_reference(entry, tag, true))
			by.exactly = true;
	}
	return choose_entry(entries, &by, reason, error);
}

static int read_chosen_entry(const cJSON *index, const char *tag, bool is_top, struct oci_descriptor *chosen,
                             struct error *error)
{
	const cJSON *entries = oci_json_member(index, "manifests");
	int reason = 0;
	if (!oci_json_is(entries, cJSON_Array) || oci_json_member(index, "layers") || oci_json_member(index, "config"))
		return error_set(error, EINVAL, "an index of the image is not an OCI index in JSON");
	const cJSON *entry = choose_manifest(entries, tag, is_top, &reason, error);
	if (!entry)
		return reason;
	const char *type = oci_json_text(entry, "mediaType");
	if (!is_one_of(type, index_types) && !is_one_of(type, manifest_types))
		return error_set(error, EINVAL, "its index names a file of type %.80s, which is not an image",
		                 type ? type : "unknown");
	return read_descriptor(entry, "an entry of its index", chosen, error);
}

int oci_layout_choose(const char *text, size_t bytes, const char *tag, bool is_top, struct oci_descriptor *chosen,
                      struct error *error)
{
	*chosen = (struct oci_descriptor){.bytes = -1};
	cJSON *index = cjson.ParseWithLength(text, bytes);
	int result = read_chosen_entry(index, tag, is_top, chosen, error);
	cjson.Delete(index);
	return result;
}

/* --- the manifest --- */

/* Makes room for an array of layers. */
static int begin_layers(const cJSON *layers, struct oci_image *image, struct error *error)
{
	size_t count = 0;
	if (!oci_json_is(layers, cJSON_Array))
		return error_set(error, EINVAL, "its manifest has no list of layers");
	for (const cJSON *layer = layers->child; layer; layer = layer->next)
		count++;
	if (count > OCI_LAYERS_MAX)
		return error_set(error, EFBIG, "it has %zu layers; an image may have %d", count, OCI_LAYERS_MAX);
	image->layers = calloc(count + 1, sizeof(*image->layers));
	return image->layers ? 0 : error_set(error, ENOMEM, "there is not enough memory for %zu layers", count);
}

static int read_oci_manifest(const cJSON *manifest, struct oci_image *image, struct error *error)
{
	const cJSON *config = oci_json_member(manifest, "config"), *layers = oci_json_member(manifest, "layers");
	const char *type = oci_json_text(manifest, "mediaType");
	if (!oci_json_is(manifest, cJSON_Object) || oci_json_member(manifest, "manifests") ||
	    (type && !is_one_of(type, manifest_types)))
		return error_set(error, EINVAL, "its manifest is not an OCI manifest in JSON");
	type = oci_json_text(config, "mediaType");
	if (!is_one_of(type, config_types))
		return error_set(error, EINVAL, "it is not an image of a container: its configuration is of type %.80s",
		                 type ? type : "unknown");
	int result = read_descriptor(config, "the configuration", &image->config, error);
	if (!result)
		result = begin_layers(layers, image, error);
	for (const cJSON *layer = layers ? layers->child : NULL; layer && !result; layer = layer->next) {
		type = oci_json_text(layer, "mediaType");
		if (!is_one_of(type, layer_types))
			return error_set(error, EINVAL, "its layer %u is of type %.80s, which eremite cannot unpack",
			                 image->layer_count + 1, type ? type : "unknown");
		result = read_descriptor(layer, "a layer", &image->layers[image->layer_count++], error);
	}
	return result;
}

int oci_layout_manifest(const char *text, size_t bytes, struct oci_image *image, struct error *error)
{
	*image = (struct oci_image){0};
	cJSON *manifest = cjson.ParseWithLength(text, bytes);
	int result = read_oci_manifest(manifest, image, error);
	cjson.Delete(manifest);
	if (result)
		oci_layout_fini(image);
	return result;
}

/* --- docker save --- */

/* Reads the name of a file. Names of the form HEX.json and blobs/sha256/HEX say its digest, too. */
static int read_reference_name(const cJSON *from, struct oci_descriptor *to, struct error *error)
{
	const char *path = oci_json_is(from, cJSON_String) ? from->valuestring : NULL;
	char digest[DIGEST_TEXT_BYTES];
	*to = (struct oci_descriptor){.bytes = -1};
	if (!path || !clean_path(path))
		return error_set(error, EINVAL, "its manifest.json has a file with the name %.100s",
		                 path ? path : "unknown");
	const char *hex = strncmp(path, "blobs/sha256/", 13) ? path : path + 13;
	snprintf(digest, sizeof(digest), "sha256:%.64s", hex);
	if (oci_json_is_digest(digest) && !strcmp(hex + 64, hex == path ? ".json" : ""))
		strcpy(to->digest, digest);
	to->path = strdup(path);
	return to->path ? 0 : error_set(error, ENOMEM, "there is not enough memory for an image's description");
}

static int read_docker(const cJSON *images, const char *tag, struct oci_image *image, struct error *error)
{
	int result = 0;
	if (!oci_json_is(images, cJSON_Array))
		return error_set(error, EINVAL, "its manifest.json is not that of docker save");
	const cJSON *entry = choose_manifest(images, tag, true, &result, error);
	if (!entry)
		return result;
	const cJSON *layers = oci_json_member(entry, "Layers");
	result = read_reference_name(oci_json_member(entry, "Config"), &image->config, error);
	if (!result)
		result = begin_layers(layers, image, error);
	for (const cJSON *layer = layers ? layers->child : NULL; layer && !result; layer = layer->next)
		result = read_reference_name(layer, &image->layers[image->layer_count++], error);
	return result;
}

int oci_layout_docker(const char *text, size_t bytes, const char *tag, struct oci_image *image, struct error *error)
{
	*image = (struct oci_image){0};
	cJSON *images = cjson.ParseWithLength(text, bytes);
	int result = read_docker(images, tag, image, error);
	cjson.Delete(images);
	if (result)
		oci_layout_fini(image);
	return result;
}

void oci_layout_fini(struct oci_image *image)
{
	for (unsigned i = 0; i < image->layer_count; i++)
		free(image->layers[i].path);
	free(image->layers);
	free(image->config.path);
	*image = (struct oci_image){0};
}
