/* SPDX-License-Identifier: MIT */
#include "session/record_about.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "abi/image.h"
#include "base/commit.h"
#include "base/die.h"
#include "base/error.h"
#include "base/version.h"
#include "base/whole_file.h"
#include "base/write_all.h"
#include "session/option_defaults.h"
#include "session/redact_option.h"
#include "eri/eri_contract.h"
#include "eri/eri_kernel.h"
#include "guest/image.h"

#define DEFINITION "digest_definition"
#define CONTRACT "contract"
#define KERNEL "kernel"
#define KERNEL_BYTES_MAX (64UL << 20) /* of a recording; those of releases have less than 5 MB */

/* The SHA-256 of what a run loads of a kernel, or of a native image; fd -1: `path` is opened. Returns false with one
 * line in *error. */
static bool hash_kernel(const char *path, int fd, char text[DIGEST_TEXT_BYTES], struct error *error)
{
	uint8_t sum[DIGEST_BYTES];
	if (image_hash(&(struct image_source){.path = path, .fd = fd}, sum, error))
		return false;
	digest_text(sum, text);
	return true;
}

/* That of the kernel, or native image, of this run. */
static void hash_own_kernel(const struct session *session, char text[DIGEST_TEXT_BYTES])
{
	struct error error;
	if (!hash_kernel(session->run.image, -1, text, &error))
		die("%s", error.text);
}

/* Copies the kernel of a Linux program, as far as a run loads it. An image has sealed its own. */
static void keep_kernel(const struct session *session)
{
	struct error error;
	uint64_t bytes;
	if (session->sealed || !session->run.linux_program)
		return;
	if (image_loaded_bytes(&(struct image_source){.path = session->run.image, .fd = -1}, &bytes, &error) ||
	    recording_add_kernel(session->record_path, session->run.image, bytes, &error))
		die("%s", error.text);
}

/* The version of the contract that a replay needs, as far as the options say. */
static unsigned contract_of(const struct session *session, const struct record_given *defaults)
{
	unsigned needed = IMAGE_ABI_NEEDED;
	for (unsigned i = 0; i < 2; i++) {
		const struct record_given *inputs = i ? defaults : &session->given;
		const unsigned options = eri_contract_of(inputs->inputs, inputs->input_count);
		needed = options > needed ? options : needed;
	}
	return needed;
}

void record_about_write(const struct session *session, const struct redact *redact, struct recording *recording)
{
	char about[512], kernel[DIGEST_TEXT_BYTES];
	struct record_given defaults = {0};
	option_defaults_list(session, &defaults);
	for (unsigned i = 0; i < defaults.input_count; i++)
		if (!strncmp(defaults.inputs[i], "--workdir=", 10)) /* the others are eremite's own */
			defaults.inputs[i] = redact_option_input(redact, defaults.inputs[i]);
	hash_own_kernel(session, kernel);
	snprintf(about, sizeof(about), "eremite %s\n%s%s%s" CONTRACT " %u\n" DEFINITION " %u\n" KERNEL " %s\n",
	         EREMITE_VERSION, *commit_text ? "commit " : "", commit_text, *commit_text ? "\n" : "",
	         contract_of(session, &defaults), DIGEST_DEFINITION, kernel);
	recording_about(recording, defaults.inputs, defaults.input_count, about);
	free(defaults.inputs);
	keep_kernel(session);
}

/* The release whose kernel a file is, or NULL. */
static const struct eri_kernel *kernel_release(int fd)
{
	struct error error;
	char path[40], hex[DIGEST_HEX_BYTES];
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (digest_file(path, hex, &error))
		die("%s", error.text);
	return eri_kernel_find(hex);
}

/* Copies a kernel into memory, so that the one that was checked is the one that runs. Returns -1 if it is no regular
 * file, or too large. */
static int copy_kernel(const char *path)
{
	void *bytes;
	size_t count;
	const int result = whole_file_read(path, KERNEL_BYTES_MAX, &bytes, &count);
	if (result == -ENOENT || result == -EINVAL || result == -EFBIG)
		return -1;
	if (result)
		die("cannot read %s: %s", path, strerror(-result));
	const int fd = memfd_create("eremite kernel", MFD_CLOEXEC);
	if (fd < 0 || write_all(fd, bytes, count, 0))
		die("cannot copy %s into memory: %s", path, strerror(errno));
	free(bytes);
	return fd;
}

/* What made the recording, for messages. */
static void describe_maker(const struct replay *replay, char text[160])
{
	char version[128], commit[128];
	replay_about(replay, "eremite", version);
	replay_about(replay, "commit", commit);
	snprintf(text, 160, "eremite %.40s%s%.60s", version, *commit ? ", commit " : "", commit);
}

/* Takes the kernel that the recording has kept, instead of this eremite's. */
static void take_kernel(struct session *session, const char *recorded, const char *maker, const char *own)
{
	const char *dir = session->run.replay->dir;
	struct error error;
	char kernel[DIGEST_TEXT_BYTES], *path;
	if (asprintf(&path, "%s/" RECORDING_KERNEL, dir) < 0)
		die("out of memory");
	const int fd = copy_kernel(path);
	if (fd < 0)
		die("the recording %s was made with the kernel %s of %s, which it lacks, and this eremite has the "
		    "kernel %s; replay it by that eremite",
		    dir, recorded, maker, own);
	if (!hash_kernel(path, fd, kernel, &error) || strcmp(kernel, recorded)) /* damaged, or another one */
		die("the kernel in %s is not the one that the recording was made with (%s)", path, recorded);
	session->run.image = path;
	session->run.image_file = fd;
	run_config_keep(&session->run, fd);
	if (session->verbosity < 0)
		return;
	const struct eri_kernel *known = kernel_release(fd);
	if (known)
		say("the recording is replayed with its own kernel, of Eremite %s", known->version);
	else
		say("the recording is replayed with its own kernel, which is not one of Eremite's releases; trust it "
		    "as "
		    "you trust the recording");
}

void record_about_check_contract(const struct replay *replay)
{
	char recorded[128], maker[160];
	if (!replay_about(replay, CONTRACT, recorded) || strtoull(recorded, NULL, 10) <= IMAGE_ABI_VERSION)
		return;
	describe_maker(replay, maker);
	die("the recording %s needs version %s of the contract, and this eremite (" EREMITE_VERSION
	    ") has version %u; replay it by %s or a newer one",
	    replay->dir, recorded, IMAGE_ABI_VERSION, maker);
}

void record_about_check(struct session *session)
{
	const struct replay *replay = session->run.replay;
	char recorded[128], maker[160], kernel[DIGEST_TEXT_BYTES];
	if (!replay)
		return;
	describe_maker(replay, maker);
	if (replay_about(replay, DEFINITION, recorded) && strtoull(recorded, NULL, 10) - 1 >= DIGEST_DEFINITION)
		die("the recording %s has a digest of definition %s, and this eremite (" EREMITE_VERSION
		    ") computes definition %u; replay it by %s",
		    replay->dir, recorded, DIGEST_DEFINITION, maker);
	/* An image has sealed its kernel. A native image is the program, too: where it differs, the replay says so. */
	if (session->sealed || !session->run.linux_program || !replay_about(replay, KERNEL, recorded))
		return;
	hash_own_kernel(session, kernel);
	if (strcmp(kernel, recorded))
		take_kernel(session, recorded, maker, kernel);
}
