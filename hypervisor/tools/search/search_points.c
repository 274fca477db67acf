/* SPDX-License-Identifier: MIT */
/* A try that switches threads where only one of them uses memory is wasted, and so is one that switches at the locks of
 * libc that no two threads use. So later tries have the listed instructions alone, locked ones among them. Without a
 * list they have a sample of all accesses: threads of several processes may share memory, which no list tells. */
#include "search/search_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmdline/option_words.h"
#include "code/code_shared.h"
#include "report/runtime_names.h"
#include "search/search_go.h"

#define LISTS_MAX (1UL << 28) /* bytes; the guest may be hostile */

/* Copies a list without the libraries of sanitizers. A comment names the file of the lines that follow it. Returns how
 * many bytes it copied. */
static size_t copy_list(char *to, const char *list, size_t bytes)
{
	size_t copied = 0;
	bool is_left_out = false;
	for (const char *end = list + bytes; list < end;) {
		const char *stop = memchr(list, '\n', (size_t)(end - list));
		const size_t length = (size_t)((stop ? stop + 1 : end) - list);
		if (length > 3 && !memcmp(list, "# /", 3))
			is_left_out = runtime_names_is_sanitizer_file(list + 2, length - 2);
		if (!is_left_out)
			memcpy(to + copied, list, length);
		copied += is_left_out ? 0 : length;
		list += length;
	}
	return copied;
}

void search_points_add(struct search_points *points, const char *list, size_t bytes)
{
	if (bytes > LISTS_MAX - points->bytes)
		return;
	char *more = memory_or_die(realloc(points->lists, points->bytes + bytes + 1));
	points->lists = more;
	points->bytes += copy_list(more + points->bytes, list, bytes);
}

void search_points_settle(struct search_points *points, const char *program)
{
	struct code_shared shared;
	struct error error;
	FILE *from = points->bytes ? fmemopen(points->lists, points->bytes, "r") : NULL;
	memory_check(!points->bytes || from);
	if (from && !code_shared_read(&shared, from, "the list of a try", &error)) {
		search_go_filter(&shared, program);
		code_shared_sample(&shared, SEARCH_POINTS_MAX);
		char *word = memory_or_die(code_shared_word(&shared));
		points->option = text_of("--preempt=at:%s", word);
		free(word);
		code_shared_fini(&shared);
	}
	if (from)
		fclose(from);
	free(points->lists);
	points->lists = NULL;
	points->bytes = 0;
}

void search_points_words(const struct search_points *points, bool makes_list, bool has_atomics, char ***words,
                         int *count)
{
	static char atomics[] = "--preempt=atomics", all[] = "--preempt=accesses:65536,1",
		    some[] = "--preempt=accesses:1000,1";
	if (!makes_list && points->option) {
		option_words_append(words, count, points->option);
		return;
	}
	if (!has_atomics)
		option_words_append(words, count, atomics);
	option_words_append(words, count, makes_list ? all : some);
}
