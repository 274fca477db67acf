/* SPDX-License-Identifier: MIT */
/* Sealed images: one that mkfs.erofs makes from a small tree with a table of names written here is opened, and a guest
 * looks at, lists and loads what its trees show. Damage ends the run with a sentence. */
#include "hostfs/tree/host_sealed.h"

#include "abi/image.h"
#include "hostfs/tree/host_supply.h"
#include "tests/unit/hypervisor/host_files_fixture.h"

#define SUM_X "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881" /* of "x" */
#define TABLE_MAX 8192

static struct eri_image image;
static struct eri_names names;
static struct eri_block table;
static struct host_sealed sealed[2];
static struct host_supply supply;
static char lines[TABLE_MAX];
static const char *options; /* for mkfs.erofs */

static char *hash_of(const char *contents)
{
	static char text[DIGEST_TEXT_BYTES];
	struct digest_sum sum;
	uint8_t hash[DIGEST_BYTES];
	digest_begin(&sum);
	digest_add(&sum, contents, strlen(contents));
	digest_end(&sum, hash);
	digest_text(hash, text);
	return strchr(text, ':') + 1;
}

static void shell(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void shell(const char *format, ...)
{
	char command[1000];
	va_list args;
	va_start(args, format);
	vsnprintf(command, sizeof(command), format, args);
	va_end(args);
	if (system(command))
		fail_msg("failed: %s", command);
}

/* Adds a line to the table: directory, name, kind, mode, size, hash, detail. */
static void line(const char *dir, const char *name, const char *kind, unsigned mode, uint64_t size, const char *hash,
                 const char *detail)
{
	size_t used = strlen(lines);
	used += (size_t)snprintf(lines + used, sizeof(lines) - used, "00\t%s\t%s\t%s\t%o\t%lu\t77\t%s\t%s\n", dir, name,
	                         kind, mode, size, hash, detail);
	assert_true(used < sizeof(lines));
}

static void file(const char *dir, const char *name, const char *contents)
{
	line(dir, name, "file", S_IFREG | 0640, strlen(contents), hash_of(contents), "");
}

static void directory(const char *dir, const char *name, const char *kind)
{
	line(dir, name, kind, S_IFDIR | 0755, 0, "-", "");
}

/* Writes the manifest of a tree, with its identity. */
static void put_manifest(void)
{
	char *text, digits[DIGEST_TEXT_BYTES];
	uint8_t sum[DIGEST_BYTES];
	size_t at;
	int bytes = asprintf(
		&text,
		"{\"schema\":1,\"identity\":\t\"%064d\",\"eremite\":\"\",\"contract\":%d,"
		"\"digest_definition\":%d,\"host_vendor\":\"\",\"host_processor\":\"\",\"engine\":\"none\",\"cpu\":"
		"\"\","
		"\"cpu_features\":\"\",\"memory_bytes\":0,\"external\":[{\"path\":\"/x\",\"sha256\":\"" SUM_X "\","
		"\"bytes\":1}],\"steps\":[{\"name\":\"run\",\"program\":\"linux\",\"options\":[],"
		"\"arguments\":[\"a\"],\"trees\":[],\"kernel_sha256\":\"\","
		"\"defaults\":[],\"end\":\"exit\",\"status\":0,\"virtual_ns\":0,\"events\":0,\"digest\":\"\","
		"\"digest_parts\":{},\"outputs\":[]}]}",
		0, IMAGE_ABI_VERSION, DIGEST_DEFINITION);
	assert_true(eri_manifest_identity(text, (size_t)bytes, &at, sum));
	digest_text(sum, digits);
	memcpy(text + at, strchr(digits, ':') + 1, 64);
	put(ERI_MANIFEST, text);
	free(text);
}

/* Makes the image of the tree and of the lines. */
static void make(void)
{
	char *text;
	assert_int_equal(asprintf(&text, "%s%s", ERI_NAMES_FIRST, lines) > 0, true);
	assert_int_equal(eri_names_sort(text + strlen(ERI_NAMES_FIRST), strlen(lines)), 0);
	put(ERI_STEPS "/run/names", text);
	free(text);
	shell("mkfs.erofs --quiet -x-1 -T0 %s %s/image %s >/dev/null 2>&1", options, base, tree);
}

/* Opens the image, and shows its tree at a guest path. */
static int show(const char *guest)
{
	char path[PATH_MAX];
	assert_int_equal(eri_image_open(&image, at("../image"), &error), 0);
	eri_image_step_path(eri_image_step(&image, NULL), "names", path);
	free(table.copy);
	assert_int_equal(eri_image_load(&image, path, TABLE_MAX, NULL, &table, &error), 0);
	assert_int_equal(eri_names_open(&names, table.data, table.bytes, &error), 0);
	sealed[0] = (struct host_sealed){.image = &image, .names = &names, .supply = &supply};
	trees[0] = (struct host_tree){.guest = guest, .read_only = true, .sealed = &sealed[0]};
	assert_int_equal(host_files_open(&files, trees, 1, &error), 0);
	files.hash = files.times = true;
	return host_files_begin(&files);
}

static void make_and_show(void)
{
	make();
	assert_int_equal(show("/"), 0);
}

static int begin(void **state)
{
	(void)state;
	umask(022);
	if (guest_memory_init(&memory, LAYOUT_RAM_MIN) || !folder_make(base))
		return -1;
	snprintf(tree, sizeof(tree), "%s/tree", base);
	shell("mkdir -p %s/" ERI_STEPS "/run %s/" ERI_FILES " %s/d", tree, tree, tree);
	put_manifest();
	lines[0] = 0;
	options = "";
	return 0;
}

static int end(void **state)
{
	(void)state;
	host_files_close(&files);
	host_supply_close(&supply);
	free(table.copy);
	table = (struct eri_block){0};
	eri_image_close(&image);
	guest_memory_fini(&memory);
	return !folder_remove(base);
}

/* A tree with a directory, a file in it, and a link. */
static void usual(void)
{
	directory("", "", "dir");
	directory("", "d", "dir");
	file("d", "f", "contents");
	line("", "l", "link", S_IFLNK | 0777, 0, "-", "d/f");
	put("d/f", "contents");
}

static void expect_contents(int64_t handle, const char *contents)
{
	char read[64];
	size_t bytes = strlen(contents);
	assert_true(handle >= 0);
	assert_int_equal(load((uint32_t)handle, bytes), 0);
	assert_int_equal(guest_memory_read(&memory, gpa(DATA), read, bytes), 0);
	assert_memory_equal(read, contents, bytes);
	expect_no_error();
}

/* The names of a directory, each with a space behind it. */
static const char *list(int64_t handle)
{
	static char text[2000];
	const uint8_t *from = guest_memory_at(&memory, gpa(BUFFER), BUFFER_BYTES);
	int64_t count = ask(HOST_FILE_LIST, (uint32_t)handle, "", BUFFER, BUFFER_BYTES, 0);
	size_t used = 0;
	for (int64_t i = 0; i < count; i++, from += 2 + from[1])
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%.*s ", from[1], (const char *)from + 2);
	text[used] = 0;
	return text;
}

static void test_sound(void **state)
{
	static const char *const kinds[] = {"", "-zlz4hc -Enoinline_data,legacy-compress", "-Eforce-inode-extended",
	                                    "-Enoinline_data"};
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (i) {
			assert_int_equal(end(state), 0);
			assert_int_equal(begin(state), 0);
		}
		options = kinds[i];
		usual();
		make_and_show();
		assert_string_equal(list(0), "d l ");
		int64_t dir = look(0, "d"), found = look((uint32_t)dir, "f");
		assert_int_equal(looked[0].attributes.mode, S_IFREG | 0640);
		assert_int_equal(looked[0].attributes.size, 8);
		assert_int_equal(looked[0].attributes.mtime_ns, 77);
		expect_contents(found, "contents");
		assert_int_equal(look(0, "l"), found + 1);
		char target[4];
		guest_memory_read(&memory, gpa(BUFFER + sizeof(looked[0])), target, sizeof(target));
		assert_int_equal(looked[0].attributes.size, 3);
		assert_memory_equal(target, "d/f", 3);
		assert_int_equal(look(0, "none"), -ENOENT);
		assert_int_equal(look_along(0, "d/f"), 2);
		assert_int_equal(looked[1].handle, found);
		assert_int_equal(look_along(0, "d/none"), 2);
		assert_int_equal(looked[1].handle, -ENOENT);
		expect_no_error();
		assert_int_equal(eri_image_check(&image, &error), 0);
	}
}

/* Each kind has its answer. */
static void test_kinds(void **state)
{
	(void)state;
	directory("", "", "dir");
	directory("", "part", "part");
	directory("", "closed", "closed");
	directory("", "shut", "shut");
	line("", "seen", "seen", S_IFREG | 0600, 3, "-", "");
	line("", "denied", "denied", S_IFREG, 3, "-", "");
	line("", "gone", "none", 0, 0, "-", "");
	line("", "stored", "stored", S_IFREG | 0644, 1, SUM_X, "");
	line("", "external", "external", S_IFREG | 0644, 1, SUM_X, "");
	line("part", "f", "seen", S_IFREG | 0600, 3, "-", "");
	line("part", "gone", "none", 0, 0, "-", "");
	put(ERI_FILES "/" SUM_X, "x");
	make_and_show();
	assert_string_equal(list(0), "closed denied external part seen shut stored ");
	assert_int_equal(look(0, "gone"), -ENOENT);
	expect_contents(look(0, "stored"), "x");
	assert_int_equal(load((uint32_t)look(0, "denied"), 3), -EACCES);
	expect_no_error();
	int64_t handle = look(0, "seen");
	assert_int_equal(looked[0].attributes.size, 3);
	assert_int_equal(load((uint32_t)handle, 3), -ENODATA);
	expect_error("not in the image: /seen, of which the packed run used only the attributes, or which --exclude "
	             "left out; pack it with --include, or without --exclude");
	handle = look(0, "part");
	assert_int_equal(looked[0].attributes.flags, 0);
	assert_true(look((uint32_t)handle, "f") > 0);
	assert_int_equal(look((uint32_t)handle, "gone"), -ENOENT);
	expect_no_error();
	assert_int_equal(look((uint32_t)handle, "other"), -ENODATA);
	expect_error("not in the image: /part/other, for which the packed run did not look; if it is there, pack it "
	             "with --include");
	assert_string_equal(list(handle), "");
	expect_error("not in the image: the names in /part, which the packed run did not list; pack it with --include");
	handle = look(0, "closed");
	assert_int_equal(looked[0].attributes.flags, HOST_FILE_UNLISTABLE);
	assert_int_equal(ask(HOST_FILE_LIST, (uint32_t)handle, "", BUFFER, BUFFER_BYTES, 0), -EACCES);
	expect_no_error();
	assert_int_equal(look((uint32_t)handle, "other"), -ENODATA);
	expect_error("not in the image: /closed/other");
	handle = look(0, "shut");
	assert_int_equal(ask(HOST_FILE_LIST, (uint32_t)handle, "", BUFFER, BUFFER_BYTES, 0), -EACCES);
	assert_int_equal(look((uint32_t)handle, "other"), -EACCES);
	expect_no_error();
}

static void test_external(void **state)
{
	(void)state;
	directory("", "", "dir");
	line("", "f", "external", S_IFREG | 0644, 1, SUM_X, "");
	line("", "large", "external", S_IFREG | 0644, 2, SUM_X, "");
	make_and_show();
	uint32_t handle = (uint32_t)look(0, "f");
	assert_int_equal(load(handle, 1), -ENODATA);
	expect_error("the image does not contain /f; give the directory that has it by --data DIR");
	shell("mkdir %s/data && printf y >%s/data/other", base, base);
	assert_int_equal(host_supply_open(&supply, &image.manifest, at("../data"), &error), -ENOENT);
	assert_non_null(
		strstr(error.text, "no file there has the contents of /x (1 bytes, SHA-256 2d711642b726b044...)"));
	shell("printf x >%s/data/any", base);
	assert_int_equal(host_supply_open(&supply, &image.manifest, at("../data"), &error), 0);
	expect_contents(handle, "x");
	/* the table may claim another size */
	assert_int_equal(load((uint32_t)look(0, "large"), 2), -EUCLEAN);
	expect_error("the image is damaged: what it has of /large is not valid");
	put("../data/any", "y");
	assert_int_equal(load(handle, 1), -ESTALE);
	expect_error("/f changed during the run");
}

/* Contents that are not as the table says. */
static void test_contents(void **state)
{
	(void)state;
	directory("", "", "dir");
	file("", "edited", "as it was");
	file("", "longer", "longer");
	file("", "missing", "x");
	file("", "d", "x");
	file("", "linked", "x");
	file("", "sound", "x");
	line("", "unknown", "file", S_IFREG | 0644, 1, "-", "");
	line("", "stored", "stored", S_IFREG | 0644, 1, SUM_X, "");
	put("edited", "as it is!");
	put("longer", "longer!");
	put("sound", "x");
	put("unknown", "x");
	shell("ln -s sound %s/linked", tree);
	make_and_show();
	expect_contents(look(0, "sound"), "x");
	assert_int_equal(load((uint32_t)look(0, "edited"), 9), -EUCLEAN);
	expect_error("the image is damaged: its /edited has other contents than were sealed");
	static const char *const wrong[] = {"longer", "missing", "d", "linked", "unknown", "stored"};
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		char sentence[100];
		snprintf(sentence, sizeof(sentence), "the image is damaged: what it has of /%s is not valid", wrong[i]);
		int64_t handle = look(0, wrong[i]);
		assert_true(handle > 0);
		assert_int_equal(load((uint32_t)handle, looked[0].attributes.size), -EUCLEAN);
		expect_error(sentence);
	}
}

/* Compressed contents, of which each block is overwritten in turn. */
static void test_compressed(void **state)
{
	static char text[40001];
	unsigned damaged = 0;
	size_t used = 0;
	(void)state;
	for (unsigned i = 0; used + 20 < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%u\n", i * 7919 % 65537);
	directory("", "", "dir");
	file("", "f", text);
	put("f", text);
	options = "-zlz4hc -Enoinline_data,legacy-compress";
	make_and_show();
	assert_int_equal(load((uint32_t)look(0, "f"), used), 0);
	expect_no_error();
	assert_int_equal(image.bytes % 4096, 0);
	for (uint64_t i = 1; i < image.bytes / 4096; i++) {
		shell("cp %s/image %s/sound; tr '\\0' '\\377' </dev/zero | dd of=%s/image bs=4096 seek=%lu count=1 "
		      "iflag=fullblock conv=notrunc 2>/dev/null",
		      base, base, base, i);
		int64_t handle = look(0, "f"); /* the mapping shows what was written */
		if (handle >= 0 && load((uint32_t)handle, used)) {
			damaged += strstr(files.error.text, "the image is damaged: cannot read its /f") != NULL;
			assert_non_null(strstr(files.error.text, "the image is damaged: "));
		}
		files.error.text[0] = 0;
		shell("cat %s/sound >%s/image", base, base);
	}
	assert_true(damaged > 0);
	assert_true(damaged > 0);
	/* a newer index, which mkfs.erofs makes without that option */
	host_files_close(&files);
	eri_image_close(&image);
	unlink(at("../image"));
	options = "-zlz4";
	make_and_show();
	assert_int_equal(load((uint32_t)look(0, "f"), used), -EUCLEAN);
	expect_error("the image is damaged: what it has of /f is not valid");
}

/* Names and modes that the table cannot mean. A line is damaged where it is looked up, and where it is listed. */
static void test_names(void **state)
{
	static const struct {
		const char *dir, *name, *kind;
		unsigned mode;
		const char *detail;
	} cases[] = {
		{"", "w", "dir", S_IFREG | 0644, ""},
		{"", "w", "file", S_IFDIR | 0755, ""},
		{"", "w", "link", S_IFREG | 0644, "x"},
		{"", "w", "seen", S_IFCHR | 0644, ""},
		{"", "w", "odd", S_IFREG | 0644, ""},
		{"", "..", "dir", S_IFDIR | 0755, ""},
		{"", ".", "dir", S_IFDIR | 0755, ""},
		{"", "d/f", "seen", S_IFREG | 0644, ""},
		{"", "/", "seen", S_IFREG | 0644, ""},
		{"", "w\\", "seen", S_IFREG | 0644, ""},
		{"", "w\\x", "seen", S_IFREG | 0644, ""},
		{"", "l", "link", S_IFLNK | 0777, "d/f"},
		{"", "../../etc/passwd", "seen", S_IFREG | 0644, ""},
	};
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (i) {
			assert_int_equal(end(state), 0);
			assert_int_equal(begin(state), 0);
		}
		usual();
		line(cases[i].dir, cases[i].name, cases[i].kind, cases[i].mode, 0, "-", cases[i].detail);
		make_and_show();
		if (!strcmp(cases[i].name, "w")) {
			assert_int_equal(look(0, "w"), -EUCLEAN);
			expect_error("the image is damaged: what it has of /w is not valid");
		}
		list(0);
		expect_error("the image is damaged: what it has of / is not valid");
		assert_int_equal(ask(HOST_FILE_LIST_LOOK, 0, "", BUFFER, BUFFER_BYTES, 0), -EUCLEAN);
		expect_error("the image is damaged: what it has of / is not valid");
	}
}

static void test_links(void **state)
{
	static char target[2 * PATH_MAX];
	(void)state;
	usual();
	memset(target, 'x', PATH_MAX);
	line("", "empty", "link", S_IFLNK | 0777, 0, "-", "");
	line("", "escape", "link", S_IFLNK | 0777, 0, "-", "a\\x");
	line("", "out", "link", S_IFLNK | 0777, 0, "-", "../../../etc/passwd");
	line("", "tab", "link", S_IFLNK | 0777, 9999, "-", "a\\tb");
	target[PATH_MAX] = 0;
	line("", "too-long", "link", S_IFLNK | 0777, 0, "-", target);
	target[PATH_MAX - 1] = 0;
	make_and_show();
	static const char *const wrong[] = {"empty", "escape", "too-long"};
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_equal(look(0, wrong[i]), -EUCLEAN);
		expect_error("the image is damaged: what it has of /");
	}
	assert_true(look(0, "out") > 0);
	assert_int_equal(looked[0].attributes.size, 19);
	assert_true(look(0, "tab") > 0);
	assert_int_equal(looked[0].attributes.size, 3); /* of the target, not of the table */
	expect_no_error();
	/* the longest target fits into all answers */
	assert_int_equal(end(state), 0);
	assert_int_equal(begin(state), 0);
	directory("", "", "dir");
	line("", "l", "link", S_IFLNK | 0777, 0, "-", target);
	make_and_show();
	assert_true(look(0, "l") > 0);
	assert_int_equal(looked[0].attributes.size, PATH_MAX - 1);
	assert_int_equal(ask(HOST_FILE_LIST_LOOK, 0, "", BUFFER, HOST_FILE_LISTED_BYTES, 0), 1);
	expect_no_error();
}

/* A tree itself is a directory or a file. */
static void test_roots(void **state)
{
	static const char *const wrong[] = {"00\t\t\tlink\t120777\t0\t0\t-\tx\n",
	                                    "00\t\t\tnone\t0\t0\t0\t-\t\n",
	                                    "00\t\tx\tdir\t40755\t0\t0\t-\t\n",
	                                    "01\t\t\tdir\t40755\t0\t0\t-\t\n",
	                                    "",
	                                    "00\t\t\tdir\t100644\t0\t0\t-\t\n"};
	for (unsigned i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		strcpy(lines, wrong[i]);
		make();
		assert_int_equal(show("/data"), -EUCLEAN);
		expect_error("the image is damaged: what it has of /data is not valid");
		assert_int_equal(end(state), 0);
		assert_int_equal(begin(state), 0);
	}
	file("", "", "x");
	put("one", "x");
	make();
	assert_int_equal(show("/one"), 0);
	expect_contents(0, "x");
}

/* --- the image itself --- */

static void expect_refusal(const char *sentence)
{
	assert_true(eri_image_open(&image, at("../image"), &error) < 0);
	if (!strstr(error.text, sentence))
		fail_msg("'%s', not '%s'", error.text, sentence);
	assert_int_equal(image.data == NULL, true);
}

static void test_open(void **state)
{
	(void)state;
	usual();
	expect_refusal("cannot open the image ");
	mkdir(at("../image"), 0755);
	expect_refusal("it is not a regular file");
	assert_false(eri_image_is(at("../image")));
	rmdir(at("../image"));
	put("../image", "short");
	expect_refusal("/image is not a sound image: it is truncated; make or copy it again");
	shell("head -c 8192 /dev/zero >%s/image", base);
	expect_refusal("/image is not a sound image: it is not an EROFS image");
	assert_false(eri_image_is(at("../image")));
	make();
	assert_true(eri_image_is(at("../image")));
	assert_int_equal(eri_image_open(&image, at("../image"), &error), 0);
	assert_null(eri_image_step(&image, "none"));
	assert_ptr_equal(eri_image_step(&image, "run"), &image.manifest.steps[0]);
	assert_int_equal(strlen(image.identity), 64);
	assert_int_equal(eri_image_load(&image, "d/f", 7, NULL, &table, &error), -EFBIG);
	assert_int_equal(eri_image_load(&image, "d", 100, NULL, &table, &error), -EUCLEAN);
	assert_int_equal(eri_image_load(&image, "d/../d/f", 100, NULL, &table, &error), -ENOENT);
	assert_int_equal(eri_image_load(&image, "../image", 100, NULL, &table, &error), -ENOENT);
	assert_non_null(strstr(error.text, "/image is not a sound image: cannot read its ../image: No such file"));
	assert_int_equal(eri_image_load(&image, "d/f", 100, SUM_X, &table, &error), -EUCLEAN);
	assert_non_null(strstr(error.text, "/image is not a sound image: its d/f is damaged or was edited"));
	assert_int_equal(eri_image_load(&image, "d/f", 100, hash_of("contents"), &table, &error), 0);
	int fd = eri_image_memfd(&image, "d/f", hash_of("contents"), &error);
	char read[9] = "";
	assert_int_equal(pread(fd, read, 8, 0), 8);
	assert_string_equal(read, "contents");
	close(fd);
	shell("printf x >>%s/image", base);
	assert_int_equal(eri_image_check(&image, &error), -ESTALE);
	assert_non_null(strstr(error.text, "/image changed during the run"));
	eri_image_close(&image);
	unlink(at(ERI_MANIFEST));
	make();
	assert_false(eri_image_is(at("../image")));
	expect_refusal("cannot read its .eremite/manifest.json: No such file");
	put(ERI_MANIFEST, "{}");
	make();
	expect_refusal("/image is not a sound image: its manifest has no identity");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup_teardown(test_sound, begin, end),
	cmocka_unit_test_setup_teardown(test_kinds, begin, end),
	cmocka_unit_test_setup_teardown(test_external, begin, end),
	cmocka_unit_test_setup_teardown(test_contents, begin, end),
	cmocka_unit_test_setup_teardown(test_names, begin, end),
	cmocka_unit_test_setup_teardown(test_links, begin, end),
	cmocka_unit_test_setup_teardown(test_compressed, begin, end),
	cmocka_unit_test_setup_teardown(test_roots, begin, end),
	cmocka_unit_test_setup_teardown(test_open, begin, end),
};

TAP_MAIN(tests)
