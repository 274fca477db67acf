/* SPDX-License-Identifier: MIT */
/* `eremite sign`: makes a detached signature of a sealed image. An image whose files are not those that its identity
 * covers is not signed. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/error.h"
#include "cli/cmd.h"
#include "cmdline/results_format.h"
#include "cmdline/verb_option.h"
#include "eri/eri_check.h"
#include "option/verb_options.h"
#include "sealed/image_sign.h"
#include "sealed/image_text.h"

struct sign_option {
	const char *key;
};

OPTION_SETS(take_sign_key, struct sign_option, key, text)

static void take_sign_option(void *option, size_t row, char *text)
{
	static void (*const takes[])(struct sign_option *, char *) = {SIGN_OPTIONS(OPTION_TAKE)};
	takes[row](option, text);
}

int cmd_sign(int argc, char **argv)
{
	static const struct verb_line line = {
		.rows = option_table_sign,
		.take = take_sign_option,
		.most = 1,
		.too_many = "sign: one image at a time; '%s' is a second one",
		.args_doc = "FILE.eri",
		.doc = "Sign the image FILE.eri by 'ssh-keygen -Y sign', and write the signature to FILE.eri.sig. "
		       "'eremite verify --signed-by KEYS FILE.eri' checks it.",
	};
	static struct eri_image image; /* too large for a stack */
	struct sign_option option = {0};
	struct error error;
	char *path = NULL;
	verb_option_line(&line, argc, argv, &option, &path);
	if (!path)
		die("sign: no image given; see 'eremite sign --help'");
	if (!option.key)
		die("sign: give a key of ssh-keygen by --key FILE, such as --key ~/.ssh/id_ed25519");
	if (image_sign_check_tool(&error) || eri_image_open(&image, path, &error) ||
	    eri_check(&image, results_format_jobs(), NULL, &error) || image_sign_make(&image, option.key, &error))
		die("sign: %s", error.text);
	image_text_print(stdout, "%s.sig: signature of the identity %s", path, image.identity);
	if (fflush(stdout) || ferror(stdout))
		die("cannot write: %s", strerror(errno));
	eri_image_close(&image);
	return 0;
}
