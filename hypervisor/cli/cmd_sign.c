/* SPDX-License-Identifier: MIT */
/* `eremite sign`: makes a detached signature of a sealed image. An image whose files are not those that its identity
 * covers is not signed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "cli/cmd.h"
#include "cmdline/option_argp.h"
#include "cmdline/results_format.h"
#include "cmdline/verb_option.h"
#include "eri/eri_check.h"
#include "option/verb_options.h"
#include "sealed/image_sign.h"
#include "sealed/image_text.h"

struct sign_option {
	const char *key, *image;
};

OPTION_SETS(take_sign_key, struct sign_option, key, text)

static error_t parse(int key, char *argument, struct argp_state *state)
{
	struct sign_option *option = state->input;
	static void (*const takes[])(struct sign_option *, char *) = {SIGN_OPTIONS(OPTION_TAKE)};
	const struct option_row *row = option_argp_row(option_table_sign, key);
	if (row) {
		takes[row - option_table_sign](option, argument);
		return 0;
	}
	switch (key) {
	case ARGP_KEY_ARG:
		if (state->arg_num)
			die("sign: one image at a time; '%s' is a second one", argument);
		option->image = argument;
		return 0;
	case ARGP_KEY_END:
		if (!option->image)
			die("sign: no image given; see 'eremite sign --help'");
		if (!option->key)
			die("sign: give a key of ssh-keygen by --key FILE, such as --key ~/.ssh/id_ed25519");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

int cmd_sign(int argc, char **argv)
{
	static const struct argp argp = {
		.parser = parse,
		.args_doc = "FILE.eri",
		.doc = "Sign the image FILE.eri by 'ssh-keygen -Y sign', and write the signature to FILE.eri.sig. "
		       "'eremite verify --signed-by KEYS FILE.eri' checks it.",
	};
	static struct eri_image image; /* too large for a stack */
	struct sign_option option = {0};
	struct error error;
	verb_option_parse(&argp, option_table_sign, argc, argv, &option);
	if (image_sign_check_tool(error.text) || eri_image_open(&image, option.image, error.text) ||
	    eri_check(&image, results_format_jobs(), NULL, error.text) || image_sign_make(&image, option.key, &error))
		die("sign: %s", error.text);
	image_text_print(stdout, "%s.sig: signature of the identity %s", option.image, image.identity);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	eri_image_close(&image);
	return 0;
}
