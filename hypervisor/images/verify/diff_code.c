/* SPDX-License-Identifier: MIT */
/* A file is known by its SHA-256. That an image has another file is in the table of names, and not said here. */
#include "verify/diff_code.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "base/text.h"
#include "sealed/image_text.h"
#include "code/service/code_sealed.h"

/* A step of an image, and its lists. */
struct side {
	const struct eri_image *image;
	const struct eri_step *step;
	struct code_sealed code;
};

static void open_code_side(struct side *side)
{
	struct error error;
	char path[PATH_MAX];
	struct eri_block block;
	if (!*side->step->code_sha256)
		return;
	snprintf(path, sizeof(path), ERI_CODE "/%s", side->step->code_sha256);
	if (eri_image_load(side->image, path, CODE_SEALED_BYTES_MAX, side->step->code_sha256, &block, &error))
		die("%s", error.text);
	if (code_sealed_read(&side->code, block.data, block.bytes, &error))
		die("%s is not a sound image: %s", side->image->path, error.text);
	free(block.copy);
}

/* Finds the path of a file of the step by its SHA-256. Returns false if the step has no such file. */
static bool find_code_path(const struct side *side, const uint8_t sha256[DIGEST_BYTES], char path[IMAGE_TEXT_PATH])
{
	static char below[PATH_MAX]; /* too large for a stack */
	struct eri_names names;
	struct eri_block block;
	struct eri_name name;
	struct error error;
	unsigned tree;
	size_t at = 0;
	bool is_found = false;
	if (!*side->step->names_sha256 || image_text_names(side->image, side->step, &block, &names, &error))
		return false;
	while (!is_found && eri_names_line(&names, &at, &tree, below, &name) > 0)
		is_found = name.has_hash && !memcmp(name.hash, sha256, DIGEST_BYTES);
	if (is_found)
		image_text_path(side->step, tree, below, path);
	free(block.copy);
	return is_found;
}

/* Describes a list, or none. */
static void describe_list(const struct code_sealed_list *list, char text[128])
{
	char hash[DIGEST_TEXT_BYTES];
	struct digest_sum sum;
	uint8_t digest[DIGEST_BYTES];
	if (!list) {
		snprintf(text, 128, "searched by each run");
		return;
	}
	digest_begin(&sum);
	digest_add(&sum, list->patches, list->count * sizeof(*list->patches));
	digest_end(&sum, digest);
	digest_text(digest, hash);
	snprintf(text, 128, "%zu place%s with the %s", list->count, text_s(list->count), hash);
}

static bool is_same_sealed_code(const struct code_sealed_list *a, const struct code_sealed_list *b)
{
	return a && b && a->count == b->count &&
	       (!a->count || !memcmp(a->patches, b->patches, a->count * sizeof(*a->patches)));
}

/* Prints how the lists of sides[0] differ from those of sides[1]: all that `which` has, or only those that the other
 * side lacks. */
static void print_lists(struct side sides[2], unsigned which, void (*print)(char sign, const char *text))
{
	static char path[IMAGE_TEXT_PATH]; /* too large for a stack */
	const struct code_sealed *code = &sides[which].code;
	for (size_t i = 0; i < code->count; i++) {
		const uint8_t *sha256 = code->lists[i].file.sha256;
		const struct code_sealed_list *other = code_sealed_find_hash(&sides[!which].code, sha256);
		const struct code_sealed_list *lists[2] = {which ? other : &code->lists[i],
		                                           which ? &code->lists[i] : other};
		char texts[2][128];
		if (is_same_sealed_code(lists[0], lists[1]) || (which && other) ||
		    !find_code_path(&sides[!which], sha256, path))
			continue;
		describe_list(lists[0], texts[0]), describe_list(lists[1], texts[1]);
		char *line = text_of("step %s: patches of %s: %s -> %s", sides[0].step->name, path, texts[0], texts[1]);
		print('~', line);
		free(line);
	}
}

void diff_code_print(const struct eri_image *first, const struct eri_image *second, const char *step,
                     void (*print)(char sign, const char *text))
{
	struct side sides[2] = {{.image = first, .step = eri_image_step(first, step)},
	                        {.image = second, .step = eri_image_step(second, step)}};
	if (!sides[0].step || !sides[1].step || !strcmp(sides[0].step->code_sha256, sides[1].step->code_sha256))
		return;
	for (unsigned i = 0; i < 2; i++)
		open_code_side(&sides[i]);
	for (unsigned i = 0; i < 2; i++)
		print_lists(sides, i, print);
	for (unsigned i = 0; i < 2; i++)
		code_sealed_fini(&sides[i].code);
}
