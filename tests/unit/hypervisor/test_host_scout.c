/* SPDX-License-Identifier: MIT */
/* What is read ahead of a walk: who takes it gets what a request would read, and nothing that has become old or was
 * changed. That runs with and without it are the same is host/walk's. */
#include "tests/unit/hypervisor/host_files_fixture.h"

#include "base/beside.h"
#include "hostfs/scout/host_scout.h"

#define LIFE_NS (1UL << 60)

static struct host_scout scout;

/* Also where there is one processor. */
bool beside_has_processor(void)
{
	return true;
}

bool beside_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
	return !pthread_create(thread, NULL, function, argument);
}

static int begin_tree(void **state)
{
	if (set_up(state))
		return -1;
	mkdir(at("dir/sub"), 0755);
	put("dir/sub/a", "first");
	put("dir/sub/b", "second");
	put("dir/z", "last");
	host_scout_init(&scout, LIFE_NS);
	files.scout = &scout;
	return 0;
}

static int end(void **state)
{
	files.scout = NULL;
	host_scout_fini(&scout);
	return tear_down(state);
}

/* Reads ahead from behind an object. */
static void go_from(const char *path, bool is_in)
{
	static struct host_scout_walk walk;
	walk = (struct host_scout_walk){
		.tree = &trees[0], .looks = HOST_SCOUT_ALL_NAMES, .loads = true, .hashes = true, .is_in = is_in};
	strcpy(walk.at, path);
	host_scout_go(&scout, &walk);
}

static void test_order(void **state)
{
	(void)state;
	go_from("", true);
	struct host_scout_item *item = host_scout_take(&scout, &trees[0], "dir", false);
	assert_non_null(item);
	assert_int_equal(item->count, 3);
	assert_string_equal(item->text + item->names[1].text, "sub");
	assert_int_equal(host_scout_find_name(item, "z", 0), 2);
	assert_int_equal(host_scout_find_name(item, "none", 0), 3);
	assert_true(item->names[2].is_stamped);
	assert_int_equal(item->names[2].stamp.size, 4);
	host_scout_put(item);
	item = host_scout_peek(&scout, &trees[0], "dir/sub");
	host_scout_put(item);
	item = host_scout_take(&scout, &trees[0], "dir/sub/b", true); /* those before it are left out */
	assert_non_null(item);
	assert_memory_equal(item->data, "second", 6);
	host_scout_put(item);
	assert_null(host_scout_take(&scout, &trees[0], "dir/sub/a", true));
	item = host_scout_take(&scout, &trees[0], "dir/z", true);
	assert_non_null(item);
	host_scout_put(item);
}

/* Behind a file in a directory on the way, and in the directories above it. */
static void test_position(void **state)
{
	(void)state;
	go_from("dir/sub/a", false);
	struct host_scout_item *item = host_scout_take(&scout, &trees[0], "dir/sub/b", true);
	assert_non_null(item);
	host_scout_put(item);
	item = host_scout_take(&scout, &trees[0], "file", true);
	assert_non_null(item);
	assert_memory_equal(item->data, "contents", 8);
	host_scout_put(item);
	assert_null(host_scout_take(&scout, &trees[0], "none", true));
	while (host_scout_is_on(&scout)) /* misses end it */
		assert_null(host_scout_take(&scout, &trees[0], "none", true));
}

static void test_dropped(void **state)
{
	(void)state;
	go_from("dir/sub/a", false);
	host_scout_put(host_scout_peek(&scout, &trees[0], "dir/sub/b"));
	host_files_forget_scouted(&files);
	assert_null(host_scout_take(&scout, &trees[0], "dir/sub/b", true));
	assert_false(host_scout_is_on(&scout));
}

static void test_old(void **state)
{
	(void)state;
	scout.life_ns = 0;
	go_from("dir/sub/a", false);
	assert_null(host_scout_take(&scout, &trees[0], "dir/sub/b", true));
	assert_false(host_scout_is_on(&scout));
}

/* A file that was looked up, and changed before it was read ahead, ends the run; so does one that changes behind that.
 */
static void test_changed(void **state)
{
	(void)state;
	const struct host_file_piece piece = {DATA, 5};
	look(0, "dir");
	const uint32_t dir = (uint32_t)looked[0].handle;
	look(dir, "sub");
	look((uint32_t)looked[0].handle, "a");
	const uint32_t file = (uint32_t)looked[0].handle;
	usleep(20000); /* the times of files have a granularity */
	put("dir/sub/a", "FIRST");
	go_from("dir/sub", true);
	assert_true(load_at(file, &piece, 1, 0) < 0);
	assert_non_null(strstr(files.error.text, "changed during the run"));
}

/* A request takes what was read ahead, and a directory that it leaves and enters again. */
static void test_requests(void **state)
{
	(void)state;
	const struct host_file_piece piece = {DATA, 6};
	look(0, "dir");
	const uint32_t dir = (uint32_t)looked[0].handle;
	go_from("", true);
	assert_true(ask(HOST_FILE_LIST_LOOK, dir, "", BUFFER, BUFFER_BYTES, 0) == 3);
	assert_true(ask(HOST_FILE_LIST_LOOK, (uint32_t)look(dir, "sub"), "", BUFFER, BUFFER_BYTES, 0) == 2);
	look((uint32_t)look(dir, "sub"), "b");
	assert_int_equal(load_at((uint32_t)looked[0].handle, &piece, 1, 0), 0);
	assert_memory_equal(guest_memory_at(&memory, gpa(DATA), 6), "second", 6);
	assert_int_equal(look(dir, "none"), -ENOENT);
	expect_no_error();
	assert_int_equal(host_notes_check(&files.notes, &error), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_order, begin_tree, end),
	cmocka_unit_test_setup_teardown(test_position, begin_tree, end),
	cmocka_unit_test_setup_teardown(test_dropped, begin_tree, end),
	cmocka_unit_test_setup_teardown(test_old, begin_tree, end),
	cmocka_unit_test_setup_teardown(test_changed, begin_tree, end),
	cmocka_unit_test_setup_teardown(test_requests, begin_tree, end),
};

TAP_MAIN(tests)
