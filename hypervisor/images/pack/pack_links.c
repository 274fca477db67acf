/* SPDX-License-Identifier: MIT */
#include "pack/pack_links.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/die.h"
#include "base/error.h"

/* A file that was written and not handed on. */
struct broken {
	const char *step, *path; /* the step that wrote it, and where */
	bool is_missed;          /* the last step did not find it */
	size_t more;             /* files after the first one */
};

static const struct eri_output *find_step_output(const struct eri_step *step, const char *path)
{
	for (unsigned i = 0; i < step->output_count; i++)
		if (!strcmp(step->outputs[i].what, "file") && !strcmp(step->outputs[i].path, path))
			return &step->outputs[i];
	return NULL;
}

/* Looks for the last step before this one that has changed a file. Notes it if this step has seen other contents. What
 * this step itself writes there need not be that file. */
static void look_at_input(const struct pack_steps *steps, const struct eri_name *name, const char *path,
                          struct broken *broken)
{
	const struct eri_output *output = NULL;
	char text[DIGEST_TEXT_BYTES];
	unsigned i = steps->count - 1;
	if ((!name->has_hash && name->kind != ERI_NONE) || find_step_output(&steps->steps[i], path))
		return;
	while (!output && i)
		output = find_step_output(&steps->steps[--i], path);
	if (!output || !S_ISREG(output->mode))
		return;
	digest_text(name->hash, text);
	if (name->kind != ERI_NONE && !strcmp(strchr(text, ':') + 1, output->sha256))
		return;
	if (broken->step)
		broken->more++;
	else
		*broken = (struct broken){steps->steps[i].name, output->path, name->kind == ERI_NONE, 0};
}

static void look_at_all(const struct pack_steps *steps, const struct eri_names *names, struct broken *broken)
{
	static char below[PATH_MAX], path[PATH_MAX]; /* too large for a stack */
	const struct eri_step *step = &steps->steps[steps->count - 1];
	struct eri_name name;
	unsigned tree;
	size_t at = 0;
	while (eri_names_line(names, &at, &tree, below, &name) > 0) {
		if (tree >= step->tree_count)
			return;
		if (eri_names_join(step->trees[tree].guest, below, path, sizeof(path)))
			continue;
		look_at_input(steps, &name, path, broken);
	}
}

void pack_links_say(const struct pack_steps *steps, int names_fd)
{
	struct broken broken = {0};
	struct eri_names names;
	struct error error;
	char more[40] = "";
	if (steps->count < 2 || names_fd < 0)
		return;
	const off_t size = lseek(names_fd, 0, SEEK_END);
	void *table = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, names_fd, 0) : MAP_FAILED;
	if (table == MAP_FAILED)
		return;
	if (!eri_names_open(&names, table, (size_t)size, &error))
		look_at_all(steps, &names, &broken);
	munmap(table, (size_t)size);
	if (!broken.step)
		return;
	if (broken.more)
		snprintf(more, sizeof(more), ", and so with %zu more", broken.more);
	say("the step %s %s %s, which the step %s wrote%s; give the step %s --save if the next ones go on with its "
	    "files",
	    steps->steps[steps->count - 1].name, broken.is_missed ? "does not find" : "reads another", broken.path,
	    broken.step, more, broken.step);
}
