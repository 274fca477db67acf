/* SPDX-License-Identifier: MIT */
/* Lists with attributes (HOST_FILE_LIST_LOOK), and files that are read in chunks. */
#include "hostfs/host_check.h"
#include "tests/unit/hypervisor/host_files_fixture.h"

#include "hostfs/tree/host_source.h"

/* One entry of HOST_FILE_LIST_LOOK at *from: its name and, if it is a link, its target. */
static struct host_file_looked take_listed(const uint8_t **from, char name[256], char target[256])
{
	struct host_file_looked entry;
	struct host_file_name head;
	memcpy(&entry, *from, sizeof(entry));
	memcpy(&head, *from + sizeof(entry), sizeof(head));
	*from += sizeof(entry) + sizeof(head);
	memcpy(name, *from, head.length);
	name[head.length] = 0;
	*from += head.length;
	bool is_link = entry.handle >= 0 && S_ISLNK(entry.attributes.mode);
	size_t bytes = is_link ? entry.attributes.size : 0;
	memcpy(target, *from, bytes);
	target[bytes] = 0;
	*from += bytes;
	return entry;
}

/* The attributes of all entries come with their names; the objects are then known. */
static void test_list_look(void **state)
{
	char name[256], target[256];
	(void)state;
	const uint8_t *from = guest_memory_at(&memory, gpa(BUFFER), BUFFER_BYTES);
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(ask(HOST_FILE_LIST_LOOK, 0, "", BUFFER, BUFFER_BYTES, 0), 3);
	struct host_file_looked entry = take_listed(&from, name, target);
	assert_string_equal(name, "dir");
	assert_int_equal(entry.handle, 3);
	assert_int_equal(entry.attributes.mode, S_IFDIR | 0750);
	entry = take_listed(&from, name, target);
	assert_string_equal(name, "file");
	assert_int_equal(entry.handle, 2);
	assert_int_equal(entry.attributes.size, 8);
	entry = take_listed(&from, name, target);
	assert_string_equal(name, "link");
	assert_int_equal(entry.handle, 4);
	assert_string_equal(target, "../dir/x");
	assert_int_equal(look(0, "dir"), 3);
	expect_no_error();
	assert_int_equal(ask(HOST_FILE_LIST_LOOK, 0, "", BUFFER, HOST_FILE_LISTED_BYTES - 1, 0), -EPROTO);
	expect_error("a buffer too small");
}

/* A buffer with room for some entries only: the next part goes on where this one ends. */
static void test_list_look_in_parts(void **state)
{
	char name[256], target[256], made[16];
	uint64_t seen = 0;
	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		snprintf(made, sizeof(made), "dir/%03u", i);
		assert_int_equal(symlink("anywhere", at(made)), 0);
	}
	int64_t dir = look(0, "dir");
	while (seen < 301) {
		const uint8_t *from = guest_memory_at(&memory, gpa(BUFFER), BUFFER_BYTES);
		int64_t count =
			ask(HOST_FILE_LIST_LOOK, (uint32_t)dir, "", BUFFER, HOST_FILE_LISTED_BYTES + 2000, seen);
		assert_true(count > 0 && count < 300);
		for (int64_t i = 0; i < count; i++, seen++) {
			struct host_file_looked entry = take_listed(&from, name, target);
			snprintf(made, sizeof(made), "%03lu", seen);
			assert_string_equal(name, seen < 300 ? made : "inner");
			assert_string_equal(target, seen < 300 ? "anywhere" : "");
			assert_int_equal(entry.handle, dir + 1 + (int64_t)seen);
		}
	}
	expect_no_error();
}

/* A large file is read in chunks of one size. Its hash is that of the whole, and a chunk that differs from what it was,
 * though the file's attributes are the same, ends the run. */
static void test_chunks(void **state)
{
	const uint64_t bytes = HOST_FILE_WHOLE_MAX + 5, last = bytes - HOST_FILE_WHOLE_MAX;
	const struct host_file_piece whole = {DATA, HOST_FILE_CHUNK_BYTES}, rest = {DATA, last};
	const struct host_file_piece halves[] = {{DATA, HOST_FILE_CHUNK_BYTES / 2}, {DATA, HOST_FILE_CHUNK_BYTES / 2}};
	char line[200], *text = calloc(1, bytes + 1);
	(void)state;
	assert_non_null(text);
	memset(text, 'a', bytes);
	put("large", text);
	assert_int_equal(look(0, "large"), 2);
	assert_int_equal(load_at(2, &whole, 1, 0), 0);
	assert_int_equal(load_at(2, &whole, 1, 0), 0);
	assert_int_equal(load_at(2, halves, 2, 2 * HOST_FILE_CHUNK_BYTES), 0);
	assert_int_equal(load_at(2, &rest, 1, HOST_FILE_WHOLE_MAX), 0);
	expect_no_error();
	assert_int_equal(host_chunks_finish(&files), 0);
	assert_int_equal(host_notes_check(&files.notes, &error), 0);
	assert_int_equal(host_files_check(&files), 0);
	FILE *to = tmpfile();
	uint8_t hash[DIGEST_BYTES];
	char wanted[DIGEST_TEXT_BYTES];
	struct digest_sum sum;
	digest_begin(&sum);
	digest_add(&sum, text, bytes);
	digest_end(&sum, hash);
	digest_text(hash, wanted);
	assert_int_equal(host_notes_write(&files.notes, to), 0);
	rewind(to);
	assert_non_null(fgets(line, sizeof(line), to));
	assert_memory_equal(line, strchr(wanted, ':') + 1, 64);
	fclose(to);
	free(text);
	const struct host_file_piece small = {DATA, 4096};
	assert_int_equal(load_at(2, &small, 1, 0), -EPROTO);
	expect_error("of another size than the file");
	assert_int_equal(load_at(2, &whole, 1, 4096), -EPROTO);
	expect_error("of another size than the file");
	assert_int_equal(load_at(2, &whole, 1, HOST_FILE_WHOLE_MAX), -EPROTO);
	expect_error("of another size than the file");
	assert_int_equal(load_at(2, &whole, 1, UINT64_MAX - HOST_FILE_CHUNK_BYTES + 1), -EPROTO);
	expect_error("of another size than the file");
	const struct host_source none = {.fd = -1};
	assert_int_equal(host_chunks_loaded(&files, 2, 1, (XXH128_hash_t){1, 2}, &none), 0);
	assert_int_equal(host_chunks_finish(&files), -ESTALE);
	expect_error("/data/large changed during the run");
	assert_int_equal(host_chunks_loaded(&files, 2, 1, (XXH128_hash_t){1, 3}, &none), -ESTALE);
	expect_error("/data/large changed during the run");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(test_list_look),
	TEST(test_list_look_in_parts),
	TEST(test_chunks),
};

TAP_MAIN(tests)
