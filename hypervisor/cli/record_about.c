/* SPDX-License-Identifier: MIT */
#include "cli/record_about.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/image.h"
#include "base/commit.h"
#include "base/die.h"
#include "base/version.h"
#include "cli/option_defaults.h"
#include "cli/redact_option.h"
#include "guest/image.h"

#define DEFINITION "digest_definition"
#define KERNEL "kernel"

/* The SHA-256 of what a run loads of its kernel, or of its native image. */
static void hash_kernel(const struct run_config *run, char text[DIGEST_TEXT_BYTES])
{
	char error[IMAGE_ERROR_BYTES];
	uint8_t sum[DIGEST_BYTES];
	if (image_hash(&(struct image_source){.path = run->image, .fd = -1}, sum, error))
		die("%s", error);
	digest_text(sum, text);
}

void record_about_write(const struct options *options, const struct redact *redact, struct recording *recording)
{
	char about[512], kernel[DIGEST_TEXT_BYTES];
	struct record_given defaults = {0};
	option_defaults_list(options, &defaults);
	for (unsigned i = 0; i < defaults.input_count; i++)
		if (!strncmp(defaults.inputs[i], "--workdir=", 10)) /* the others are eremite's own */
			defaults.inputs[i] = redact_option_input(redact, defaults.inputs[i]);
	hash_kernel(&options->run, kernel);
	snprintf(about, sizeof(about), "eremite %s\n%s%s%scontract %u\n" DEFINITION " %u\n" KERNEL " %s\n",
	         EREMITE_VERSION, *commit_text ? "commit " : "", commit_text, *commit_text ? "\n" : "",
	         IMAGE_ABI_VERSION, DIGEST_DEFINITION, kernel);
	recording_about(recording, defaults.inputs, defaults.input_count, about);
	free(defaults.inputs);
}

/* What made the recording, for messages. */
static void describe_maker(const struct replay *replay, char text[160])
{
	char version[128], commit[128];
	replay_about(replay, "eremite", version);
	replay_about(replay, "commit", commit);
	snprintf(text, 160, "eremite %.40s%s%.60s", version, *commit ? ", commit " : "", commit);
}

void record_about_check(const struct options *options)
{
	const struct replay *replay = options->run.replay;
	char recorded[128], maker[160], kernel[DIGEST_TEXT_BYTES];
	if (!replay)
		return;
	describe_maker(replay, maker);
	if (replay_about(replay, DEFINITION, recorded) && strtoull(recorded, NULL, 10) - 1 >= DIGEST_DEFINITION)
		die("the recording %s has a digest of definition %s, and this eremite (" EREMITE_VERSION
		    ") computes definition %u; replay it by %s",
		    replay->dir, recorded, DIGEST_DEFINITION, maker);
	/* An image has sealed its kernel. A native image is the program, too: where it differs, the replay says so. */
	if (options->sealed || !options->run.linux_program || !replay_about(replay, KERNEL, recorded))
		return;
	hash_kernel(&options->run, kernel);
	if (strcmp(kernel, recorded))
		die("the recording %s was made with the kernel %s of %s, and this eremite has the kernel %s; replay it "
		    "by that eremite",
		    replay->dir, recorded, maker, kernel);
}
