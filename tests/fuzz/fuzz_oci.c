/* SPDX-License-Identifier: MIT */
/* JSON files of an image of a container, as a stranger may have written them. The first byte says which one follows. */
#include <stdbool.h>
#include <stdlib.h>

#include "base/clean_path.h"
#include "library/cjson.h"
#include "oci/oci_config.h"
#include "oci/oci_json.h"
#include "oci/oci_layout.h"
#include "tests/fuzz/fuzz.h"

static struct error error;

/* A result has one line if it is bad. */
static void check_result(int result)
{
	if (result > 0 || !result != !error.text[0])
		abort();
}

/* All names stay inside the image. */
static void check_file(const struct oci_descriptor *file)
{
	if (!file->path || !clean_path(file->path) || (file->digest[0] && !oci_json_is_digest(file->digest)))
		abort();
}

static void check_image(int result, struct oci_image *image)
{
	check_result(result);
	if (!result)
		check_file(&image->config);
	for (unsigned i = 0; !result && i < image->layer_count; i++)
		check_file(&image->layers[i]);
	oci_layout_fini(image);
}

static void read_index(const char *text, size_t size, const char *tag, bool is_top)
{
	struct oci_descriptor chosen;
	int result = oci_layout_choose(text, size, tag, is_top, &chosen, &error);
	check_result(result);
	if (!result)
		check_file(&chosen);
	free(chosen.path);
}

static void read_config(const char *text, size_t size)
{
	struct oci_config config = {0};
	int result = oci_config_read(text, size, &config, &error);
	check_result(result);
	for (unsigned i = 0; !result && i < config.environment_count; i++)
		if (!strchr(config.environment[i], '='))
			abort();
	if (!result && (config.arguments[config.argument_count] || config.environment[config.environment_count]))
		abort();
	oci_config_fini(&config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct oci_image image;
	const char *text = (const char *)data + 1;
	if (!size || cjson_load(&error))
		return 0;
	error.text[0] = 0;
	size--;
	switch (data[0]) {
	case 'i':
		read_index(text, size, NULL, true);
		break;
	case 'n':
		read_index(text, size, NULL, false);
		break;
	case 't':
		read_index(text, size, "v1", true);
		break;
	case 'm':
		check_image(oci_layout_manifest(text, size, &image, &error), &image);
		break;
	case 'd':
		check_image(oci_layout_docker(text, size, NULL, &image, &error), &image);
		break;
	case 'e':
		check_image(oci_layout_docker(text, size, "v1", &image, &error), &image);
		break;
	case 'c':
		read_config(text, size);
		break;
	}
	return 0;
}
