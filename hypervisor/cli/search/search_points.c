/* SPDX-License-Identifier: MIT */
/* A try that switches threads where only one of them uses memory is wasted, and so is one that switches at the locks of
 * libc that no two threads use. So later tries have the listed instructions alone, locked ones among them. Without a
 * list they have a sample of all accesses: threads of several processes may share memory, which no list tells. */
#include "cli/search/search_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "cli/option_words.h"
#include "cli/search/search_go.h"
#include "code/code_shared.h"

#define LISTS_MAX (1UL << 28) /* bytes; the guest may be hostile */

void search_points_add(struct search_points *points, const char *list, size_t bytes)
{
	if (bytes > LISTS_MAX - points->bytes)
		return;
	char *more = realloc(points->lists, points->bytes + bytes + 1);
	if (!more)
		die("out of memory");
	memcpy(more + points->bytes, list, bytes);
	points->lists = more;
	points->bytes += bytes;
}

void search_points_settle(struct search_points *points, const char *program)
{
	struct code_shared shared;
	char error[256];
	FILE *from = points->bytes ? fmemopen(points->lists, points->bytes, "r") : NULL;
	if (points->bytes && !from)
		die("out of memory");
	if (from && !code_shared_read(&shared, from, "the list of a try", error)) {
		search_go_filter(&shared, program);
		code_shared_sample(&shared, SEARCH_POINTS_MAX);
		char *word = code_shared_word(&shared);
		if (!word)
			die("out of memory");
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
