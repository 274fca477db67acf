/* SPDX-License-Identifier: MIT */
/* The table of names of an image: what is written is found again, listed in order, and read line by line; a damaged
 * line is refused or not found. */
#include "tests/unit/fakes/tap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "eri/eri_names.h"

static struct eri_names names;
static struct error error;

/* Puts a table into memory of exactly its size, so that a sanitizer sees what is read behind it. */
static void set(const char *text, size_t bytes)
{
	free((char *)names.text);
	names.text = NULL;
	char *copy = malloc(bytes ? bytes : 1);
	memcpy(copy, text, bytes);
	int result = eri_names_open(&names, copy, bytes, &error);
	assert_int_equal(result, 0);
	assert_ptr_equal(names.text, copy);
}

/* A table with these lines behind the first one. */
static void set_lines(const char *lines)
{
	char *text;
	int bytes = asprintf(&text, "%s%s", ERI_NAMES_FIRST, lines);
	set(text, (size_t)bytes);
	free(text);
}

static int tear_down(void **state)
{
	(void)state;
	free((char *)names.text);
	names = (struct eri_names){0};
	return 0;
}

/* --- writing --- */

static FILE *to;
static char *written;
static size_t written_bytes;

static void begin(void)
{
	to = open_memstream(&written, &written_bytes);
	assert_non_null(to);
}

static void add(unsigned tree, const char *path, enum eri_kind kind, uint32_t mode)
{
	const struct eri_name name = {.kind = kind, .mode = mode};
	eri_names_write(to, tree, path, &name, NULL, NULL);
}

/* Sorts what was written, and opens it. */
static void end(void)
{
	fclose(to);
	assert_int_equal(eri_names_sort(written, written_bytes), 0);
	set_lines(written);
	free(written);
}

static int find(unsigned tree, const char *path)
{
	struct eri_name found;
	int result = eri_names_find(&names, tree, path, &found);
	return result ? result : (int)found.kind;
}

/* The names of a directory, each with a space behind it. */
static const char *list(unsigned tree, const char *dir)
{
	static char text[2000];
	char name[NAME_MAX + 1];
	struct eri_name found;
	size_t at = 0, used = 0;
	int more;
	while ((more = eri_names_next(&names, tree, dir, &at, &found)) > 0) {
		assert_true(eri_names_text(found.name, found.name_bytes, name, sizeof(name)) > 0);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s ", name);
	}
	text[used] = 0;
	assert_int_equal(more, 0);
	return text;
}

static void test_attributes(void **state)
{
	struct eri_name name = {
		.kind = ERI_FILE, .mode = S_IFREG | 04751, .size = 1UL << 40, .mtime_ns = -5, .has_hash = true};
	struct eri_name found, link = {.kind = ERI_LINK, .mode = S_IFLNK | 0777};
	char text[100];
	(void)state;
	for (unsigned i = 0; i < DIGEST_BYTES; i++)
		name.hash[i] = (uint8_t)(i * 9);
	begin();
	add(0, "", ERI_DIRECTORY, S_IFDIR | 01777);
	eri_names_write(to, 0, "f", &name, NULL, NULL);
	eri_names_write(to, 0, "l", &link, "../a\tb\\c\nd", NULL);
	end();
	assert_int_equal(eri_names_find(&names, 0, "f", &found), 0);
	assert_int_equal(found.kind, ERI_FILE);
	assert_int_equal(found.mode, S_IFREG | 04751);
	assert_int_equal(found.size, 1UL << 40);
	assert_int_equal(found.mtime_ns, -5);
	assert_true(found.has_hash);
	assert_memory_equal(found.hash, name.hash, DIGEST_BYTES);
	assert_int_equal(found.detail_bytes, 0);
	assert_memory_equal(found.name, "f", found.name_bytes);
	assert_int_equal(eri_names_find(&names, 0, "l", &link), 0);
	assert_false(link.has_hash);
	assert_int_not_equal(link.at, found.at);
	assert_int_equal(eri_names_text(link.detail, link.detail_bytes, text, sizeof(text)), 10);
	assert_string_equal(text, "../a\tb\\c\nd");
	assert_int_equal(eri_names_find(&names, 0, "", &found), 0);
	assert_int_equal(found.mode, S_IFDIR | 01777);
	assert_int_equal(found.name_bytes, 0);
}

/* Names sort by their bytes, with a name before those that it begins; directories do not mix. */
static void test_order(void **state)
{
	static const char *const paths[] = {"b",    "a/b", "a",    "",     "a-", "a/a", "a/a/x",
	                                    "a-/b", "B",   "\377", "a/ab", " ",  "ab"};
	(void)state;
	begin();
	for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		add(0, paths[i], ERI_DIRECTORY, S_IFDIR | 0755);
	add(1, "", ERI_DIRECTORY, S_IFDIR | 0755);
	add(1, "c", ERI_SEEN, S_IFREG | 0644);
	add(99, "d", ERI_SEEN, S_IFREG | 0644);
	end();
	for (unsigned i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		assert_int_equal(find(0, paths[i]), ERI_DIRECTORY);
	assert_string_equal(list(0, ""), "  B a a- ab b \377 ");
	assert_string_equal(list(0, "a"), "a ab b ");
	assert_string_equal(list(0, "a/a"), "x ");
	assert_string_equal(list(0, "a-"), "b ");
	assert_string_equal(list(0, "a/b"), "");
	assert_string_equal(list(0, "none"), "");
	assert_string_equal(list(1, ""), "c ");
	assert_string_equal(list(99, ""), "d ");
	assert_string_equal(list(98, ""), "");
	assert_int_equal(find(0, "c"), -ENOENT);
	assert_int_equal(find(2, ""), -ENOENT);
	assert_int_equal(find(1, "c"), ERI_SEEN);
	assert_int_equal(find(99, "d"), ERI_SEEN);
	/* before the first line, between lines, behind the last one */
	assert_int_equal(find(0, "\1"), -ENOENT);
	assert_int_equal(find(0, "aa"), -ENOENT);
	assert_int_equal(find(0, "a/"), -ENOENT);
	assert_int_equal(find(99, "e"), -ENOENT);
	assert_int_equal(find(99, ""), -ENOENT);
}

static void test_escapes(void **state)
{
	static const char *const odd[] = {"\t",    "\n", "\\", "a\tb", "a\nb",     "a\\b", "a\\tb",
	                                  "a\\nb", "t",  "n",  "\\\\", "\303\244", " "};
	char text[8], path[PATH_MAX];
	struct eri_name found;
	size_t at = 0;
	unsigned tree, count = 0;
	(void)state;
	begin();
	for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		char below[40];
		add(0, odd[i], ERI_DIRECTORY, S_IFDIR | 0755);
		snprintf(below, sizeof(below), "%s/%s", odd[i], odd[i]);
		add(0, below, ERI_SEEN, S_IFREG | 0644);
	}
	end();
	for (unsigned i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", odd[i], odd[i]);
		assert_int_equal(find(0, odd[i]), ERI_DIRECTORY);
		assert_int_equal(find(0, path), ERI_SEEN);
		snprintf(path, sizeof(path), "%s ", odd[i]);
		assert_string_equal(list(0, odd[i]), path);
	}
	while (eri_names_line(&names, &at, &tree, path, &found) > 0)
		count += found.kind == (strchr(path, '/') ? ERI_SEEN : ERI_DIRECTORY) &&
		         find(tree, path) == (int)found.kind;
	assert_int_equal(count, 2 * sizeof(odd) / sizeof(odd[0]));
	assert_int_equal(eri_names_text("a\\", 2, text, sizeof(text)), -EUCLEAN);
	assert_int_equal(eri_names_text("a\\x", 3, text, sizeof(text)), -EUCLEAN);
	assert_int_equal(eri_names_text("a\\\0", 3, text, sizeof(text)), -EUCLEAN);
	assert_int_equal(eri_names_text("a\0b", 3, text, sizeof(text)), -EUCLEAN);
	assert_int_equal(eri_names_text("1234567", 7, text, sizeof(text)), 7);
	assert_int_equal(eri_names_text("12345678", 8, text, sizeof(text)), -EUCLEAN);
	assert_int_equal(eri_names_text("", 0, text, sizeof(text)), 0);
	assert_string_equal(text, "");
}

/* The longest names and paths of Linux, also of bytes that have an escape. */
static void test_long(void **state)
{
	char name[NAME_MAX + 1], path[PATH_MAX], read[PATH_MAX];
	struct eri_name found;
	size_t used = 0, at = 0;
	unsigned tree;
	(void)state;
	memset(name, '\\', NAME_MAX);
	name[NAME_MAX] = 0;
	while (used + 1 + NAME_MAX < sizeof(path))
		used += (size_t)snprintf(path + used, sizeof(path) - used, "%s%s", used ? "/" : "", name);
	if (used + 2 < sizeof(path)) {
		memset(path + used, 'x', sizeof(path) - 1 - used);
		path[used] = '/';
	}
	path[sizeof(path) - 1] = 0;
	begin();
	add(0, path, ERI_SEEN, S_IFREG | 0644);
	end();
	assert_int_equal(find(0, path), ERI_SEEN);
	assert_int_equal(eri_names_line(&names, &at, &tree, read, &found), 1);
	assert_string_equal(read, path);
	char *slash = strrchr(path, '/');
	*slash = 0;
	assert_int_equal(strlen(list(0, path)), strlen(slash + 1) + 1);
	assert_int_equal(find(0, path), -ENOENT);
}

static void test_many(void **state)
{
	char path[40];
	(void)state;
	begin();
	for (unsigned i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "d%u/f%u", i % 7, i * 7919 % 5000);
		add(i % 3, path, ERI_SEEN, S_IFREG | 0644);
	}
	end();
	for (unsigned i = 0; i < 5000; i++) {
		snprintf(path, sizeof(path), "d%u/f%u", i % 7, i * 7919 % 5000);
		assert_int_equal(find(i % 3, path), ERI_SEEN);
		assert_int_equal(find((i + 1) % 3, path), -ENOENT);
		strcat(path, "0");
		assert_true(find(i % 3, path) == -ENOENT || i * 7919 % 5000 < 500);
	}
}

/* --- damage --- */

static void test_open(void **state)
{
	struct eri_names other;
	(void)state;
	assert_int_equal(eri_names_open(&other, "", 0, &error), -EUCLEAN);
	assert_string_equal(error.text, "its table of names does not begin with 'eremite names 1'");
	assert_int_equal(eri_names_open(&other, "eremite names 2\n", 16, &error), -EUCLEAN);
	assert_int_equal(eri_names_open(&other, "eremite names 1", 15, &error), -EUCLEAN);
	assert_int_equal(eri_names_open(&other, "eremite names 1\n00\t\t\tdir\t40755\t0\t0\t-\t", 35, &error),
	                 -EUCLEAN);
	assert_string_equal(error.text, "its table of names is cut off");
	set_lines("");
	assert_int_equal(find(0, ""), -ENOENT);
	assert_string_equal(list(0, ""), "");
}

#define LINE(kind, mode, size, mtime, hash) "00\t\tx\t" kind "\t" mode "\t" size "\t" mtime "\t" hash "\t\n"
#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* A line with a field that is not as the header says is damaged for all who read it. */
static void test_fields(void **state)
{
	static const char *const damaged[] = {
		LINE("", "100644", "1", "0", "-"),
		LINE("files", "100644", "1", "0", "-"),
		LINE("file", "", "1", "0", "-"),
		LINE("file", "100648", "1", "0", "-"),
		LINE("file", "-100644", "1", "0", "-"),
		LINE("file", "1100644", "1", "0", "-"),
		LINE("file", " 100644", "1", "0", "-"),
		LINE("file", "100644 ", "1", "0", "-"),
		LINE("file", "100644", "", "0", "-"),
		LINE("file", "100644", "-1", "0", "-"),
		LINE("file", "100644", "+1", "0", "-"),
		LINE("file", "100644", "\v1", "0", "-"),
		LINE("file", "100644", "0x1", "0", "-"),
		LINE("file", "100644", "9223372036854775808", "0", "-"),
		LINE("file", "100644", "99999999999999999999999999", "0", "-"),
		LINE("file", "100644", "1", "", "-"),
		LINE("file", "100644", "1", "--1", "-"),
		LINE("file", "100644", "1", "- 1", "-"),
		LINE("file", "100644", "1", "9223372036854775808", "-"),
		LINE("file", "100644", "1", "-9223372036854775809", "-"),
		LINE("file", "100644", "1", "0", ""),
		LINE("file", "100644", "1", "0", "--"),
		LINE("file", "100644", "1", "0", "01"),
		LINE("file", "100644", "1", "0", HASH "0"),
		LINE("file", "100644", "1", "0", "A123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
		"00\t\tx\tfile\t100644\t1\t0\t-\n",
		"00\t\tx\n",
		/* kinds that claim another type */
		LINE("dir", "100644", "0", "0", "-"),
		LINE("part", "100644", "0", "0", "-"),
		LINE("closed", "120777", "0", "0", "-"),
		LINE("shut", "20644", "0", "0", "-"),
		LINE("file", "40755", "1", "0", "-"),
		LINE("stored", "120777", "1", "0", "-"),
		LINE("external", "60644", "1", "0", "-"),
		LINE("seen", "644", "1", "0", "-"),
		LINE("denied", "10644", "1", "0", "-"),
		LINE("link", "100644", "1", "0", "-"),
	};
	static const char *const sound[] = {
		LINE("none", "0", "0", "0", "-"),
		LINE("file", "100644", "9223372036854775807", "9223372036854775807", "-"),
		LINE("seen", "107777", "0", "-9223372036854775808", HASH),
		LINE("dir", "0040755", "007", "-0", "-"),
	};
	struct eri_name found;
	char path[PATH_MAX];
	unsigned tree;
	(void)state;
	for (unsigned i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		size_t at = 0, line = 0;
		set_lines(damaged[i]);
		int result = eri_names_find(&names, 0, "x", &found);
		if (result != -EUCLEAN)
			fail_msg("%d: %s", result, damaged[i]);
		assert_int_equal(eri_names_next(&names, 0, "", &at, &found), -EUCLEAN);
		assert_int_equal(eri_names_line(&names, &line, &tree, path, &found), -EUCLEAN);
	}
	for (unsigned i = 0; i < sizeof(sound) / sizeof(sound[0]); i++) {
		size_t at = 0, line = 0;
		set_lines(sound[i]);
		assert_int_equal(eri_names_find(&names, 0, "x", &found), 0);
		assert_int_equal(eri_names_next(&names, 0, "", &at, &found), 1);
		assert_int_equal(eri_names_next(&names, 0, "", &at, &found), 0);
		assert_int_equal(eri_names_line(&names, &line, &tree, path, &found), 1);
		assert_int_equal(eri_names_line(&names, &line, &tree, path, &found), 0);
	}
}

#define REST "\tseen\t100644\t1\t0\t-\t\n"

/* Keys that are no path. */
static void test_keys(void **state)
{
	static const char *const damaged[] = {
		"0\t\tx" REST,    "000\t\tx" REST,    "1 \t\tx" REST,      "-1\t\tx" REST,     "ab\t\tx" REST,
		"\t\tx" REST,     "00\t\t." REST,     "00\t\t.." REST,     "00\t\tx/y" REST,   "00\t\t/" REST,
		"00\t..\tx" REST, "00\ta/..\tx" REST, "00\ta/./b\tx" REST, "00\ta//b\tx" REST, "00\t/a\tx" REST,
		"00\ta/\tx" REST, "00\ta\t" REST,     "00\t\t\\x" REST,    "00\t\\\tx" REST,
	};
	struct eri_name found;
	char path[PATH_MAX];
	unsigned tree;
	(void)state;
	for (unsigned i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
		size_t at = 0;
		set_lines(damaged[i]);
		if (eri_names_line(&names, &at, &tree, path, &found) != -EUCLEAN)
			fail_msg("%s", damaged[i]);
	}
	static const char *const dots[] = {"00\t\t." REST, "00\t\t.." REST, "00\t\tx/y" REST};
	for (unsigned i = 0; i < sizeof(dots) / sizeof(dots[0]); i++) {
		size_t at = 0;
		set_lines(dots[i]);
		assert_int_equal(eri_names_next(&names, 0, "", &at, &found), -EUCLEAN);
	}
	set_lines("00\t\t..." REST);
	assert_int_equal(find(0, "..."), ERI_SEEN);
	char line[NAME_MAX + 80];
	snprintf(line, sizeof(line), "00\t\t%0*d%s", NAME_MAX + 1, 0, REST);
	set_lines(line);
	size_t at = 0;
	assert_int_equal(eri_names_line(&names, &at, &tree, path, &found), -EUCLEAN);
}

/* What is not in order is not found, and the search ends. */
static void test_unsorted(void **state)
{
	char text[400];
	(void)state;
	set_lines("00\t\tc" REST "00\t\tb" REST "00\t\ta" REST);
	for (const char *name = "abc"; *name; name++) {
		int result = find(0, (char[]){*name, 0});
		assert_true(result == ERI_SEEN || result == -ENOENT);
	}
	set_lines("00\t\ta" REST "00\t\ta" REST "00\t\ta" REST);
	assert_int_equal(find(0, "a"), ERI_SEEN);
	set_lines("\n\n\n\n");
	assert_int_equal(find(0, "a"), -EUCLEAN);
	/* each byte of a table changed to each of some others: no search reads outside */
	static const char sound[] = "00\t\t\tdir\t40755\t0\t0\t-\t\n00\t\ta" REST "00\td\tb" REST "01\t\t" REST;
	for (size_t i = 0; i + 2 < sizeof(sound); i++)
		for (const char *byte = "\t\n\\0/.z\377"; *byte; byte++) {
			struct eri_name found;
			char path[PATH_MAX];
			unsigned tree;
			size_t at = 0, next = 0;
			strcpy(text, sound);
			text[i] = *byte;
			set_lines(text);
			find(0, "a");
			find(0, "d/b");
			find(1, "");
			while (eri_names_line(&names, &at, &tree, path, &found) > 0)
				assert_true(strlen(path) < sizeof(path));
			while (eri_names_next(&names, 0, "d", &next, &found) > 0)
				assert_true(found.name_bytes > 0);
		}
}

/* --- bytecode --- */

static int bytecode_of(const char *detail, struct eri_bytecode *bytecode)
{
	char *copy = strdup(detail);
	const struct eri_name name = {.kind = ERI_FILE, .detail = copy, .detail_bytes = strlen(detail)};
	int result = eri_names_bytecode(&name, bytecode);
	free(copy);
	return result;
}

static void test_bytecode(void **state)
{
	static struct eri_bytecode bytecode, read;
	struct eri_name name = {.kind = ERI_FILE, .mode = S_IFREG | 0644}, found;
	(void)state;
	for (unsigned i = 0; i < sizeof(bytecode.header); i++)
		bytecode.header[i] = (uint8_t)(255 - i);
	strcpy(bytecode.dir, "lib/a\tb\\");
	strcpy(bytecode.name, "__pycache__/m\n.pyc");
	begin();
	eri_names_write(to, 0, "m.py", &name, NULL, &bytecode);
	end();
	assert_int_equal(eri_names_find(&names, 0, "m.py", &found), 0);
	assert_int_equal(eri_names_bytecode(&found, &read), 1);
	assert_memory_equal(read.header, bytecode.header, sizeof(read.header));
	assert_string_equal(read.dir, bytecode.dir);
	assert_string_equal(read.name, bytecode.name);
#define HEADER "000102030405060708090a0b0c0d0e0f"
	assert_int_equal(bytecode_of("", &read), 0);
	assert_int_equal(bytecode_of(HEADER "\td\tn", &read), 1);
	assert_int_equal(bytecode_of(HEADER "\t\t", &read), 1);
	assert_int_equal(bytecode_of(HEADER "\td", &read), -EUCLEAN);
	assert_int_equal(bytecode_of(HEADER "0\td\tn", &read), -EUCLEAN);
	assert_int_equal(bytecode_of(HEADER, &read), -EUCLEAN);
	assert_int_equal(bytecode_of("0", &read), -EUCLEAN);
	assert_int_equal(bytecode_of("0001020304050607\t8090a0b0c0d0e0f\td\tn", &read), -EUCLEAN);
	assert_int_equal(bytecode_of(HEADER "\td\\\tn", &read), -EUCLEAN);
	char *longest;
	assert_true(asprintf(&longest, HEADER "\td\t%0*d", NAME_MAX + 16, 0) > 0);
	assert_int_equal(bytecode_of(longest, &read), -EUCLEAN);
	free(longest);
	/* a link's detail is its target */
	name = (struct eri_name){.kind = ERI_LINK, .detail = "x", .detail_bytes = 1};
	assert_int_equal(eri_names_bytecode(&name, &read), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_teardown(test_attributes, tear_down), cmocka_unit_test_teardown(test_order, tear_down),
	cmocka_unit_test_teardown(test_escapes, tear_down),    cmocka_unit_test_teardown(test_long, tear_down),
	cmocka_unit_test_teardown(test_many, tear_down),       cmocka_unit_test_teardown(test_open, tear_down),
	cmocka_unit_test_teardown(test_fields, tear_down),     cmocka_unit_test_teardown(test_keys, tear_down),
	cmocka_unit_test_teardown(test_unsorted, tear_down),   cmocka_unit_test_teardown(test_bytecode, tear_down),
};

TAP_MAIN(tests)
