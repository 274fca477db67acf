/* SPDX-License-Identifier: MIT */
/* Noted accesses, which a guest writes, and lists of accesses, which a stranger writes. A list that was written can be
 * read again. */
#include <stdio.h>

#include "abi/linux_view.h"
#include "abi/sched_area.h"
#include "base/error.h"
#include "code/code_shared.h"
#include "sched/shared_notes.h"
#include "tests/fuzz/fuzz.h"

#define NOTES 8

static void read_list(const void *text, size_t bytes, size_t expected)
{
	struct code_shared shared = {0};
	struct error error = {0};
	FILE *from = bytes ? fmemopen((void *)text, bytes, "r") : NULL;
	if (!from)
		return;
	int result = code_shared_read(&shared, from, "list", &error);
	if ((result && (!error.text[0] || strchr(error.text, '\n'))) ||
	    (expected && (result || shared.count > expected)))
		abort();
	for (size_t i = 1; i < shared.count; i++)
		if (!memcmp(&shared.at[i - 1], &shared.at[i], sizeof(shared.at[i])))
			abort();
	code_shared_fini(&shared);
	fclose(from);
}

/* A list that is one word is the same list when it is written and read again. */
static void read_word(const void *text, size_t bytes)
{
	struct code_shared shared, again;
	struct error error = {0};
	char *word = strndup(text, bytes), *second;
	if (!word || code_shared_parse(&shared, word, &error)) {
		if (word && (!error.text[0] || strchr(error.text, '\n')))
			abort();
		free(word);
		return;
	}
	free(word);
	second = code_shared_word(&shared);
	if (!second || code_shared_parse(&again, second, &error) || again.sum != shared.sum ||
	    again.count != shared.count)
		abort();
	free(second);
	code_shared_fini(&shared);
	code_shared_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct sched_area area;
	struct fuzz_input input = fuzz_begin(data, size);
	struct error error;
	char *text = NULL;
	size_t bytes;
	uint8_t flags = (uint8_t)fuzz_number(&input, 1);
	if (flags & 1) {
		read_list(input.at, input.left, 0);
		read_word(input.at, input.left);
		return 0;
	}
	struct shared_notes *notes = shared_notes_create();
	FILE *to = open_memstream(&text, &bytes);
	if (!notes || !to)
		abort();
	area.notes_at = flags & 2 ? fuzz_number(&input, 8) : fuzz_number(&input, 1) % (NOTES + 1);
	for (unsigned i = 0; i < NOTES; i++) {
		struct sched_note *note = &area.notes[i];
		fuzz_take(&input, note, sizeof(*note));
		if (flags & 4)
			note->file = LAYOUT_DIRECT_MAP + fuzz_address(&input);
	}
	struct view_file view;
	struct code_piece piece = {ARENA, fuzz_number(&input, 2)};
	fuzz_take(&input, &view, sizeof(view));
	if (flags & 8) {
		view.pieces = LAYOUT_DIRECT_MAP + ARENA + 0x8000;
		view.piece_count = 1;
	}
	fuzz_fill(&input);
	guest_memory_write(&memory, gpa(ARENA), &view, sizeof(view));
	guest_memory_write(&memory, gpa(ARENA + 0x8000), &piece, sizeof(piece));
	if (!shared_notes_take(notes, &area, &memory, &error)) {
		size_t count = shared_notes_write(notes, to);
		fflush(to);
		read_list(text, bytes, count);
	}
	fclose(to);
	free(text);
	shared_notes_destroy(notes);
	return 0;
}
