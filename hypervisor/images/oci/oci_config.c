/* SPDX-License-Identifier: MIT */
#include "oci/oci_config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "oci/oci_json.h"
#include "oci/oci_layout.h"

static int no_config_memory(struct error *error)
{
	return error_set(error, ENOMEM, "there is not enough memory for an image's configuration");
}

/* Appends the strings of a list, which may be absent or null, to an array that ends with NULL. */
static int add_strings(const cJSON *config, const char *name, char ***array, unsigned *count, struct error *error)
{
	const cJSON *list = oci_json_member(config, name);
	if (!list || oci_json_is(list, cJSON_NULL))
		return 0;
	if (!oci_json_is(list, cJSON_Array))
		return error_set(error, EINVAL, "%s in its configuration is not a list", name);
	for (const cJSON *string = list->child; string; string = string->next) {
		if (!oci_json_is(string, cJSON_String))
			return error_set(error, EINVAL, "%s in its configuration has an element that is not a string",
			                 name);
		if (*count == OCI_STRINGS_MAX)
			return error_set(error, EFBIG, "%s in its configuration has more than %d elements", name,
			                 OCI_STRINGS_MAX);
		(*array)[*count] = strdup(string->valuestring);
		if (!(*array)[*count])
			return no_config_memory(error);
		++*count;
	}
	return 0;
}

/* Removes each variable that a later one has the name of. */
static int keep_last_values(struct oci_config *config, struct error *error)
{
	char **environment = config->environment;
	for (unsigned i = 0; i < config->environment_count; i++) {
		size_t name = strcspn(environment[i], "=");
		if (!name || !environment[i][name])
			return error_set(error, EINVAL, "Env in its configuration has %.100s, which is not NAME=VALUE",
			                 environment[i]);
	}
	unsigned kept = 0;
	for (unsigned i = 0; i < config->environment_count; i++) {
		size_t name = strcspn(environment[i], "=") + 1;
		bool again = false;
		for (unsigned later = i + 1; later < config->environment_count && !again; later++)
			again = !strncmp(environment[i], environment[later], name);
		if (again)
			free(environment[i]);
		else
			environment[kept++] = environment[i];
		if (again || kept <= i)
			environment[i] = NULL;
	}
	config->environment_count = kept;
	return 0;
}

static int read_config_text(const cJSON *from, const char *name, char **to, struct error *error)
{
	const cJSON *value = oci_json_member(from, name);
	if (value && !oci_json_is(value, cJSON_String) && !oci_json_is(value, cJSON_NULL))
		return error_set(error, EINVAL, "%s in its configuration is not a string", name);
	*to = strdup(oci_json_is(value, cJSON_String) ? value->valuestring : "");
	return *to ? 0 : no_config_memory(error);
}

/* Volumes are the names of an object's members. */
static int read_volumes(const cJSON *from, struct oci_config *config, struct error *error)
{
	const cJSON *object = oci_json_member(from, "Volumes");
	config->volumes = calloc(OCI_STRINGS_MAX + 1, sizeof(char *));
	if (!config->volumes)
		return no_config_memory(error);
	if (!object || oci_json_is(object, cJSON_NULL))
		return 0;
	if (!oci_json_is(object, cJSON_Object))
		return error_set(error, EINVAL, "Volumes in its configuration is not an object");
	for (const cJSON *volume = object->child; volume; volume = volume->next) {
		if (config->volume_count == OCI_STRINGS_MAX)
			return error_set(error, EFBIG, "Volumes in its configuration has more than %d elements",
			                 OCI_STRINGS_MAX);
		config->volumes[config->volume_count] = strdup(volume->string);
		if (!config->volumes[config->volume_count])
			return no_config_memory(error);
		config->volume_count++;
	}
	return 0;
}

static int read_start(const cJSON *from, struct oci_config *config, struct error *error)
{
	config->arguments = calloc(OCI_STRINGS_MAX + 1, sizeof(char *));
	config->environment = calloc(OCI_STRINGS_MAX + 1, sizeof(char *));
	if (!config->arguments || !config->environment)
		return no_config_memory(error);
	int result = add_strings(from, "Entrypoint", &config->arguments, &config->argument_count, error);
	config->entrypoint_count = config->argument_count;
	if (!result)
		result = add_strings(from, "Cmd", &config->arguments, &config->argument_count, error);
	if (!result)
		result = add_strings(from, "Env", &config->environment, &config->environment_count, error);
	if (!result)
		result = keep_last_values(config, error);
	if (!result)
		result = read_config_text(from, "User", &config->user, error);
	if (!result)
		result = read_config_text(from, "WorkingDir", &config->workdir, error);
	if (!result && config->workdir[0] && config->workdir[0] != '/')
		result = error_set(error, EINVAL, "WorkingDir in its configuration is %.100s, which is not absolute",
		                   config->workdir);
	return result ? result : read_volumes(from, config, error);
}

static int read_layers(const cJSON *root, struct oci_config *config, struct error *error)
{
	const cJSON *list = oci_json_member(oci_json_member(root, "rootfs"), "diff_ids");
	config->diff_ids = calloc(OCI_LAYERS_MAX, sizeof(*config->diff_ids));
	if (!config->diff_ids)
		return no_config_memory(error);
	if (!oci_json_is(list, cJSON_Array))
		return error_set(error, EINVAL, "its configuration has no list rootfs.diff_ids");
	for (const cJSON *id = list->child; id; id = id->next) {
		const char *text = oci_json_is(id, cJSON_String) ? id->valuestring : NULL;
		if (!oci_json_is_digest(text) || config->layer_count == OCI_LAYERS_MAX)
			return error_set(error, EINVAL,
			                 "rootfs.diff_ids in its configuration are not digests by SHA-256");
		strcpy(config->diff_ids[config->layer_count++], text);
	}
	return 0;
}

static int read_config_members(const cJSON *root, struct oci_config *config, struct error *error)
{
	if (!oci_json_is(root, cJSON_Object))
		return error_set(error, EINVAL, "its configuration is not an object in JSON");
	const char *os = oci_json_text(root, "os"), *machine = oci_json_text(root, "architecture");
	if ((os && strcmp(os, "linux")) || (machine && strcmp(machine, "amd64")))
		return error_set(error, EINVAL, "it is for %.20s/%.20s, and eremite runs linux/amd64",
		                 os ? os : "linux", machine ? machine : "amd64");
	const cJSON *start = oci_json_member(root, "config");
	if (start && !oci_json_is(start, cJSON_Object) && !oci_json_is(start, cJSON_NULL))
		return error_set(error, EINVAL, "config in its configuration is not an object");
	int result = read_start(start, config, error);
	return result ? result : read_layers(root, config, error);
}

int oci_config_read(const char *text, size_t bytes, struct oci_config *config, struct error *error)
{
	*config = (struct oci_config){.attributes = config->attributes};
	cJSON *root = cjson.ParseWithLength(text, bytes);
	int result = read_config_members(root, config, error);
	cjson.Delete(root);
	if (result)
		oci_config_fini(config);
	return result;
}

static void free_strings(char **strings, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		free(strings[i]);
	free(strings);
}

void oci_config_fini(struct oci_config *config)
{
	free_strings(config->arguments, config->argument_count);
	free_strings(config->environment, config->environment_count);
	free(config->workdir);
	free(config->user);
	free(config->credentials);
	free(config->home);
	free_strings(config->volumes, config->volume_count);
	free(config->diff_ids);
	oci_attributes_fini(&config->attributes);
	*config = (struct oci_config){0};
}
