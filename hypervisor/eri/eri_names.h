/* SPDX-License-Identifier: MIT */
/* The table of all names that a sealed run knows of the host's files: /.eremite/steps/NAME/names in an image.
 *
 * A text. Its first line is ERI_NAMES_FIRST. Each other line describes one name, by fields with a tab between them: the
 * number of its tree (two digits), its directory below the tree, its name there (both empty: the tree itself), its kind
 * (enum eri_kind), its mode (octal), its size, its modification time as the guest sees it (ns since 1970), the SHA-256
 * of its contents or -, and a detail that depends on the kind. In names and targets a backslash is written \\, a tab \t
 * and a newline \n. Lines are sorted by the bytes of their first three fields. */
#ifndef HYPERVISOR_ERI_NAMES_H
#define HYPERVISOR_ERI_NAMES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/digest.h"
#include "base/error.h"

#define ERI_NAMES_FIRST "eremite names 1\n"
#define ERI_NAMES_TREES_MAX 100U

/** Kinds of names, their text in the table, and their detail. */
#define ERI_KIND_LIST(X) \
	X(FILE, "file")         /* contents are in the image; the detail of a Python source is its bytecode */ \
	X(STORED, "stored")     /* the same, at /.eremite/files/SHA256, because its path has other contents */ \
	X(EXTERNAL, "external") /* contents are supplied by --data */ \
	X(SEEN, "seen")         /* a regular file of which the packed run used only the attributes */ \
	X(DENIED, "denied")     /* a regular file that the host did not permit to read */ \
	X(DIRECTORY, "dir")     /* all of its names are in the table */ \
	X(PART, "part")         /* a directory of which some names are in the table */ \
	X(CLOSED, "closed")     /* the same; the host did not permit to list it */ \
	X(SHUT, "shut")         /* a directory that the host did not permit to list or to search */ \
	X(LISTED, "listed")     /* a directory that the host permitted to list, but not to search */ \
	X(HIDDEN, "hidden")     /* a name in such a directory; its mode has only the type */ \
	X(LINK, "link")         /* a symbolic link; the detail is its target */ \
	X(NONE, "none")         /* the packed run looked for this name, and it did not exist */

enum eri_kind {
#define ERI_KIND(name, text) ERI_##name,
	ERI_KIND_LIST(ERI_KIND)
#undef ERI_KIND
		ERI_KINDS
};

extern const char *const eri_kind_names[ERI_KINDS];

/** The table of an image, which its owner keeps mapped. */
struct eri_names {
	const char *text;
	size_t bytes;
};

/** The bytecode that gives a Python source its time (hostfs/host_bytecode.h). */
struct eri_bytecode {
	char dir[PATH_MAX];       /**< below the tree: the directory that __pycache__ is in */
	char name[NAME_MAX + 16]; /**< below that directory */
	uint8_t header[16];       /**< of the bytecode file */
};

/** One line. */
struct eri_name {
	enum eri_kind kind;
	uint32_t mode;
	uint64_t size;
	int64_t mtime_ns;
	bool has_hash;
	uint8_t hash[DIGEST_BYTES];
	const char *name, *detail; /**< as in the table, not ended by a NUL */
	size_t name_bytes, detail_bytes;
	size_t at; /**< offset of the line in the table, different for each name */
};

/** Checks the first line of a table. Returns 0, or a negative errno with one line in *error. */
int eri_names_open(struct eri_names *names, const char *text, size_t bytes, struct error *error);

/** Finds a name by its path below a tree. Returns 0, -ENOENT, or -EUCLEAN if its line is not as above, or its mode is
 * not of its kind. */
int eri_names_find(const struct eri_names *names, unsigned tree, const char *path, struct eri_name *found);

/**
 * Finds the next name of a directory, given by its path below a tree. *at is 0 for the first one. Returns 1, 0 after
 * the last one, or -EUCLEAN. The tree itself is no name of a directory.
 */
int eri_names_next(const struct eri_names *names, unsigned tree, const char *dir, size_t *at, struct eri_name *found);

/** Reads the line at an offset, which is 0 for the first one, and sets *at to the next one. Sets tree and path below
 * it. Returns 1, 0 at the end, or -EUCLEAN. */
int eri_names_line(const struct eri_names *names, size_t *at, unsigned *tree, char path[PATH_MAX],
                   struct eri_name *found);

/** Writes the text of a field, without its escapes, and a NUL. Returns its length, or -EUCLEAN if it does not fit or
 * has other escapes. */
int eri_names_text(const char *field, size_t bytes, char *to, size_t room);

/** Joins the place of a tree and a path below it. Returns 0, or -ENAMETOOLONG with as much as fits. */
int eri_names_join(const char *tree, const char *below, char *path, size_t room);

/** Reads the bytecode of a source from its detail. Returns 1, 0 if it has none, or -EUCLEAN. */
int eri_names_bytecode(const struct eri_name *name, struct eri_bytecode *bytecode);

/** Sorts the lines of a table without its first line, in place. Returns 0 or -ENOMEM. */
int eri_names_sort(char *text, size_t bytes);

/** Writes a text with escapes. */
void eri_names_escape(FILE *to, const char *text);

/** Writes a line. `bytecode` may be NULL; `detail` is the target of a link, or NULL. */
void eri_names_write(FILE *to, unsigned tree, const char *path, const struct eri_name *name, const char *detail,
                     const struct eri_bytecode *bytecode);

#endif
