/* SPDX-License-Identifier: MIT */
/* The host's files for a guest that behaves, for one that does not, and while somebody changes them. */
#include "tests/unit/hypervisor/host_files_fixture.h"

static void test_look(void **state)
{
	char target[9] = "";
	(void)state;
	assert_int_equal(look(0, ""), 0);
	assert_int_equal(looked[0].attributes.mode, S_IFDIR | 0755);
	assert_int_equal(looked[0].attributes.size, 0);
	assert_int_equal(look(1, ""), 1);
	assert_int_equal(looked[0].attributes.mode, S_IFREG | 0640);
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(looked[0].attributes.mode, S_IFREG | 0640);
	assert_int_equal(looked[0].attributes.size, 8);
	assert_int_equal(look(0, "dir"), 3);
	assert_int_equal(looked[0].attributes.mode, S_IFDIR | 0750);
	assert_int_equal(look(0, "none"), -ENOENT);
	assert_int_equal(look(3, "inner"), 4);
	assert_int_equal(look(0, "link"), 5);
	assert_int_equal(looked[0].attributes.mode, S_IFLNK | 0777);
	assert_int_equal(looked[0].attributes.size, 8);
	guest_memory_read(&memory, gpa(BUFFER + sizeof(looked[0])), target, 8);
	assert_string_equal(target, "../dir/x");
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(look(3, "inner"), 4);
	expect_no_error();
}

/* Each name of a path, up to the first that leads nowhere further. */
static void test_look_along(void **state)
{
	char target[9] = "", deep[256] = "";
	(void)state;
	assert_int_equal(mkdir(at("dir/sub"), 0700), 0);
	assert_int_equal(symlink("sub", at("dir/way")), 0);
	put("dir/sub/last", "12345");
	assert_int_equal(look_along(0, "dir/sub/last"), 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(looked[i].handle, 2 + i);
	assert_int_equal(looked[1].attributes.mode, S_IFDIR | 0700);
	assert_int_equal(looked[2].attributes.mode, S_IFREG | 0644);
	assert_int_equal(looked[2].attributes.size, 5);
	assert_int_equal(look_along(2, "inner/sub/last"), 1);
	assert_int_equal(looked[0].handle, 5);
	assert_int_equal(look_along(0, "dir/way/last"), 2);
	assert_int_equal(looked[0].handle, 2);
	assert_int_equal(looked[1].handle, 6);
	assert_int_equal(looked[1].attributes.size, 3);
	guest_memory_read(&memory, gpa(BUFFER + 2 * sizeof(looked[0])), target, 3);
	assert_string_equal(target, "sub");
	assert_int_equal(look_along(0, "dir/none/last"), 2);
	assert_int_equal(looked[0].handle, 2);
	assert_int_equal(looked[1].handle, -ENOENT);
	assert_int_equal(look_along(0, "none/dir"), -ENOENT);
	assert_int_equal(look(3, "last"), 4);
	/* As many as a request holds. */
	for (unsigned i = 0; i < HOST_FILE_LOOKS_MAX; i++) {
		strcat(deep, i ? "/d" : "d");
		assert_int_equal(mkdir(at(deep), 0700), 0);
	}
	assert_int_equal(look_along(0, deep), HOST_FILE_LOOKS_MAX);
	assert_int_equal(looked[HOST_FILE_LOOKS_MAX - 1].handle, 6 + HOST_FILE_LOOKS_MAX);
	expect_no_error();
	assert_int_equal(ask(HOST_FILE_LOOK, 0, "dir/..", BUFFER, BUFFER_BYTES, 0), -EPROTO);
	expect_error("an invalid name");
	/* Another directory in the place of one, and a name that was not looked at before. */
	assert_int_equal(rename(at("dir/sub"), at("dir/old")), 0);
	assert_int_equal(mkdir(at("dir/sub"), 0700), 0);
	put("dir/sub/new", "");
	assert_int_equal(look_along(3, "new"), -ESTALE);
	expect_error("/data/dir/sub changed during the run");
	assert_int_equal(remove(at("dir/sub/new")) | rmdir(at("dir/sub")), 0);
	assert_int_equal(rename(at("dir/old"), at("dir/sub")), 0);
	put("dir/sub/last", "other");
	put("dir/sub/last", "changed by now");
	assert_int_equal(look_along(0, "dir/sub/last"), -ESTALE);
	expect_error("/data/dir/sub/last changed during the run");
}

/* Times are told when they are asked for, and of regular files alone. */
static void test_times(void **state)
{
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 5, .tv_nsec = 6}};
	(void)state;
	put("timed", "x");
	assert_int_equal(utimensat(AT_FDCWD, at("timed"), times, 0), 0);
	assert_int_equal(look(0, "timed"), 2);
	assert_int_equal(looked[0].attributes.mtime_ns, 0);
	files.times = true;
	assert_int_equal(look(0, "timed"), 2);
	assert_int_equal(looked[0].attributes.mtime_ns, 5000000006);
	assert_int_equal(look(0, "dir"), 3);
	assert_int_equal(looked[0].attributes.mtime_ns, 0);
	expect_no_error();
}

/* SHA-256 of "contents" and of nothing. */
#define CONTENTS_HASH "d1b2a59fbea7e20077af9f91b27e95e865061b270be03ff539ab3b73587882e8"
#define EMPTY_HASH "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void test_load(void **state)
{
	char got[16] = "", line[200];
	uint8_t first[DIGEST_BYTES], second[DIGEST_BYTES];
	(void)state;
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(look(0, "dir"), 3);
	assert_int_equal(look(3, "inner"), 4);
	assert_int_equal(load(2, 8), 0);
	guest_memory_read(&memory, gpa(DATA), got, 8);
	assert_string_equal(got, "contents");
	host_notes_digest(&files.notes, files.run, first);
	const struct host_file_piece pieces[] = {{DATA + 4, 4}, {DATA, 0}, {DATA, 4}};
	assert_int_equal(load_pieces(2, pieces, 3), 0);
	guest_memory_read(&memory, gpa(DATA), got, 8);
	assert_string_equal(got, "entscont");
	host_notes_digest(&files.notes, files.run, second);
	assert_memory_equal(first, second, DIGEST_BYTES); /* the same file once more is no other run */
	assert_int_equal(load_pieces(4, pieces, 0), 0);
	assert_int_equal(load(1, 8), 0);
	host_notes_digest(&files.notes, files.run, second);
	assert_memory_not_equal(first, second, DIGEST_BYTES);
	expect_no_error();
	FILE *to = tmpfile();
	assert_int_equal(host_notes_write(&files.notes, to), 0);
	rewind(to);
	assert_non_null(fgets(line, sizeof(line), to));
	assert_string_equal(line, EMPTY_HASH " 0 /data/dir/inner\n");
	assert_non_null(fgets(line, sizeof(line), to));
	assert_string_equal(line, CONTENTS_HASH " 8 /data/file\n");
	assert_non_null(fgets(line, sizeof(line), to));
	assert_string_equal(line, CONTENTS_HASH " 8 /one\n");
	assert_null(fgets(line, sizeof(line), to));
	fclose(to);
	assert_int_equal(host_notes_check(&files.notes, &error), 0);
}

/* Requests that no kernel makes end the run. */
static void test_nonsense(void **state)
{
	static const char *const names[] = {"..", ".", "/", "//", "dir//x", "/etc", "../outside", "dir/", "./dir"};
	(void)state;
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(look(0, "link"), 3);
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(look(0, names[i]), -EPROTO);
		expect_error("an invalid name");
	}
	request = (struct host_file_request){.op = HOST_FILE_LOOK, .buffer = BUFFER, .buffer_bytes = BUFFER_BYTES};
	memset(request.name, 'x', sizeof(request.name));
	guest_memory_write(&memory, gpa(REQUEST), &request, sizeof(request));
	assert_int_equal(host_files_serve(&files, &memory, gpa(REQUEST)), -EPROTO);
	expect_error("an invalid name");
	assert_int_equal(host_files_serve(&files, &memory, gpa(LAYOUT_RAM_MIN - 8)), -EPROTO);
	expect_error("a request outside its memory");
	assert_int_equal(look(4, "x"), -EPROTO);
	expect_error("a handle that it was never given");
	assert_int_equal(look(UINT32_MAX, ""), -EPROTO);
	expect_error("a handle that it was never given");
	assert_int_equal(look(2, "x"), -EPROTO);
	expect_error("an object that is not a directory");
	assert_int_equal(look(1, "x"), -EPROTO);
	expect_error("an object that is not a directory");
	assert_int_equal(ask(0, 0, "", BUFFER, 4096, 0), -EPROTO);
	expect_error("an unknown operation");
	assert_int_equal(ask(HOST_FILE_LIST, 2, "", BUFFER, 4096, 0), -EPROTO);
	expect_error("a list of an object that is not a directory");
	assert_int_equal(ask(HOST_FILE_LIST, 0, "", BUFFER, 256, 0), -EPROTO);
	expect_error("a buffer too small");
	assert_int_equal(ask(HOST_FILE_LIST, 0, "", BUFFER, UINT64_MAX, 0), -EPROTO);
	expect_error("outside its memory");
	assert_int_equal(ask(HOST_FILE_LIST, 0, "", BUFFER, 4096, 1), -EPROTO);
	expect_error("whose beginning it has not seen");
	assert_int_equal(ask(HOST_FILE_LOOK, 0, "link", BUFFER, HOST_FILE_LOOK_BYTES - 1, 0), -EPROTO);
	expect_error("a buffer that is too small");
	assert_int_equal(ask(HOST_FILE_LOOK, 3, "", LAYOUT_RAM_MIN - 4, BUFFER_BYTES, 0), -EPROTO);
	expect_error("or outside its memory");
}

/* Many names at once, as text with blanks between. */
static int64_t look_many(uint32_t handle, const char *text, uint64_t count, uint64_t cut)
{
	uint8_t list[8192], *to = list;
	while (*text) {
		size_t length = strcspn(text, " ");
		*to++ = 0;
		*to++ = (uint8_t)length;
		to = mempcpy(to, text, length);
		text += length + (text[length] == ' ');
	}
	assert_int_equal(guest_memory_write(&memory, gpa(BUFFER), list, (uint64_t)(to - list)), 0);
	return ask(HOST_FILE_LOOK_MANY, handle, "", BUFFER, (uint64_t)(to - list) - cut, count);
}

static void test_look_many(void **state)
{
	static const char *const bad[] = {"file ..", "file dir/inner", ". file", "/ file", "file "};
	(void)state;
	assert_int_equal(look(0, "dir"), 2);
	assert_int_equal(look_many(0, "file link dir file", 4, 0), 0);
	guest_memory_read(&memory, gpa(BUFFER), looked, 4 * sizeof(looked[0]));
	assert_int_equal(looked[0].handle, 3);
	assert_int_equal(looked[0].attributes.mode, S_IFREG | 0640);
	assert_int_equal(looked[0].attributes.size, 8);
	assert_int_equal(looked[1].handle, 4);
	assert_int_equal(looked[1].attributes.size, strlen("../dir/x"));
	assert_memory_equal(guest_memory_at(&memory, gpa(BUFFER + 4 * sizeof(looked[0])), 8), "../dir/x", 8);
	assert_int_equal(looked[2].handle, 2);
	assert_int_equal(looked[2].attributes.mode, S_IFDIR | 0750);
	assert_int_equal(looked[3].handle, 3);
	assert_int_equal(look_many(0, "", 0, 0), 0);
	expect_no_error();
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(look_many(0, bad[i], 2, 0), -EPROTO);
		expect_error("an invalid ");
	}
	assert_int_equal(look_many(0, "file dir", 2, 1), -EPROTO);
	expect_error("an invalid list of names");
	assert_int_equal(look_many(0, "file dir", HOST_FILE_LOOKS_MAX + 1, 0), -EPROTO);
	expect_error("an invalid list of names");
	assert_int_equal(look_many(3, "file dir", 2, 0), -EPROTO);
	expect_error("a name in an object that is not a directory");
	assert_int_equal(ask(HOST_FILE_LOOK_MANY, 0, "", BUFFER, 1 << 20, 1), -EPROTO);
	expect_error("an invalid list of names");
	assert_int_equal(ask(HOST_FILE_LOOK_MANY, 0, "", LAYOUT_RAM_MIN - 2, 4, 1), -EPROTO);
	expect_error("an invalid list of names");
	put("file", "changed by now");
	assert_true(look_many(0, "dir file", 2, 0) < 0);
	expect_error("/data/file changed during the run");
}

/* Names that were there when the directory was listed, and are not any more; and the other way round. */
static void test_coming_and_going(void **state)
{
	(void)state;
	assert_int_equal(look(0, "dir"), 2);
	assert_int_equal(look(2, "new"), -ENOENT);
	assert_int_equal(look(2, "new"), -ENOENT);
	assert_int_equal(look_along(0, "dir/other"), 2);
	assert_int_equal(looked[1].handle, -ENOENT);
	expect_no_error();
	put("dir/new", "");
	assert_int_equal(look(2, "new"), -ESTALE);
	expect_error("/data/dir/new appeared during the run");
	assert_int_equal(ask(HOST_FILE_LIST, 2, "", BUFFER, BUFFER_BYTES, 0), -ESTALE);
	expect_error("/data/dir/new appeared during the run");
	assert_int_equal(remove(at("dir/new")), 0);
	assert_int_equal(symlink("nowhere", at("dir/other")), 0);
	assert_int_equal(look_along(0, "dir/other"), -ESTALE);
	expect_error("/data/dir/other appeared during the run");
	assert_int_equal(remove(at("dir/other")), 0);
	assert_int_equal(look(2, "other"), -ENOENT);
	expect_no_error();
	put("dir/old", "");
	assert_true(ask(HOST_FILE_LIST, 2, "", BUFFER, BUFFER_BYTES, 0) > 0);
	assert_int_equal(remove(at("dir/old")), 0);
	assert_int_equal(ask(HOST_FILE_LOOK, 2, "old", BUFFER, BUFFER_BYTES, 1), -ESTALE);
	expect_error("/data/dir/old changed during the run");
	assert_int_equal(look_many(2, "old", 1, 0), -ESTALE);
	expect_error("/data/dir/old changed during the run");
	assert_int_equal(look(2, "old"), -ENOENT); /* a name that nobody listed */
	expect_no_error();
}

static void test_pieces(void **state)
{
	const struct host_file_piece overflow[] = {{DATA, 9}, {DATA, UINT64_MAX}};
	(void)state;
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(look(0, "dir"), 3);
	static const struct host_file_piece bad[] = {
		{DATA, 7},           {DATA, 9},        {LAYOUT_RAM_MIN - 4, 8},
		{UINT64_MAX - 3, 8}, {LAYOUT_ROOT, 8}, {DATA, UINT64_MAX},
	};
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(load_pieces(2, &bad[i], 1), -EPROTO);
		expect_error("pieces outside its memory, or of another size");
	}
	assert_int_equal(load_pieces(2, overflow, 2), -EPROTO);
	expect_error("pieces outside its memory");
	assert_int_equal(load_pieces(2, bad, 0), -EPROTO);
	expect_error("pieces outside its memory");
	assert_int_equal(load(3, 8), -EPROTO);
	expect_error("the contents of an object that is not a regular file");
	assert_int_equal(ask(HOST_FILE_LOAD, 2, "", BUFFER, 15, 0), -EPROTO);
	expect_error("invalid pieces");
	assert_int_equal(ask(HOST_FILE_LOAD, 2, "", BUFFER, 16, 8), -EPROTO);
	expect_error("of another size than the file");
	assert_int_equal(ask(HOST_FILE_LOAD, 2, "", BUFFER, (HOST_FILE_PIECES_MAX + 1UL) * 16, 0), -EPROTO);
	expect_error("invalid pieces");
	assert_int_equal(ask(HOST_FILE_LOAD, 2, "", LAYOUT_RAM_MIN - 8, 16, 0), -EPROTO);
	expect_error("pieces outside its memory");
	/* Into the request, and into the pieces themselves: the guest's own affair. */
	assert_int_equal(load_pieces(2, &(struct host_file_piece){REQUEST, 8}, 1), 0);
	assert_int_equal(load_pieces(2, &(struct host_file_piece){BUFFER, 8}, 1), 0);
	expect_no_error();
}

/* All names of a directory, page by page, into names[]; how many. */
static unsigned list(uint32_t handle, uint64_t page, char (*names)[256], uint8_t *types)
{
	uint64_t count = 0;
	for (;;) {
		int64_t got = ask(HOST_FILE_LIST, handle, "", BUFFER, page, count);
		assert_true(got >= 0);
		if (!got)
			return (unsigned)count;
		const uint8_t *from = guest_memory_at(&memory, gpa(BUFFER), page);
		for (int64_t i = 0; i < got; i++, count++) {
			memcpy(names[count], from + 2, from[1]);
			names[count][from[1]] = 0;
			types[count] = from[0];
			from += 2 + from[1];
		}
	}
}

static char names[MANY + 10][256];
static uint8_t types[MANY + 10];

static void test_list(void **state)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	(void)state;
	assert_int_equal(mkfifo(at("fifo"), 0600), 0);
	strcpy(address.sun_path, at("socket"));
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
	put("\xff", "");
	put("Z", "");
	assert_int_equal(list(0, 4096, names, types), 5);
	static const char *const wanted[] = {"Z", "dir", "file", "link", "\xff"};
	static const uint8_t kinds[] = {8, 4, 8, 10, 8};
	for (unsigned i = 0; i < 5; i++) {
		assert_string_equal(names[i], wanted[i]);
		assert_int_equal(types[i], kinds[i]);
	}
	assert_int_equal(look(0, "fifo"), -ENOENT);
	assert_int_equal(look(0, "socket"), -ENOENT);
	expect_no_error();
}

static void test_paging(void **state)
{
	char name[300];
	(void)state;
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "dir/%u%.*s", i, (int)(i % 100),
		         "----------------------------------------------"
		         "----------------------------------------------------------------");
		put(name, "");
	}
	int64_t dir = look(0, "dir");
	assert_int_equal(list((uint32_t)dir, 257, names, types), MANY + 1);
	assert_int_equal(list((uint32_t)dir, BUFFER_BYTES, names, types), MANY + 1);
	for (unsigned i = 0; i < MANY; i++)
		assert_true(strcmp(names[i], names[i + 1]) < 0);
	assert_int_equal(look(0, "link"), dir + 1);
	for (unsigned i = 0; i <= MANY; i++)
		assert_int_equal(look((uint32_t)dir, names[i]), dir + 2 + i);
	for (unsigned i = 0; i <= MANY; i += 7)
		assert_int_equal(look((uint32_t)dir, names[i]), dir + 2 + i);
	expect_no_error();
}

/* Links are told of, and never followed, whoever puts them where. */
static void test_links(void **state)
{
	(void)state;
	int64_t dir = look(0, "dir"), inner = look((uint32_t)dir, "inner"), file = look(0, "file");
	assert_int_equal(rename(at("dir"), at("moved")), 0);
	assert_int_equal(symlink(base, at("dir")), 0);
	assert_true(look((uint32_t)dir, "outside") < 0);
	expect_error("the host's /data/dir changed during the run");
	assert_true(load((uint32_t)inner, 0) < 0);
	expect_error("the host's /data/dir/inner changed");
	assert_true(ask(HOST_FILE_LIST, (uint32_t)dir, "", BUFFER, 4096, 0) < 0);
	expect_error("the host's /data/dir changed");
	assert_int_equal(unlink(at("file")), 0);
	assert_int_equal(symlink("../outside", at("file")), 0);
	assert_true(load((uint32_t)file, 8) < 0);
	expect_error("the host's /data/file changed");
	int64_t link = look(0, "link");
	assert_true(load((uint32_t)link, 8) < 0);
	expect_error("the contents of an object that is not a regular file");
}

static void test_changes(void **state)
{
	(void)state;
	int64_t file = look(0, "file"), dir = look(0, "dir"), inner = look((uint32_t)dir, "inner");
	assert_int_equal(load((uint32_t)file, 8), 0);
	put("dir/new", "names come and go");
	assert_true(look((uint32_t)dir, "new") > inner);
	expect_no_error();
	put("file.new", "CONTENTS"); /* another one of that size */
	assert_int_equal(rename(at("file.new"), at("file")), 0);
	assert_true(load((uint32_t)file, 8) < 0);
	expect_error("the host's /data/file changed during the run; run again");
	assert_true(look(0, "file") < 0);
	expect_error("/data/file changed");
	assert_int_equal(host_notes_check(&files.notes, &error), -ESTALE);
	assert_non_null(strstr(error.text, "/data/file, which the program has read, changed"));
	put("dir/inner", "longer");
	assert_true(load_pieces((uint32_t)inner, &(struct host_file_piece){0}, 0) < 0);
	expect_error("/data/dir/inner changed");
	assert_int_equal(unlink(at("dir/inner")), 0);
	assert_true(look((uint32_t)dir, "inner") < 0);
	expect_error("/data/dir/inner changed");
}

/* A second run has handles of its own, and must read the same. */
static void test_second_run(void **state)
{
	uint8_t first[DIGEST_BYTES], second[DIGEST_BYTES];
	(void)state;
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(load(2, 8), 0);
	host_notes_digest(&files.notes, files.run, first);
	assert_int_equal(host_files_begin(&files), 0);
	host_notes_digest(&files.notes, files.run, second);
	assert_memory_not_equal(first, second, DIGEST_BYTES);
	assert_int_equal(look(2, ""), -EPROTO);
	expect_error("a handle that it was never given");
	assert_int_equal(look(0, "dir"), 2);
	assert_int_equal(look(0, "file"), 3);
	assert_int_equal(load(3, 8), 0);
	host_notes_digest(&files.notes, files.run, second);
	assert_memory_equal(first, second, DIGEST_BYTES);
	put("file", "another!");
	assert_int_equal(host_files_begin(&files), 0);
	assert_int_equal(look(0, "file"), 2);
	assert_true(load(2, 8) < 0);
	expect_error("/data/file changed");
}

/* What eremite may not read its guest may not, and the run goes on. */
static void test_denied(void **state)
{
	bool is_root = geteuid() == 0;
	(void)state;
	assert_int_equal(chmod(at("file"), is_root ? 0600 : 0), 0);
	assert_int_equal(chmod(at("dir"), is_root ? 0700 : 0), 0);
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(look(0, "dir"), 3);
	assert_true(!is_root || !seteuid(65534));
	int64_t loaded = load(2, 8), listed = ask(HOST_FILE_LIST, 3, "", BUFFER, 4096, 0);
	int64_t inner = look(3, "inner"), searched = ask(HOST_FILE_SEARCH, 3, "", BUFFER, 0, 0);
	assert_true(!is_root || !seteuid(0));
	chmod(at("dir"), 0700);
	assert_int_equal(loaded, -EACCES);
	assert_int_equal(listed, -EACCES);
	assert_int_equal(inner, -EACCES);
	assert_int_equal(searched, -EACCES);
	expect_no_error();
	assert_non_null(files.notes.root); /* what is denied is an input of the run */
	assert_int_equal(host_notes_check(&files.notes, &error), 0);
	assert_int_equal(ask(HOST_FILE_SEARCH, 2, "", BUFFER, 0, 0), -EPROTO);
}

/* The host's own state is never shown, whichever way it is reached. */
static void test_state(void **state)
{
	static const char *const kinds[] = {"proc", "sysfs", "devpts", "devtmpfs", "cgroup2", "tmpfs"};
	struct host_files whole;
	struct host_tree root = {.host = "/", .guest = "/"};
	(void)state;
	assert_int_equal(host_files_open(&whole, &root, 1, &error), 0);
	assert_int_equal(host_files_begin(&whole), 0);
	static const char *const state_names[] = {"proc", "sys", "dev"};
	for (unsigned i = 0; i < 3; i++) {
		request = (struct host_file_request){
			.op = HOST_FILE_LOOK, .buffer = BUFFER, .buffer_bytes = BUFFER_BYTES};
		strcpy(request.name, state_names[i]);
		guest_memory_write(&memory, gpa(REQUEST), &request, sizeof(request));
		assert_int_equal(host_files_serve(&whole, &memory, gpa(REQUEST)), -ENOENT);
	}
	request = (struct host_file_request){.op = HOST_FILE_LIST, .buffer = BUFFER, .buffer_bytes = BUFFER_BYTES};
	guest_memory_write(&memory, gpa(REQUEST), &request, sizeof(request));
	int64_t count = host_files_serve(&whole, &memory, gpa(REQUEST));
	assert_true(count > 0);
	const uint8_t *from = guest_memory_at(&memory, gpa(BUFFER), BUFFER_BYTES);
	for (int64_t i = 0; i < count; i++, from += 2 + from[1])
		for (unsigned j = 0; j < 3; j++)
			assert_false(from[1] == strlen(state_names[j]) && !memcmp(from + 2, state_names[j], from[1]));
	host_files_close(&whole);
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct stat own, st;
		if (mount(kinds[i], at("dir"), kinds[i], 0, NULL)) /* not everybody may */
			continue;
		/* A devtmpfs is known by being the one at /dev, where containers have another file system. */
		assert_false(stat("/dev", &own) || stat(at("dir"), &st));
		bool is_shown =
			!strcmp(kinds[i], "tmpfs") || (!strcmp(kinds[i], "devtmpfs") && own.st_dev != st.st_dev);
		assert_int_equal(host_files_begin(&files), 0); /* what appears in a run ends it */
		int64_t answer = look(0, "dir");
		umount2(at("dir"), MNT_DETACH);
		assert_int_equal(answer, is_shown ? 2 : -ENOENT);
	}
	expect_no_error();
}

static void test_open(void **state)
{
	struct host_files other;
	struct host_tree one = {.guest = "/x"};
	(void)state;
	one.host = at("none");
	assert_int_equal(host_files_open(&other, &one, 1, &error), -ENOENT);
	one.host = "/dev/null";
	assert_int_equal(host_files_open(&other, &one, 1, &error), -EINVAL);
	assert_non_null(strstr(error.text, "is in the host's /dev"));
	assert_int_equal(mkfifo(at("fifo"), 0600), 0);
	one.host = at("fifo");
	assert_int_equal(host_files_open(&other, &one, 1, &error), -EINVAL);
	assert_non_null(strstr(error.text, "neither a directory nor a regular file"));
}

/* Deep paths end where Linux's do. */
static void test_deep(void **state)
{
	char name[201];
	uint32_t handle = 0;
	int64_t next = 0;
	(void)state;
	memset(name, 'n', 200);
	name[200] = 0;
	int dir = open(tree, O_PATH);
	for (unsigned i = 0; i < 30; i++) {
		assert_int_equal(mkdirat(dir, name, 0755), 0);
		int below = openat(dir, name, O_PATH);
		close(dir);
		dir = below;
	}
	close(dir);
	for (unsigned depth = 0; depth < 30 && next >= 0; depth++) {
		handle = (uint32_t)next;
		next = look(handle, name);
	}
	assert_int_equal(next, -ENAMETOOLONG);
	assert_int_equal(handle, 21); /* roots 0 and 1; 20 names of 201 bytes fit into PATH_MAX */
	expect_no_error();
}

/* No descriptor is left for a moment: that says nothing of the files, and ends the run. */
static void test_descriptors(void **state)
{
	struct rlimit limit;
	(void)state;
	assert_int_equal(look(0, "file"), 2);
	assert_int_equal(look(0, "dir"), 3);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	for (unsigned i = 0; i < 5; i++) {
		int next = dup(0);
		assert_true(next >= 0);
		close(next);
		const struct rlimit none = {(rlim_t)next, limit.rlim_max};
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
		int64_t answer = i == 0   ? look(2, "")
		                 : i == 1 ? look(3, "inner")
		                 : i == 2 ? look(3, "none")
		                 : i == 3 ? ask(HOST_FILE_LIST, 3, "", BUFFER, BUFFER_BYTES, 0)
		                          : load(2, 8);
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
		assert_int_equal(answer, -EMFILE);
		assert_non_null(strstr(files.error.text, "Too many open files"));
		files.error.text[0] = 0;
	}
	assert_int_equal(look(3, "none"), -ENOENT); /* which was not taken for told */
	expect_no_error();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
	TEST(test_look),       TEST(test_look_along), TEST(test_load),
	TEST(test_nonsense),   TEST(test_pieces),     TEST(test_look_many),
	TEST(test_times),      TEST(test_list),       TEST(test_coming_and_going),
	TEST(test_paging),     TEST(test_links),      TEST(test_changes),
	TEST(test_second_run), TEST(test_denied),     TEST(test_state),
	TEST(test_open),       TEST(test_deep),       TEST(test_descriptors),
};

TAP_MAIN(tests)
