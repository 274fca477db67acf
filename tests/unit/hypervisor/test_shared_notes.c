/* SPDX-License-Identifier: MIT */
/* Noted accesses: which instructions are listed as those of shared memory, and guests that note what cannot be. */
#include "sched/shared_notes.h"

#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "abi/code.h"
#include "abi/linux_view.h"
#include "abi/sched_area.h"
#include "base/error.h"
#include "code/code_shared.h"

#define VIEW 0x400000UL
#define PIECES 0x401000UL
#define CONTENT 0x402000UL
#define CONTENT_BYTES 100UL

static struct guest_memory memory;
static struct sched_area *area;
static struct shared_notes *notes;
static struct error error;
static char *text;
static size_t bytes;

static int set_up(void **state)
{
	(void)state;
	area = calloc(1, sizeof(*area));
	if (!area || guest_memory_init(&memory, LAYOUT_RAM_MIN))
		return -1;
	const struct code_piece pieces[] = {{CONTENT, CONTENT_BYTES}, {CODE_HOLE, 50}};
	const struct view_file view = {.pieces = LAYOUT_DIRECT_MAP + PIECES, .piece_count = 2, .path = "/a\nprogram"};
	memset(guest_memory_at(&memory, gpa(CONTENT), CONTENT_BYTES), 'x', CONTENT_BYTES);
	guest_memory_write(&memory, gpa(VIEW), &view, sizeof(view));
	return guest_memory_write(&memory, gpa(PIECES), pieces, sizeof(pieces));
}

static int tear_down(void **state)
{
	(void)state;
	shared_notes_destroy(notes);
	free(area);
	free(text);
	guest_memory_fini(&memory);
	return 0;
}

static void begin(void)
{
	shared_notes_destroy(notes);
	notes = shared_notes_create();
	assert_non_null(notes);
	area->notes_at = 0;
}

static void note(uint32_t offset, uint64_t object, uint32_t thread, uint8_t kind)
{
	area->notes[area->notes_at++] = (struct sched_note){.object = object,
	                                                    .file = LAYOUT_DIRECT_MAP + VIEW,
	                                                    .offset = offset,
	                                                    .thread = thread,
	                                                    .process = 1,
	                                                    .kind = kind,
	                                                    .bytes = 4};
}

/* Takes the notes and writes the list. Returns the number of instructions. */
static size_t list(void)
{
	assert_int_equal(shared_notes_take(notes, area, &memory, &error), 0);
	assert_int_equal(area->notes_at, 0);
	free(text);
	FILE *to = open_memstream(&text, &bytes);
	size_t count = shared_notes_write(notes, to);
	fclose(to);
	return count;
}

static void test_list(void **state)
{
	uint8_t content[CONTENT_BYTES + 50] = {0};
	struct code_shared shared;
	(void)state;
	memset(content, 'x', CONTENT_BYTES);
	const struct code_content expected = code_shared_content(content, sizeof(content));
	begin();
	note(0x20, 0x1000, 1, CODE_LOAD);
	note(0x10, 0x1004, 2, CODE_STORE); /* the same eight bytes */
	note(0x30, 0x2000, 1, CODE_STORE); /* of thread 1 alone */
	note(0x40, 0x3000, 1, CODE_LOAD);  /* nobody stores */
	note(0x50, 0x3000, 2, CODE_LOAD);
	assert_int_equal(list(), 2);
	assert_non_null(strstr(text, "# /a?program\n"));
	assert_non_null(strstr(text, " 0x10 store\n"));
	assert_non_null(strstr(text, " 0x20 load\n"));
	FILE *from = fmemopen(text, bytes, "r");
	assert_int_equal(code_shared_read(&shared, from, "list", &error), 0);
	fclose(from);
	assert_int_equal(shared.count, 2);
	assert_memory_equal(&shared.at[0].content, &expected, sizeof(expected));
	assert_int_equal(shared.at[0].offset, 0x10);
	assert_int_equal(shared.at[1].offset, 0x20);
	code_shared_fini(&shared);
	/* Later notes add to earlier ones. */
	note(0x60, 0x2000, 2, CODE_LOAD);
	assert_int_equal(list(), 4);
}

static void flag(uint8_t flags)
{
	area->notes[area->notes_at - 1].flags = flags;
}

/* A thread makes another one, or wakes it. */
static void other(uint8_t kind, uint32_t thread, uint32_t which)
{
	area->notes[area->notes_at++] = (struct sched_note){.thread = thread, .offset = which, .kind = kind};
}

static void end_thread(uint32_t thread)
{
	area->notes[area->notes_at++] = (struct sched_note){.thread = thread, .kind = SCHED_NOTE_END};
}

/* Memory that a thread leaves at its end is not shared with a thread that comes after the end in every schedule, unless
 * it is a variable of the program or was used by a thread that lives. A thread that merely came later shares it. */
static void test_ends(void **state)
{
	(void)state;
	begin();
	note(0x10, 0x1000, 2, CODE_STORE);
	end_thread(2);
	other(SCHED_NOTE_WAKES, 2, 1); /* which waits for the end */
	note(0x20, 0x1000, 1, CODE_LOAD);
	assert_int_equal(list(), 0);
	begin();
	note(0x10, 0x1000, 2, CODE_STORE);
	end_thread(2);
	note(0x10, 0x1000, 3, CODE_STORE);
	assert_int_equal(list(), 1);
	begin();
	note(0x10, 0x1000, 2, CODE_STORE);
	end_thread(2);
	other(SCHED_NOTE_WAKES, 2, 1);
	other(SCHED_NOTE_MADE, 1, 3);
	other(SCHED_NOTE_MADE, 1, 4);
	note(0x10, 0x1000, 3, CODE_STORE);
	note(0x20, 0x1000, 3, CODE_LOAD);
	assert_int_equal(list(), 0);
	note(0x30, 0x1000, 4, CODE_LOAD);
	assert_int_equal(list(), 3);
	begin();
	note(0x10, 0x1000, 2, CODE_STORE);
	flag(SCHED_NOTE_STATIC);
	end_thread(2);
	note(0x20, 0x1000, 3, CODE_LOAD);
	flag(SCHED_NOTE_STATIC);
	assert_int_equal(list(), 2);
	begin();
	note(0x10, 0x1000, 2, CODE_STORE);
	end_thread(UINT32_MAX);
	note(0x20, 0x1000, 3, CODE_LOAD);
	assert_int_equal(list(), 2);
	assert_non_null(strstr(text, "1 accesses were left out"));
}

/* A race on two words stays if one of them is later accessed by a locked instruction, whichever comes last. */
static void test_race_beside_atomic(void **state)
{
	(void)state;
	for (unsigned last = 0; last < 2; last++) {
		size_t count;
		begin();
		other(SCHED_NOTE_MADE, 1, 2);
		other(SCHED_NOTE_MADE, 1, 3);
		for (unsigned i = 0; i < 2; i++) {
			const uint64_t object = i == last ? 0x1000 : 0x2000;
			note(0x10, object, 2, CODE_STORE);
			note(0x20, object, 3, CODE_LOAD);
		}
		note(0x30, 0x1000, 2, CODE_ATOMIC);
		list();
		struct shared_race *races = shared_notes_races(notes, false, &count);
		assert_int_equal(count, 1);
		assert_int_equal(races[0].race.orders, 1);
		free(races);
	}
}

/* What is done before the second thread is made is no access that others meet, but shows whose the memory is. */
static void test_alone(void **state)
{
	(void)state;
	begin();
	note(0x10, 0x1000, 1, CODE_STORE);
	flag(SCHED_NOTE_ALONE);
	note(0x20, 0x1000, 2, CODE_LOAD);
	note(0x30, 0x1000, 3, CODE_LOAD);
	assert_int_equal(list(), 0);
	begin();
	note(0x10, 0x1000, 1, CODE_STORE);
	flag(SCHED_NOTE_ALONE);
	note(0x20, 0x1000, 2, CODE_STORE);
	end_thread(2);
	note(0x30, 0x1000, 3, CODE_LOAD);
	assert_int_equal(list(), 2);
	assert_null(strstr(text, " 0x10 "));
}

static void test_borders(void **state)
{
	(void)state;
	begin();
	note(0x10, 0x1006, 1, CODE_UPDATE); /* four bytes across two granules */
	note(0x20, 0x1008, 2, CODE_LOAD);
	assert_int_equal(list(), 2);
	begin();
	note(0x10, 0x1000, 1, CODE_STORE);
	note(0x20, 0x1000, 2, CODE_STORE);
	area->notes[1].process = 2; /* other memory at the same address */
	assert_int_equal(list(), 0);
}

static void test_many(void **state)
{
	(void)state;
	begin();
	for (unsigned round = 0; round < 4; round++) {
		for (uint32_t i = 0; i < SCHED_NOTES; i++)
			note(i, 8UL * i, 1 + round % 2, CODE_STORE);
		assert_int_equal(shared_notes_take(notes, area, &memory, &error), 0);
	}
	assert_int_equal(list(), SCHED_NOTES);
	assert_null(strstr(text, "left out"));
	for (unsigned round = 1; round < 12; round++) { /* more than there is room for */
		for (uint32_t i = 0; i < SCHED_NOTES; i++)
			note(i, 8UL * (i + round * SCHED_NOTES), 1, CODE_STORE);
		assert_int_equal(shared_notes_take(notes, area, &memory, &error), 0);
	}
	assert_int_equal(list(), SCHED_NOTES);
	assert_non_null(strstr(text, "accesses were left out"));
}

/* The tables are keyed by a secret of their own, of which the list shows nothing. */
static void test_same_list(void **state)
{
	char *before = NULL;
	(void)state;
	for (unsigned round = 0; round < 2; round++) {
		begin();
		for (uint32_t i = 0; i < 5000; i++) /* in no order, and two of three granules by two threads */
			note(i * 7919 % 5000, 0x1000 + 8UL * (i / 3), 1 + i % 2, CODE_STORE);
		assert_true(list() > 3000);
		if (before)
			assert_string_equal(text, before);
		free(before);
		before = strdup(text);
		assert_non_null(before);
	}
	free(before);
}

static void test_hostile(void **state)
{
	(void)state;
	begin();
	area->notes_at = SCHED_NOTES + 1;
	assert_int_equal(shared_notes_take(notes, area, &memory, &error), -EPROTO);
	assert_non_null(strstr(error.text, "there is room for 131072"));
	begin();
	static const uint64_t files[] = {0, VIEW, LAYOUT_DIRECT_MAP + UINT32_MAX, UINT64_MAX,
	                                 LAYOUT_DIRECT_MAP + PIECES};
	for (unsigned i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		note(0x10, UINT64_MAX - 1, 1, CODE_STORE);
		area->notes[area->notes_at - 1].file = files[i];
		note(0x20, UINT64_MAX - 1, 2, 0xff);
		area->notes[area->notes_at - 1].file = files[i];
	}
	assert_int_equal(list(), 0);
	assert_non_null(strstr(text, "10 accesses were left out"));
	/* Pieces that are outside memory, or endless. */
	struct code_piece *pieces = guest_memory_at(&memory, gpa(PIECES), 32);
	for (unsigned i = 0; i < 2; i++) {
		begin();
		pieces[0] = (struct code_piece){i ? CODE_HOLE : UINT64_MAX - 10, i ? UINT64_MAX : 100};
		note(0x10, 0x1000, 1, CODE_STORE);
		note(0x20, 0x1000, 2, CODE_STORE);
		assert_int_equal(list(), 0);
	}
	pieces[0] = (struct code_piece){CONTENT, CONTENT_BYTES};
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list),      cmocka_unit_test(test_ends),
		cmocka_unit_test(test_alone),     cmocka_unit_test(test_race_beside_atomic),
		cmocka_unit_test(test_borders),   cmocka_unit_test(test_many),
		cmocka_unit_test(test_same_list), cmocka_unit_test(test_hostile),
	};
	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
