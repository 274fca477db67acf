/* SPDX-License-Identifier: MIT */
#include "sealed/image_text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/clean_text.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"

#define NAMES_BYTES_MAX (1UL << 32)
#define FILE_BYTES_MAX (1UL << 40)

void image_text_print(FILE *to, const char *fmt, ...)
{
	va_list arguments;
	va_start(arguments, fmt);
	char *line = text_of_list(fmt, arguments), *shown = printable_line(line, strlen(line));
	va_end(arguments);
	fprintf(to, "%s\n", shown);
	free(shown);
	free(line);
}

static bool is_plain_word(const char *word)
{
	return *word &&
	       strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%") == strlen(word);
}

static void write_word(FILE *to, const char *word)
{
	if (is_plain_word(word)) {
		fputs(word, to);
		return;
	}
	fputc('\'', to);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", to);
		else
			fputc(*word, to);
	fputc('\'', to);
}

static void write_words(FILE *to, char *const *words, unsigned count, const char *before)
{
	for (unsigned i = 0; i < count; i++) {
		fputs(i ? " " : before, to);
		write_word(to, words[i]);
	}
}

char *image_text_words(char *const *words, unsigned count)
{
	struct text_made made;
	FILE *to = text_open(&made);
	write_words(to, words, count, "");
	return text_close(&made);
}

void image_text_put_words(FILE *to, const char *words)
{
	for (const unsigned char *at = (const unsigned char *)words; *at;) {
		const size_t found = clean_text_utf8(at, strlen((const char *)at)), length = found ? found : 1;
		const bool is_shown = found && clean_text_is_shown(at, length);
		for (size_t i = 0; i < length; i++)
			fprintf(to, is_shown ? "%c" : "'$'\\%03o''", at[i]); /* such bytes are always in quotes */
		at += length;
	}
}

char *image_text_words_utf8(char *const *words, unsigned count)
{
	char *plain = image_text_words(words, count);
	struct text_made made;
	FILE *to = text_open(&made);
	for (const unsigned char *at = (const unsigned char *)plain; *at;) {
		const size_t found = clean_text_utf8(at, strlen((const char *)at));
		if (found)
			fwrite(at, 1, found, to);
		else
			fprintf(to, "'$'\\%03o''", *at); /* such bytes are always in quotes */
		at += found ? found : 1;
	}
	free(plain);
	return text_close(&made);
}

char *image_text_shown(const char *words)
{
	struct text_made made;
	FILE *to = text_open(&made);
	image_text_put_words(to, words);
	return text_close(&made);
}

char *image_text_command(const struct eri_step *step)
{
	struct text_made made;
	FILE *to = text_open(&made);
	fputs("eremite run", to);
	write_words(to, step->options, step->option_count, " ");
	fputs(" --", to);
	write_words(to, step->arguments, step->argument_count, " ");
	return text_close(&made);
}

void image_text_path(const struct eri_step *step, unsigned tree, const char *below, char path[IMAGE_TEXT_PATH])
{
	const char *top = tree < step->tree_count ? step->trees[tree].guest : "?";
	size_t bytes = strlen(top);
	snprintf(path, IMAGE_TEXT_PATH, "%.*s%s%s", PATH_MAX, top,
	         *below && !(bytes && top[bytes - 1] == '/') ? "/" : "", below);
}

int image_text_names(const struct eri_image *image, const struct eri_step *step, struct eri_block *block,
                     struct eri_names *names, struct error *error)
{
	char path[PATH_MAX];
	eri_image_step_path(step, ERI_STEP_NAMES, path);
	int result = eri_image_load(image, path, NAMES_BYTES_MAX, step->names_sha256, block, error);
	if (result)
		return result;
	result = eri_names_open(names, block->data, block->bytes, error);
	if (!result)
		return 0;
	free(block->copy);
	return error_prefix(error, -result, "%.100s is not a sound image: ", image->path);
}

int image_text_hash(const struct eri_image *image, const char *path, char hex[2 * DIGEST_BYTES + 1],
                    struct error *error)
{
	struct eri_block block;
	struct digest_sum sum;
	uint8_t hash[DIGEST_BYTES];
	char text[DIGEST_TEXT_BYTES];
	int result = eri_image_load(image, path, FILE_BYTES_MAX, NULL, &block, error);
	if (result)
		return result;
	digest_begin(&sum);
	digest_add(&sum, block.data, block.bytes);
	digest_end(&sum, hash);
	digest_text(hash, text);
	strcpy(hex, strchr(text, ':') + 1);
	free(block.copy);
	return 0;
}
