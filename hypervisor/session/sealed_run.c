/* SPDX-License-Identifier: MIT */
#include "session/sealed_run.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/text.h"
#include "base/write_all.h"
#include "guest/image.h"
#include "hostfs/tree/binds.h"
#include "record/record_log.h"
#include "record/recording.h"

#define NAMES_BYTES_MAX (1UL << 32)
#define INPUT_BYTES_MAX (1UL << 36)
#define SYMBOLS_BYTES_MAX (1UL << 26)
#define EVENTS_BYTES_MAX (1UL << 28)

const char *sealed_run_schedule(const struct sealed_run *sealed)
{
	struct error error;
	char path[PATH_MAX], *name;
	if (!*sealed->step->schedule_sha256)
		return NULL;
	eri_image_step_path(sealed->step, ERI_STEP_SCHEDULE, path);
	int fd = eri_image_memfd(&sealed->image, path, sealed->step->schedule_sha256, &error);
	if (fd < 0)
		die("%s", error.text);
	if (asprintf(&name, "/proc/self/fd/%d", fd) < 0)
		die("out of memory");
	return name;
}

void sealed_run_open(struct sealed_run *sealed, const char *path)
{
	struct error error;
	if (eri_image_open(&sealed->image, path, &error))
		die("%s", error.text);
}

/* Finds a path of the guest in the sealed tree that is nearest above it. */
static bool find_sealed(const struct sealed_run *sealed, const char *path, struct eri_name *name)
{
	const struct host_tree *best = NULL;
	size_t longest = 0;
	for (unsigned i = 0; i < sealed->step->tree_count; i++) {
		const char *guest = sealed->trees[i].guest;
		size_t length = guest[1] ? strlen(guest) : 0;
		if (!strncmp(path, guest, length) && strchr("/", path[length]) && (!best || length > longest)) {
			best = &sealed->trees[i];
			longest = length;
		}
	}
	path += longest;
	return best && !host_sealed_find(best, path + (*path == '/'), name);
}

/* Adds the trees of the host that were given, which take the place of sealed files. */
static unsigned add_binds(struct sealed_run *sealed, const struct binds *binds)
{
	const struct eri_step *step = sealed->step;
	struct eri_name name;
	unsigned count = step->tree_count;
	for (unsigned i = BINDS_FIRST; i < BINDS_FIRST + binds->count; i++) {
		const struct host_tree *tree = &binds->trees[i];
		if (count == BOOT_HOST_ROOTS_MAX)
			die("run: the image %s and --bind have more than %u trees; give fewer", sealed->image.path,
			    BOOT_HOST_ROOTS_MAX);
		if (binds->replaces[i] && !find_sealed(sealed, tree->guest, &name))
			die("run: --replace %s=%s: the image has no such path; eremite info --json %s lists its files",
			    tree->guest, tree->host, sealed->image.path);
		sealed->trees[count++] = *tree;
	}
	return count;
}

static void open_trees(struct sealed_run *sealed, const struct binds *binds, struct host_files *files)
{
	const struct eri_step *step = sealed->step;
	struct error error;
	char path[PATH_MAX];
	eri_image_step_path(step, ERI_STEP_NAMES, path);
	if (eri_image_load(&sealed->image, path, NAMES_BYTES_MAX, step->names_sha256, &sealed->names_text, &error))
		die("%s", error.text);
	if (eri_names_open(&sealed->names, sealed->names_text.data, sealed->names_text.bytes, &error))
		die("%s is not a sound image: %s", sealed->image.path, error.text);
	for (unsigned i = 0; i < step->tree_count; i++) {
		sealed->sealed[i] =
			(struct host_sealed){.image = &sealed->image,
		                             .names = &sealed->names,
		                             .tree = i,
		                             .supply = &sealed->supply,
		                             .is_another = sealed->mark.override_count > 0 || !step->was_run,
		                             .never_ran = !step->was_run,
		                             .is_checked = sealed->is_checked};
		sealed->trees[i] = (struct host_tree){.guest = step->trees[i].guest,
		                                      .read_only = step->trees[i].read_only,
		                                      .sealed = &sealed->sealed[i]};
		if (!binds_is_guest_path(step->trees[i].guest))
			die("%s is not a sound image: its manifest shows the program files at '%s'", sealed->image.path,
			    step->trees[i].guest);
	}
	if (host_files_open(files, sealed->trees, add_binds(sealed, binds), &error))
		die("%s", error.text);
}

/* Checks what a run loads of a kernel that is used where it lies: its symbols need not be read. */
static void check_loaded(const struct sealed_run *sealed, const struct image_source *kernel, const char *path)
{
	struct error error;
	char text[DIGEST_TEXT_BYTES];
	uint8_t sum[DIGEST_BYTES];
	if (image_hash(kernel, sum, &error))
		die("%s", error.text);
	digest_text(sum, text);
	if (strcmp(strchr(text, ':') + 1, sealed->step->kernel_loaded_sha256))
		die("%s is not a sound image: its %s is damaged or was edited", sealed->image.path, path);
}

/* Finds the symbols of the kernel, for reports: in the image, or in the copy of a compressed kernel, behind it. Where
 * they cannot be read, reports do without. */
static void find_symbols(const struct sealed_run *sealed, struct image_source *source)
{
	struct eri_block block;
	struct error error;
	struct stat st;
	if (source->fd == sealed->image.fd) {
		if (!eri_image_part(&sealed->image, ERI_KERNEL_SYMBOLS, &source->symbols_offset,
		                    &source->symbols_bytes))
			source->symbols_bytes = 0;
		return;
	}
	if (fstat(source->fd, &st) || eri_image_load(&sealed->image, ERI_KERNEL_SYMBOLS, SYMBOLS_BYTES_MAX,
	                                             sealed->step->kernel_symbols_sha256, &block, &error))
		return;
	if (!write_all(source->fd, block.data, block.bytes, st.st_size)) {
		source->bytes = (uint64_t)st.st_size;
		source->symbols_offset = source->bytes;
		source->symbols_bytes = block.bytes;
	}
	free(block.copy);
}

void sealed_run_open_kernel(struct sealed_run *sealed, struct run_config *config)
{
	struct error error;
	char path[PATH_MAX] = ERI_KERNEL;
	struct image_source source = {.path = sealed->image.path, .fd = sealed->image.fd};
	if (!sealed->step->is_linux)
		eri_image_step_path(sealed->step, ERI_STEP_KERNEL, path);
	if (*sealed->step->kernel_loaded_sha256 &&
	    eri_image_part(&sealed->image, path, &source.offset, &source.bytes)) {
		check_loaded(sealed, &source, path);
	} else { /* compressed */
		source.fd = eri_image_memfd(&sealed->image, path, sealed->step->kernel_sha256, &error);
		if (source.fd < 0)
			die("%s", error.text);
		run_config_keep(config, source.fd);
	}
	if (*sealed->step->kernel_symbols_sha256)
		find_symbols(sealed, &source);
	config->image = sealed->image.path;
	config->image_symbols_offset = source.symbols_offset;
	config->image_symbols_bytes = source.symbols_bytes;
	config->image_file = source.fd;
	config->image_offset = source.offset;
	config->image_bytes = source.bytes;
	config->linux_program = sealed->step->is_linux;
	sealed->mark.identity = sealed->image.identity;
	sealed->mark.step = sealed->step->name;
	sealed->mark.overrides = sealed->overrides;
	config->sealed = &sealed->mark;
}

void sealed_run_recording(const struct sealed_run *sealed, bool verifies, struct replay *replay)
{
	static const char *const names[] = {ERI_STEP_RECORDING "/" RECORDING_LOG,
	                                    ERI_STEP_RECORDING "/" RECORDING_CAPTURE};
	struct error error;
	char path[PATH_MAX];
	int fds[2];
	if (sealed->mark.override_count || sealed->mark.other_arguments)
		die("run: the image %s repeats a recording, which takes no other options or arguments; leave them out",
		    sealed->image.path);
	if (verifies)
		die("run: --verify cannot go with the image %s, which repeats a recording; compare it by eremite "
		    "verify",
		    sealed->image.path);
	for (unsigned i = 0; i < 2; i++) {
		eri_image_step_path(sealed->step, names[i], path);
		fds[i] = eri_image_memfd(&sealed->image, path,
		                         i ? sealed->step->capture_sha256 : sealed->step->log_sha256, &error);
		if (fds[i] < 0)
			die("%s", error.text);
	}
	lseek(fds[0], 0, SEEK_SET);
	if (replay_open_files(replay, sealed->image.path, fds[0], fds[1], &error))
		die("%s", error.text);
}

void sealed_run_open_root(struct sealed_run *sealed, struct root *root)
{
	struct error error;
	char path[PATH_MAX];
	uint64_t offset, bytes;
	int fd = sealed->image.fd, copy = -1;
	struct stat st;
	eri_image_step_path(sealed->step, ERI_STEP_ROOT, path);
	if (!eri_image_part(&sealed->image, path, &offset, &bytes)) { /* compressed */
		fd = copy = eri_image_memfd(&sealed->image, path, sealed->step->root_sha256, &error);
		if (fd < 0 || fstat(fd, &st))
			die("%s", error.text);
		bytes = (uint64_t)st.st_size;
	}
	if (root_open_part(root, sealed->image.path, fd, offset, bytes, &error))
		die("%s", error.text);
	if (copy >= 0)
		close(copy);
}

static void open_input(struct sealed_run *sealed, struct run_config *config)
{
	struct error error;
	char path[PATH_MAX];
	struct input *input = &sealed->input;
	struct eri_block text;
	if (!*sealed->step->stdin_sha256)
		return;
	eri_image_step_path(sealed->step, ERI_STEP_STDIN, path);
	if (eri_image_load(&sealed->image, path, INPUT_BYTES_MAX, sealed->step->stdin_sha256, &text, &error))
		die("%s", error.text);
	*input = (struct input){
		.kept = (uint8_t *)text.copy, .kept_bytes = text.bytes, .ended = true}; /* which frees it */
	config->input = input;
}

/* Loads what the programs are patched by. */
static void open_code(struct sealed_run *sealed, struct run_config *config)
{
	struct error error;
	char path[PATH_MAX];
	struct eri_block block;
	if (!*sealed->step->code_sha256)
		return;
	snprintf(path, sizeof(path), ERI_CODE "/%s", sealed->step->code_sha256);
	if (eri_image_load(&sealed->image, path, CODE_SEALED_BYTES_MAX, sealed->step->code_sha256, &block, &error))
		die("%s", error.text);
	if (code_sealed_read(&sealed->code, block.data, block.bytes, &error))
		die("%s is not a sound image: %s", sealed->image.path, error.text);
	free(block.copy);
	config->code_sealed = &sealed->code;
}

void sealed_run_open_files(struct sealed_run *sealed, struct run_config *config, const struct binds *binds,
                           struct host_files *files, const char *data)
{
	struct error error;
	if (sealed->step->tree_count && *sealed->step->names_sha256)
		open_trees(sealed, binds, files);
	else if (binds->count)
		die("run: the image %s has no files that --bind and --replace could take the place of; leave them out",
		    sealed->image.path);
	if (data && host_supply_open(&sealed->supply, &sealed->image.manifest, data, &error))
		die("%s", error.text);
	if (!data && sealed->image.manifest.external_count)
		die("run: the image %s needs %u file%s that it does not contain; give their directory by --data DIR "
		    "(eremite info %s lists them)",
		    sealed->image.path, sealed->image.manifest.external_count,
		    text_s(sealed->image.manifest.external_count), sealed->image.path);
	open_input(sealed, config);
	open_code(sealed, config);
	run_config_keep(config, sealed->image.fd);
	if (config->kept_count + sealed->supply.count > KEPT_MAX)
		die("run: --data has more than %u files for this image", KEPT_MAX - config->kept_count);
	for (unsigned i = 0; i < sealed->supply.count; i++)
		run_config_keep(config, sealed->supply.files[i].fd);
}

void sealed_run_events(const struct sealed_run *sealed, struct eri_block *block)
{
	struct error error;
	char path[PATH_MAX];
	eri_image_step_path(sealed->step, ERI_STEP_EVENTS, path);
	if (eri_image_load(&sealed->image, path, EVENTS_BYTES_MAX, sealed->step->events_sha256, block, &error))
		die("%s", error.text);
}

void sealed_run_leave_check(struct sealed_run *sealed, const struct stat *checked)
{
	if (!mapped_file_is_same(&sealed->image.was, checked))
		die("the image %.160s was replaced during the run; verify it again", sealed->image.path);
	sealed->is_checked = true;
}

int sealed_run_check(const struct sealed_run *sealed, struct error *error)
{
	return eri_image_check(&sealed->image, error);
}

void sealed_run_close(struct sealed_run *sealed)
{
	host_supply_close(&sealed->supply);
	input_fini(&sealed->input);
	free(sealed->names_text.copy);
	free(sealed->overrides);
	code_sealed_fini(&sealed->code);
	eri_image_close(&sealed->image);
}
