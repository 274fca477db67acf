/* SPDX-License-Identifier: MIT */
/* Sealed images, as anybody may send them: the input is a whole image. Its manifest and its tables of names are read,
 * its outputs are loaded, all its files are checked, and a guest looks at, lists and loads everything that the trees of
 * its steps show. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "eri/eri_check.h"
#include "eri/eri_image.h"
#include "hostfs/tree/binds.h"
#include "hostfs/host_check.h"
#include "hostfs/tree/host_sealed.h"
#include "tests/fuzz/fuzz.h"

#define CONTENT_MAX (1UL << 24)
#define OBJECTS_MAX 200U /* a small table may show many directories */
#define REQUEST ARENA
#define BUFFER (ARENA + 0x10000)
#define DATA (ARENA + 0x30000)
#define DATA_BYTES 0x80000UL
#define LOOK_BYTES (HOST_FILE_LOOK_BYTES)

static struct eri_image image;
static struct host_files files;
static int fd = -1;

/* Writes the identity of the manifest into an image, whose other bytes may be any: nobody could edit one otherwise. */
static void seal(uint8_t *data, size_t size)
{
	struct erofs_file file;
	struct erofs_node node;
	struct error error;
	char digits[DIGEST_TEXT_BYTES];
	uint8_t sum[DIGEST_BYTES];
	size_t at;
	if (erofs_file_open(&file, data, size, &error) || erofs_file_find(&file, ERI_MANIFEST, &node) ||
	    !S_ISREG(node.mode) || node.size > CONTENT_MAX)
		return;
	char *text = malloc(node.size + 1);
	if (!text)
		abort();
	if (!erofs_file_read(&file, &node, text, node.size, 0) && eri_manifest_identity(text, node.size, &at, sum)) {
		uint8_t *old = memmem(data, size, text + at, 2 * DIGEST_BYTES);
		digest_text(sum, digits);
		if (old)
			memcpy(old, strchr(digits, ':') + 1, 2 * DIGEST_BYTES);
	}
	free(text);
}

/* Makes the file that is opened. */
static void put(const uint8_t *data, size_t size, char path[64])
{
	if (fd < 0)
		fd = memfd_create("image", MFD_CLOEXEC);
	snprintf(path, 64, "/proc/self/fd/%d", fd);
	if (fd < 0 || ftruncate(fd, 0) || pwrite(fd, data, size, 0) != (ssize_t)size)
		abort();
}

/* --- tables --- */

/* Each line is found by its path, and with the names of its directory, unless the table is not sorted. */
static void read_names(const struct eri_names *names)
{
	static struct eri_bytecode bytecode;
	static char path[PATH_MAX];
	struct eri_name name, found;
	size_t at = 0, before = 0;
	unsigned tree, lines = 0;
	int more;
	while ((more = eri_names_line(names, &at, &tree, path, &name)) > 0 && lines++ < OBJECTS_MAX) {
		size_t next = 0;
		char *slash = strrchr(path, '/'), text[PATH_MAX];
		if (tree >= ERI_NAMES_TREES_MAX || at <= before || at > names->bytes || name.kind >= ERI_KINDS ||
		    name.mode > 0177777 || name.size > INT64_MAX)
			abort();
		before = at;
		int result = eri_names_find(names, tree, path, &found);
		if (result && result != -ENOENT && result != -EUCLEAN)
			abort();
		if (eri_names_bytecode(&name, &bytecode) > 0 && strlen(bytecode.dir) >= PATH_MAX)
			abort();
		eri_names_text(name.detail, name.detail_bytes, text, sizeof(text));
		if (slash)
			*slash = 0;
		for (unsigned i = 0; i < 20; i++)
			if (eri_names_next(names, tree, slash ? path : "", &next, &found) <= 0)
				break;
			else if (!found.name_bytes || next > names->bytes)
				abort();
	}
	if (more < 0 && more != -EUCLEAN)
		abort();
	eri_names_find(names, 0, "none", &found);
}

/* --- a guest --- */

static int64_t ask(uint32_t op, uint32_t handle, const char *name, uint64_t bytes, uint64_t offset)
{
	struct host_file_request request = {
		.op = op, .handle = handle, .buffer = BUFFER, .buffer_bytes = bytes, .offset = offset};
	strncpy(request.name, name, sizeof(request.name) - 1);
	guest_memory_write(&memory, gpa(REQUEST), &request, sizeof(request));
	int64_t answer = host_files_serve(&files, &memory, gpa(REQUEST));
	const bool is_stopped = files.error.text[0];
	if (!is_stopped && answer < -4095)
		abort();
	if (strstr(files.error.text, "invalid request")) /* the image is wrong, not the guest */
		abort();
	files.error.text[0] = 0;
	return is_stopped ? -EUCLEAN : answer;
}

static void load(uint32_t handle, uint64_t size)
{
	const struct host_file_piece pieces[] = {{DATA, size / 2}, {DATA + size / 2, size - size / 2}};
	if (size > DATA_BYTES)
		return;
	guest_memory_write(&memory, gpa(BUFFER), pieces, sizeof(pieces));
	ask(HOST_FILE_LOAD, handle, "", sizeof(pieces), 0);
}

/* Looks at an object, lists it and loads it; all names that it has become objects. */
static void visit(uint32_t handle)
{
	static const char *const names[] = {"none", "f", "d", "d/f", "l"};
	struct host_file_looked looked;
	if (ask(HOST_FILE_LOOK, handle, "", LOOK_BYTES, 0) < 1)
		return;
	guest_memory_read(&memory, gpa(BUFFER), &looked, sizeof(looked));
	if (looked.handle != handle || looked.attributes.size > INT64_MAX)
		abort();
	if (S_ISREG(looked.attributes.mode))
		load(handle, looked.attributes.size);
	if (!S_ISDIR(looked.attributes.mode))
		return;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		ask(HOST_FILE_LOOK, handle, names[i], LOOK_BYTES, 0);
	int64_t count = ask(HOST_FILE_LIST, handle, "", 0x10000, 0);
	int64_t again = ask(HOST_FILE_LIST_LOOK, handle, "", 0x10000, 0);
	if (count < 0 ? again >= 0 : again > count)
		abort();
}

static void see(const struct eri_step *step, const struct eri_names *names)
{
	static struct host_tree trees[ERI_TREES_MAX];
	static struct host_sealed sealed[ERI_TREES_MAX];
	struct error error;
	for (unsigned i = 0; i < step->tree_count; i++) {
		if (!binds_is_guest_path(step->trees[i].guest))
			return;
		sealed[i] = (struct host_sealed){.image = &image, .names = names, .tree = i};
		trees[i] = (struct host_tree){.guest = step->trees[i].guest, .sealed = &sealed[i]};
	}
	if (host_files_open(&files, trees, step->tree_count, &error))
		abort();
	files.hash = files.times = files.bytecode_times = true;
	if (!host_files_begin(&files))
		for (uint32_t i = 0; i < files.objects.count && i < OBJECTS_MAX; i++)
			visit(i);
	host_files_check(&files);
	host_files_close(&files);
}

/* --- the whole --- */

static void read_step(const struct eri_step *step)
{
	struct eri_block block;
	struct eri_names names;
	struct error error = {0};
	char path[PATH_MAX];
	if (eri_image_step(&image, step->name) != step)
		abort();
	for (unsigned i = 0; i < step->option_count; i++)
		eri_manifest_takes(step->options[i]);
	for (unsigned i = 0; i < step->output_count && i < OBJECTS_MAX; i++) {
		const struct eri_output *output = &step->outputs[i];
		if (!eri_image_load(&image, output->stored, CONTENT_MAX, output->sha256, &block, &error))
			free(block.copy);
		else if (!error.text[0])
			abort();
	}
	eri_image_step_path(step, "names", path);
	if (!eri_image_load(&image, path, CONTENT_MAX, step->names_sha256, &block, &error))
		free(block.copy);
	if (eri_image_load(&image, path, CONTENT_MAX, NULL, &block, &error)) /* whatever its SHA-256 */
		return;
	if (!eri_names_open(&names, block.data, block.bytes, &error)) {
		read_names(&names);
		see(step, &names);
	}
	free(block.copy);
}

/* Checks all files: the result does not depend on the number of threads. */
static void check_all(void)
{
	struct error errors[2] = {0};
	int results[2];
	for (unsigned i = 0; i < 2; i++)
		results[i] = eri_check(&image, i ? 3 : 1, NULL, &errors[i]);
	if (results[0] != results[1] || strcmp(errors[0].text, errors[1].text) || (results[0] && !errors[0].text[0]))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	char path[64];
	uint8_t *copy = malloc(size + 1), *exact = malloc(size);
	if (!copy || !exact)
		abort();
	fuzz_begin(data, size);
	memcpy(copy, data, size);
	seal(copy, size);
	put(copy, size, path);
	memcpy(exact, copy, size);
	int result = eri_image_open(&image, path, &error);
	if (result ? !error.text[0] : !eri_image_is(path))
		abort();
	if (!result) {
		image.files.data = exact; /* of that size, so that what is read behind it is noticed */
		for (unsigned i = 0; i < image.manifest.step_count; i++)
			read_step(&image.manifest.steps[i]);
		check_all();
		if (eri_image_check(&image, &error))
			abort();
		eri_image_close(&image);
	}
	free(exact);
	free(copy);
	return 0;
}
