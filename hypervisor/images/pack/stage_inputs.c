/* SPDX-License-Identifier: MIT */
#include "pack/stage_inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "pack/dpkg.h"

/* Whether a file is a program: it may be executed, is an ELF file or a script, and is not named as a library. */
static bool is_program(const char *path, uint32_t mode, int fd)
{
	static const char elf[4] = "\177ELF", script[2] = "#!";
	char begin[4];
	return mode & 0111 && fd >= 0 && !strstr(strrchr(path, '/') ? strrchr(path, '/') : path, ".so") &&
	       pread(fd, begin, sizeof(begin), 0) == sizeof(begin) &&
	       (!memcmp(begin, elf, sizeof(elf)) || !memcmp(begin, script, sizeof(script)));
}

int stage_inputs_note(struct stage *stage, const char *guest, const char *host, enum stage_input_kind kind,
                      uint64_t bytes, uint32_t mode, int fd)
{
	if (!array_reserve(stage->inputs, stage->input_room, stage->input_count + 1))
		return -ENOMEM;
	struct stage_input *input = &stage->inputs[stage->input_count];
	*input = (struct stage_input){
		.guest = strdup(guest),
		.host = strdup(host),
		.kind = kind,
		.bytes = bytes,
		.is_program = is_program(guest, mode, fd),
		.package = -1,
	};
	if (!input->guest || !input->host) {
		free(input->guest);
		free(input->host);
		return -ENOMEM;
	}
	stage->input_count++;
	return 0;
}

void stage_inputs_fini(struct stage *stage)
{
	for (size_t i = 0; i < stage->input_count; i++) {
		free(stage->inputs[i].guest);
		free(stage->inputs[i].host);
	}
	free(stage->inputs);
	stage->inputs = NULL;
	stage->input_count = stage->input_room = 0;
}

static int by_input_path(const void *a, const void *b)
{
	const struct stage_input *x = a, *y = b;
	int order = strcmp(x->guest, y->guest);
	return order ? order : x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->host, y->host);
}

/* Where a file is looked for in the lists: empty for what no package has alone. With a merged /usr, /lib is a link, and
 * a directory of most packages. */
static const char *listed_path(const struct stage_input *input)
{
	const bool is_top = input->kind == STAGE_LINK && strrchr(input->host, '/') == input->host;
	return is_top ? "" : input->host;
}

/* Sorts the inputs. Of those with one path, which several steps have read, the first stays. */
static void merge_inputs(struct stage *stage)
{
	size_t kept = 0;
	if (stage->input_count)
		qsort(stage->inputs, stage->input_count, sizeof(*stage->inputs), by_input_path);
	for (size_t i = 0; i < stage->input_count; i++) {
		struct stage_input *input = &stage->inputs[i];
		if (!kept || strcmp(stage->inputs[kept - 1].guest, input->guest)) {
			stage->inputs[kept++] = *input;
			continue;
		}
		free(input->guest);
		free(input->host);
	}
	stage->input_count = kept;
}

/* Adds the packages in their order, each with its files. */
static int add_input_packages(struct stage *stage, const struct dpkg *dpkg, const struct dpkg_file *files,
                              struct eri_packages *packages)
{
	for (size_t i = 0; i < dpkg->count; i++) {
		const struct dpkg_package *package = &dpkg->all[i];
		int64_t index = eri_packages_add(packages, package->name, package->version, package->architecture);
		for (size_t j = 0; j < stage->input_count && index >= 0; j++) {
			if (files[j].package != (int64_t)i)
				continue;
			stage->inputs[j].package = index;
			if (eri_packages_add_file(packages, (uint32_t)index, stage->inputs[j].guest))
				return -ENOMEM;
		}
		if (index < 0)
			return (int)index;
	}
	return 0;
}

/* Stages the list. */
static int stage_list(struct stage *stage, const struct eri_packages *packages, char hex[STAGE_HEX_BYTES])
{
	size_t bytes;
	*hex = 0;
	if (!packages->count)
		return 0;
	char *text = eri_packages_text(packages, &bytes);
	int result = text ? stage_text(stage, text, bytes, ERI_PACKAGES, hex) : -ENOMEM;
	free(text);
	return result;
}

int stage_inputs_packages(struct stage *stage, struct eri_packages *packages, char hex[STAGE_HEX_BYTES],
                          struct error *error)
{
	struct dpkg dpkg = {0};
	merge_inputs(stage);
	struct dpkg_file *files = calloc(stage->input_count + 1, sizeof(*files));
	for (size_t i = 0; files && i < stage->input_count; i++)
		files[i].path = listed_path(&stage->inputs[i]);
	int result = files ? dpkg_find(&dpkg, files, stage->input_count) : -ENOMEM;
	if (!result)
		result = add_input_packages(stage, &dpkg, files, packages);
	if (!result)
		result = stage_list(stage, packages, hex);
	free(files);
	dpkg_fini(&dpkg);
	return result ? error_set(error, -result, "cannot write the list of packages: %s", strerror(-result)) : 0;
}
