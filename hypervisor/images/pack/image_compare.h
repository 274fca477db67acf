/* SPDX-License-Identifier: MIT */
/* Compares a run with the step of an image that it repeats. All texts of the result are printable UTF-8. */
#ifndef HYPERVISOR_IMAGE_COMPARE_H
#define HYPERVISOR_IMAGE_COMPARE_H

#include "base/error.h"
#include "eri/eri_image.h"
#include "pack/stage.h"
#include "pack/trace.h"

/** How an output, or something else about a run, differs. */
#define DIFFERENCE_KINDS(X) \
	X(VALUE, "value")       /* two values, which `expected` and `actual` have */ \
	X(CONTENTS, "contents") /* at `offset`; `expected` and `actual` are the text around it */ \
	X(MISSING, "missing")   /* only the packed run left it */ \
	X(NEW, "new")           /* only this run left it */ \
	X(MODE, "mode")         /* another type, or other permissions */ \
	X(TARGET, "target")     /* of a symbolic link */

enum difference_kind {
#define DIFFERENCE_KIND(name, text) DIFFERENCE_##name,
	DIFFERENCE_KINDS(DIFFERENCE_KIND)
#undef DIFFERENCE_KIND
};

/** Names of the kinds. */
extern const char *const image_compare_kinds[];

/** One difference. */
struct difference {
	enum difference_kind kind;
	char *name; /**< "end", "events", "virtual_ns", "digest", "option", "argument", "default", "stdout", "stderr",
	               or a path in the guest */
	char *expected, *actual; /**< in the packed run and in this one; NULL: none */
	uint64_t offset, line;   /**< of contents: the first byte that differs, from 0, and its line, from 1 */
};

/** A comparison. The caller sets the first fields; the others are zero at first. */
struct comparison {
	const struct eri_image *image;
	const struct eri_step *step;
	const struct trace *trace; /**< of this run */
	const struct trace_fds *fds;
	const char *out;    /**< directory that has its /out */
	struct stage *keep; /**< receives contents that differ, below `step`/expected and `step`/actual; NULL: none */
	struct difference *all;
	size_t count, room;
	char parts[256]; /**< names of the parts of the digest that differ, with ", " between them */
};

/** Compares. Returns 0, or a negative errno with one line in *error if the image is damaged or something cannot be
 * read or kept. */
int image_compare(struct comparison *comparison, struct error *error);

/** Frees the differences. */
void image_compare_fini(struct comparison *comparison);

#endif
