/* SPDX-License-Identifier: MIT */
/* Times of Python sources from their bytecode: which file they are from, what is noted of it, and while somebody
 * changes it. */
#include "tests/unit/hypervisor/host_files_fixture.h"

#include "hostfs/host_check.h"

#define SOURCE "pass\n" /* of 5 bytes */
#define S 1000000000L

static int begin(void **state)
{
	int result = set_up(state);
	files.bytecode_times = true;
	put("m.py", SOURCE);
	return result;
}

/* Writes a file in the tree's __pycache__ that begins as bytecode does. */
static void put_words(const char *name, uint32_t flags, uint32_t time, uint32_t size, size_t bytes)
{
	char path[300];
	const uint32_t words[] = {0x0a0d0da7, flags, time, size, 0xe3};
	mkdir(at("__pycache__"), 0755);
	snprintf(path, sizeof(path), "__pycache__/%s", name);
	FILE *to = fopen(at(path), "w");
	assert_non_null(to);
	fwrite(words, 1, bytes, to);
	assert_int_equal(fclose(to), 0);
}

static void put_bytecode(const char *name, uint32_t time)
{
	put_words(name, 0, time, sizeof(SOURCE) - 1, 20);
}

/* Sets the time at which a file was written. */
static void write_at(const char *name, time_t seconds, long ns)
{
	const struct timespec times[2] = {{seconds, ns}, {seconds, ns}};
	assert_int_equal(utimensat(AT_FDCWD, at(name), times, 0), 0);
}

/* The time that a new run is told of a file. */
static int64_t time_of(const char *name)
{
	assert_int_equal(host_files_begin(&files), 0);
	assert_true(look(0, name) > 0);
	expect_no_error();
	return looked[0].attributes.mtime_ns;
}

static void test_choice(void **state)
{
	(void)state;
	assert_int_equal(time_of("m.py"), 0); /* there is no __pycache__ */
	put_bytecode("m.cpython-311.pyc", 7);
	write_at("m.py", 7, 0);
	assert_int_equal(time_of("m.py"), 7 * S);
	files.time_ns = 8 * S;
	put_bytecode("m.cpython-311.opt-1.pyc", 8); /* before .pyc, in byte order */
	assert_int_equal(time_of("m.py"), 8 * S);
	files.time_ns = 0;
	write_at("m.py", 9, 0);
	put_words("m.a.pyc", 0, 9, 6, 20); /* of another size, */
	put_words("m.b.pyc", 1, 9, 5, 20); /* valid by a hash, */
	put_words("m.c.pyc", 0, 9, 5, 15); /* or cut */
	/* Names that are not this source's. */
	put_bytecode("m.pyc", 9);
	put_bytecode("m.0.pyo", 9);
	put_bytecode("m0.0.pyc", 9);
	put_bytecode("M.0.pyc", 9);
	assert_int_equal(time_of("m.py"), 0);
	put_words("m.c.pyc", 0, 9, 5, 16);
	assert_int_equal(time_of("m.py"), 9 * S);
	assert_int_equal(unlink(at("__pycache__/m.c.pyc")), 0);
	assert_int_equal(time_of("m.py"), 0);
	put_bytecode("m..pyc", 9);
	assert_int_equal(time_of("m.py"), 9 * S);
	put("m.n.py", SOURCE);
	put("m", SOURCE);
	write_at("m.n.py", 3, 0);
	assert_int_equal(time_of("m.n.py"), 0);
	put_bytecode("m.n.x.pyc", 3);
	assert_int_equal(time_of("m.n.py"), 3 * S);
	assert_int_equal(time_of("m"), 0);
	assert_int_equal(time_of("__pycache__"), 0);
	files.bytecode_times = false;
	assert_int_equal(time_of("m.py"), 0);
}

/* Bytecode is of a source if it names the time at which that was written, or the time that the guest sees, and if the
 * source was not written after it. */
static void test_stale(void **state)
{
	(void)state;
	put_bytecode("m.x.pyc", 7);
	write_at("__pycache__/m.x.pyc", 7, 400);
	write_at("m.py", 7, 400);
	assert_int_equal(time_of("m.py"), 7 * S);
	write_at("m.py", 7, 401);
	assert_int_equal(time_of("m.py"), 0);
	write_at("m.py", 8, 0);
	assert_int_equal(time_of("m.py"), 0);
	write_at("m.py", 6, 0);
	assert_int_equal(time_of("m.py"), 0);
	files.time_ns = 7 * S + 1;
	write_at("__pycache__/m.x.pyc", 100, 0);
	for (time_t written = 98; written < 103; written++) {
		write_at("m.py", written, 0);
		assert_int_equal(time_of("m.py"), 7 * S + (written > 100));
	}
}

/* What is no regular file, and what may not be read, is as if it were not there. */
static void test_not_read(void **state)
{
	bool is_root = geteuid() == 0;
	int64_t time;
	(void)state;
	put_bytecode("elsewhere", 4);
	write_at("m.py", 4, 0);
	assert_int_equal(symlink("elsewhere", at("__pycache__/m.a.pyc")), 0);
	assert_int_equal(mkdir(at("__pycache__/m.b.pyc"), 0755), 0);
	assert_int_equal(mkfifo(at("__pycache__/m.c.pyc"), 0644), 0);
	put_bytecode("m.d.pyc", 4);
	assert_int_equal(chmod(at("__pycache__/m.d.pyc"), is_root ? 0600 : 0), 0);
	for (int is_there = 0; is_there < 2; is_there++) {
		if (is_there)
			put_bytecode("m.z.pyc", 4);
		assert_true(!is_root || !seteuid(65534));
		time = time_of("m.py");
		assert_true(!is_root || !seteuid(0));
		assert_int_equal(time, is_there * 4 * S);
	}
	assert_int_equal(chmod(at("__pycache__"), is_root ? 0700 : 0), 0);
	assert_true(!is_root || !seteuid(65534));
	time = time_of("m.py");
	assert_true(!is_root || !seteuid(0));
	assert_int_equal(time, 0);
	assert_int_equal(chmod(at("__pycache__"), 0755), 0);
	assert_int_equal(rename(at("__pycache__"), at("cache")), 0);
	assert_int_equal(symlink("cache", at("__pycache__")), 0);
	assert_int_equal(time_of("m.py"), 0);
}

/* The same however it is looked at, and as long as the run goes on. */
static void test_once(void **state)
{
	static const uint8_t name[] = {0, 4, 'm', '.', 'p', 'y'};
	(void)state;
	put_bytecode("m.x.pyc", 7);
	write_at("m.py", 7, 0);
	files.time_ns = 8 * S;
	assert_int_equal(time_of("m.py"), 7 * S);
	put_bytecode("m.a.pyc", 8);
	put_bytecode("m.x.pyc", 9);
	assert_int_equal(look(0, "m.py"), 2);
	assert_int_equal(looked[0].attributes.mtime_ns, 7 * S);
	assert_int_equal(guest_memory_write(&memory, gpa(BUFFER), name, sizeof(name)), 0);
	assert_int_equal(ask(HOST_FILE_LOOK_MANY, 0, "", BUFFER, sizeof(name), 1), 0);
	guest_memory_read(&memory, gpa(BUFFER), looked, sizeof(looked[0]));
	assert_int_equal(looked[0].handle, 2);
	assert_int_equal(looked[0].attributes.mtime_ns, 7 * S);
	/* What is found for an answer that nobody takes is forgotten with it. */
	host_bytecode_truncate(&files, 2);
	host_objects_truncate(&files.objects, 2);
	assert_int_equal(look(0, "m.py"), 2);
	assert_int_equal(looked[0].attributes.mtime_ns, 8 * S);
	expect_no_error();
}

/* A source that is reached by a link has its bytecode beside that. */
static void test_links(void **state)
{
	static const char *const targets[] = {
		"../file.py",  "/data/file.py", "..//./dir/../file.py", "../../../../data/file.py", "file.py",
		"../file.pyc", "/file.py",      "../none/file.py", /* the last four lead elsewhere */
	};
	(void)state;
	put("file.py", SOURCE);
	write_at("file.py", 7, 0);
	put_bytecode("name.x.pyc", 7);
	put_bytecode("other.x.pyc", 7);
	assert_int_equal(rename(at("__pycache__"), at("dir/__pycache__")), 0);
	assert_int_equal(symlink("inner", at("dir/other.py")), 0);
	for (unsigned i = 0; i < 8; i++) {
		unlink(at("dir/name.py"));
		assert_int_equal(symlink(targets[i], at("dir/name.py")), 0);
		assert_int_equal(host_files_begin(&files), 0);
		assert_int_equal(look_along(0, "dir/name.py"), 2);
		assert_int_equal(looked[1].attributes.size, strlen(targets[i]));
		assert_int_equal(look(0, "file.py"), 4);
		assert_int_equal(looked[0].attributes.mtime_ns, i < 4 ? 7 * S : 0);
		assert_int_equal(look_along(0, "dir/other.py"), 2); /* which is too late for it */
		assert_int_equal(look(0, "file.py"), 4);
		assert_int_equal(looked[0].attributes.mtime_ns, i < 4 ? 7 * S : 0);
		assert_int_equal(host_files_check(&files), i < 4 ? 0 : -ESTALE); /* as in the first run? */
		files.error.text[0] = 0;
	}
}

/* Bytecode beside the source comes first, and a link is none of its way once another one was looked at. */
static void test_which_link(void **state)
{
	(void)state;
	put_bytecode("name.x.pyc", 8);
	put_bytecode("other.x.pyc", 7);
	write_at("m.py", 7, 0);
	files.time_ns = 8 * S;
	assert_int_equal(symlink("m.py", at("name.py")) | symlink("m.py", at("other.py")), 0);
	assert_int_equal(time_of("name.py"), 8 * S);
	assert_int_equal(look(0, "other.py"), 3);
	assert_int_equal(look(0, "m.py"), 4);
	assert_int_equal(looked[0].attributes.mtime_ns, 7 * S);
	host_bytecode_truncate(&files, 3);
	host_objects_truncate(&files.objects, 3);
	assert_int_equal(look(0, "m.py"), 3);
	assert_int_equal(looked[0].attributes.mtime_ns, 8 * S);
	assert_int_equal(host_files_check(&files), 0);
	put_bytecode("name.x.pyc", 8);
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("the host's /data/__pycache__/name.x.pyc changed");
	host_notes_fini(&files.notes);
	put_bytecode("m.x.pyc", 7);
	assert_int_equal(time_of("name.py"), 8 * S);
	assert_int_equal(look(0, "m.py"), 3);
	assert_int_equal(looked[0].attributes.mtime_ns, 7 * S);
	assert_int_equal(host_files_check(&files), 0);
	expect_no_error();
}

/* More directories than have their names kept, to and fro. */
static void test_directories(void **state)
{
	char name[40];
	(void)state;
	for (unsigned i = 0; i < 2 * HOST_BYTECODE_LISTINGS_MAX; i++) {
		snprintf(name, sizeof(name), "d%u", i);
		assert_int_equal(mkdir(at(name), 0755), 0);
		snprintf(name, sizeof(name), "d%u/one.py", i);
		put(name, SOURCE);
		write_at(name, i, 0);
		snprintf(name, sizeof(name), "d%u/two.py", i);
		put(name, SOURCE);
		write_at(name, 1000 + i, 0);
		put_bytecode("one.x.pyc", i);
		put_bytecode("two.x.pyc", 1000 + i);
		snprintf(name, sizeof(name), "d%u/__pycache__", i);
		assert_int_equal(rename(at("__pycache__"), at(name)), 0);
	}
	for (unsigned turn = 0; turn < 4 * HOST_BYTECODE_LISTINGS_MAX; turn++) {
		unsigned i = turn % (2 * HOST_BYTECODE_LISTINGS_MAX);
		bool is_second = turn != i;
		snprintf(name, sizeof(name), "d%u/%s.py", i, is_second ? "two" : "one");
		assert_int_equal(look_along(0, name), 2);
		assert_int_equal(looked[1].attributes.mtime_ns, (is_second ? 1000 + i : i) * S);
	}
	assert_int_equal(host_files_check(&files), 0);
	expect_no_error();
}

/* One that changes, goes or comes before the end. */
static void test_changes(void **state)
{
	(void)state;
	put_bytecode("m.x.pyc", 7);
	write_at("m.py", 7, 0);
	assert_int_equal(time_of("m.py"), 7 * S);
	put_bytecode("n.x.pyc", 7);
	assert_int_equal(host_files_check(&files), 0);
	put_bytecode("m.x.pyc", 7); /* the same once more */
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("the host's /data/__pycache__/m.x.pyc changed during the run; run again");
	assert_int_equal(unlink(at("__pycache__/m.x.pyc")), 0);
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("the host's /data/__pycache__/m.x.pyc changed");
	put("other.py", SOURCE);
	write_at("other.py", 7, 0);
	assert_int_equal(time_of("other.py"), 0);
	assert_int_equal(host_files_check(&files), 0);
	put_words("other.a.pyc", 1, 7, 5, 20);
	assert_int_equal(host_files_check(&files), 0); /* it tells no time */
	put_bytecode("other.b.pyc", 7);
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("the host's /data/__pycache__/other.b.pyc changed");
}

/* Each run has the same, or there is no second one. */
static void test_second_run(void **state)
{
	(void)state;
	put("n.py", SOURCE);
	write_at("n.py", 8, 0);
	put_bytecode("m.x.pyc", 7);
	write_at("m.py", 7, 0);
	assert_int_equal(time_of("m.py"), 7 * S);
	assert_int_equal(look(0, "n.py"), 3);
	assert_int_equal(host_files_check(&files), 0);
	assert_int_equal(time_of("m.py"), 7 * S);
	assert_int_equal(host_files_check(&files), 0);
	put_bytecode("n.x.pyc", 8);
	assert_int_equal(time_of("n.py"), 8 * S);
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("the host's /data/__pycache__/n.x.pyc changed");
	put_bytecode("m.a.pyc", 7);
	assert_int_equal(time_of("m.py"), 7 * S);
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("the host's /data/__pycache__/m.a.pyc changed");
	put_bytecode("m.x.pyc", 6);
	assert_int_equal(host_notes_check(&files.notes, &error), -ESTALE);
	assert_non_null(strstr(error.text, "/data/__pycache__/m.x.pyc, which the program has read, changed"));
}

/* SHA-256 of the header with the time 7, of all of that file, and of the header with 8. */
static const char *const hashes[] = {"80fa0beb35a9015cf689b427ef82eb0675ab082a08c194b11de89895b22e365d",
                                     "cb53be6befd55f1688a0742dad972e28c0b8af3906dbcafcc3d8572d187e0c97",
                                     "b574398e4791b867e4496d4fa2c7991428dcd9d30931e6f08a76933aa463e957"};

/* The header is listed and summed, unless all of the file is. */
static void test_notes(void **state)
{
	char line[200], expected[200];
	uint8_t sums[3][DIGEST_BYTES];
	(void)state;
	put_bytecode("m.x.pyc", 7);
	write_at("m.py", 7, 0);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(time_of("m.py"), (i == 2 ? 8 : 7) * S);
		if (i == 1) {
			assert_int_equal(look(0, "__pycache__"), 3);
			assert_int_equal(look(3, "m.x.pyc"), 4);
			assert_int_equal(load(4, 20), 0);
		}
		assert_int_equal(host_files_check(&files), 0);
		host_notes_digest(&files.notes, files.run, sums[i]);
		FILE *to = tmpfile();
		assert_int_equal(host_notes_write(&files.notes, to), 0);
		rewind(to);
		assert_non_null(fgets(line, sizeof(line), to));
		snprintf(expected, sizeof(expected), "%s %d /data/__pycache__/m.x.pyc\n", hashes[i], i == 1 ? 20 : 16);
		assert_string_equal(line, expected);
		assert_null(fgets(line, sizeof(line), to));
		fclose(to);
		if (i == 1) { /* another header is another input */
			put_bytecode("m.x.pyc", 8);
			write_at("m.py", 8, 0);
			host_notes_fini(&files.notes);
		}
	}
	assert_memory_not_equal(sums[0], sums[1], DIGEST_BYTES);
	assert_memory_not_equal(sums[0], sums[2], DIGEST_BYTES);
	expect_no_error();
}

/* --- times by contents --- */

#define FIRST 315619200L /* seconds of the first and the last of these times */
#define LAST 631151999L
#define PASS_TIME 476934175L  /* of SOURCE */
#define EMPTY_TIME 630781027L /* of an empty one */

static int begin_contents(void **state)
{
	int result = begin(state);
	files.content_times = true;
	files.time_ns = 631152000 * S;
	return result;
}

/* The time that a new run is told of a source, which is by its contents. */
static int64_t content_time_of(const char *name)
{
	int64_t time = time_of(name);
	assert_true(time % S == 0 && time / S >= FIRST && time / S <= LAST);
	return time;
}

/* One for all contents, whatever the host's times, and another one for others of the same size. */
static void test_contents(void **state)
{
	(void)state;
	assert_int_equal(content_time_of("m.py"), PASS_TIME * S);
	for (time_t written = 0; written < 2000000000; written += 600000000) {
		write_at("m.py", written, 5);
		assert_int_equal(content_time_of("m.py"), PASS_TIME * S);
	}
	assert_int_equal(time_of("file"), 631152000 * S);
	put("m.py", "fail\n");
	assert_int_not_equal(content_time_of("m.py"), PASS_TIME * S);
	put("m.py", "");
	assert_int_equal(content_time_of("m.py"), EMPTY_TIME * S);
	assert_int_equal(host_files_check(&files), 0);
	expect_no_error();
}

/* Bytecode that a guest has made is that of the source with these contents only. The one that names the time of all
 * other files is of none. */
static void test_guest_bytecode(void **state)
{
	(void)state;
	put_bytecode("m.x.pyc", PASS_TIME);
	for (time_t written = 0; written < 2000000000; written += 600000000) {
		write_at("m.py", written, 0);
		assert_int_equal(time_of("m.py"), PASS_TIME * S);
		assert_non_null(host_bytecode_of(&files, 2));
		put("m.py", "fail\n");
		write_at("m.py", written, 0);
		assert_int_not_equal(content_time_of("m.py"), PASS_TIME * S);
		assert_null(host_bytecode_of(&files, 2));
		put("m.py", SOURCE);
	}
	put_bytecode("m.x.pyc", 631152000);
	assert_int_equal(content_time_of("m.py"), PASS_TIME * S);
	assert_null(host_bytecode_of(&files, 2));
	expect_no_error();
}

/* Of the host's, one that names the source's time before an edit in the same second leaves none valid. */
static void test_doubtful(void **state)
{
	(void)state;
	put_bytecode("m.a.pyc", 7);
	write_at("__pycache__/m.a.pyc", 7, 500);
	write_at("m.py", 7, 400);
	assert_int_equal(time_of("m.py"), 7 * S);
	put_bytecode("m.b.pyc", 7);
	write_at("__pycache__/m.b.pyc", 7, 300);
	assert_int_equal(content_time_of("m.py"), PASS_TIME * S);
	assert_null(host_bytecode_of(&files, 2));
	assert_int_equal(unlink(at("__pycache__/m.b.pyc")), 0);
	assert_int_equal(time_of("m.py"), 7 * S);
	expect_no_error();
}

/* A source that is shown alone has no bytecode that is seen. */
static void test_alone(void **state)
{
	struct host_file_looked all;
	(void)state;
	trees[1].guest = "/one.py";
	put("file", SOURCE);
	assert_int_equal(host_files_begin(&files), 0);
	assert_int_equal(look_along(1, ""), 1);
	all = looked[0];
	assert_int_equal(all.attributes.mtime_ns, PASS_TIME * S);
	assert_int_equal(host_files_check(&files), 0);
	put("file", "fail\n");
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("the host's /one.py changed");
}

/* Contents that change before the end, or before a second run, with the host's times set back. */
static void test_content_changes(void **state)
{
	(void)state;
	write_at("m.py", 7, 0);
	assert_int_equal(content_time_of("m.py"), PASS_TIME * S);
	assert_int_equal(host_files_check(&files), 0);
	put("m.py", "fail\n");
	write_at("m.py", 7, 0);
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("the host's /data/m.py changed");
	assert_int_not_equal(content_time_of("m.py"), PASS_TIME * S);
	assert_int_equal(host_files_check(&files), -ESTALE);
	expect_error("changed");
	put("m.py", SOURCE);
	write_at("m.py", 7, 0);
	assert_int_equal(content_time_of("m.py"), PASS_TIME * S);
	assert_int_equal(host_files_check(&files), 0);
	host_bytecode_truncate(&files, 2); /* an answer ahead that nobody takes */
	host_objects_truncate(&files.objects, 2);
	assert_int_equal(look(0, "m.py"), 2);
	assert_int_equal(looked[0].attributes.mtime_ns, PASS_TIME * S);
	expect_no_error();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, tear_down)

#define CONTENTS(name) cmocka_unit_test_setup_teardown(name, begin_contents, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(test_choice),       TEST(test_stale),        TEST(test_not_read),
	TEST(test_once),         TEST(test_directories),  TEST(test_links),
	TEST(test_which_link),   TEST(test_changes),      TEST(test_second_run),
	TEST(test_notes),        CONTENTS(test_contents), CONTENTS(test_guest_bytecode),
	CONTENTS(test_doubtful), CONTENTS(test_alone),    CONTENTS(test_content_changes),
};

TAP_MAIN(tests)
