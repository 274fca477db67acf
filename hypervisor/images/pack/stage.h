/* SPDX-License-Identifier: MIT */
/* The directory from which an image is made. It is beside the image, has a temporary name, and is removed however
 * eremite ends. */
#ifndef HYPERVISOR_STAGE_H
#define HYPERVISOR_STAGE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "eri/eri_manifest.h"
#include "pack/trace.h"

#define STAGE_HEX_BYTES DIGEST_HEX_BYTES

/** What the image has of an input. */
enum stage_input_kind {
	STAGE_SEALED,   /**< the contents */
	STAGE_EXTERNAL, /**< size and SHA-256: --external */
	STAGE_EXCLUDED, /**< the attributes: --exclude */
	STAGE_LINK,     /**< a symbolic link */
};

/** A file of the host that a run has read, or a link on the way to one. Strings are owned. */
struct stage_input {
	char *guest, *host; /**< its path in the guest, and on the host */
	enum stage_input_kind kind;
	uint64_t bytes;
	bool is_program;
	int64_t package; /**< index of its package; -1: it is of none */
};

struct stage {
	char output[PATH_MAX];         /**< the image to be made */
	char path[PATH_MAX];           /**< the directory */
	int dir;                       /**< the same */
	int tree;                      /**< its directory `tree`, which becomes the image */
	int out;                       /**< its directory `out`, for /out of the guest */
	int janitor;                   /**< a pipe to the process that removes the directory when it is closed */
	char *const *externals;        /**< patterns of --external; NULL: none */
	char *const *excludes;         /**< patterns of --exclude; NULL: none */
	uint64_t files, bytes;         /**< contents that were added */
	struct eri_external *external; /**< files that were left out by --external; their strings are owned */
	unsigned external_count;
	size_t external_room;
	char *lacking;              /**< the first file that a run read and --exclude leaves out; NULL: none; owned */
	unsigned lacks;             /**< how many there are */
	struct stage_input *inputs; /**< see stage_inputs.h */
	size_t input_count, input_room;
	char **links; /**< target and path of each link, owned */
	size_t link_count, link_room;
};

/** Makes the directory. Returns 0, or a negative errno with one line in *error. */
int stage_open(struct stage *stage, const char *output, struct error *error);

/** Removes the directory; accepts a stage that was never opened, with dir -1. */
void stage_close(struct stage *stage);

/** Copies an open file to a path in the image. Sets the SHA-256 of what it copied. Returns 0 or a negative errno. */
int stage_copy(struct stage *stage, int from, uint64_t offset, uint64_t bytes, const char *path, uint32_t mode,
               char hex[STAGE_HEX_BYTES]);

/** Writes a text to a path in the image. Sets its SHA-256. Returns 0 or a negative errno. */
int stage_text(struct stage *stage, const char *text, size_t bytes, const char *path, char hex[STAGE_HEX_BYTES]);

/** Makes the directories above a path in the image. Returns 0 or a negative errno. */
int stage_parents(const struct stage *stage, const char *path);

/** Makes a symbolic link in the image, unless its path is taken. It is made by stage_finish(), so that no path leads
 * through it. Returns 0 or -ENOMEM. */
int stage_link(struct stage *stage, const char *target, const char *path);

/** Adds a file of the host by its path, whole. Returns 0, or a negative errno with one line in *error. */
int stage_add(struct stage *stage, const char *from, const char *path, char hex[STAGE_HEX_BYTES], struct error *error);

/**
 * Adds the files that a run has read, and its table of names, as /.eremite/steps/`step`/names. Sets the SHA-256 of the
 * table. Returns 0, or a negative errno with one line in *error.
 */
int stage_names(struct stage *stage, const struct trace *trace, int names, const char *step, char hex[STAGE_HEX_BYTES],
                struct error *error);

/** Makes the image and moves it to its place. `text` is the manifest. Returns 0, or a negative errno with one line in
 * *error; *sig is the signal that has stopped it, or 0. */
int stage_finish(struct stage *stage, char *text, bool compress, int *sig, struct error *error);

#endif
