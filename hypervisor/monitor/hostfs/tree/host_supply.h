/* SPDX-License-Identifier: MIT */
/* --data: large inputs that an image does not contain. They are found by their contents, whatever their names. */
#ifndef HYPERVISOR_HOST_SUPPLY_H
#define HYPERVISOR_HOST_SUPPLY_H

#include <stdint.h>

#include "base/error.h"
#include "eri/eri_image.h"
#include "hostfs/tree/host_source.h"

struct host_files;

/** One file of --data. */
struct host_supplied {
	int fd; /**< open for reading */
	uint64_t bytes;
	uint8_t hash[DIGEST_BYTES];
	struct host_stamp stamp; /**< when it was hashed */
};

struct host_supply {
	struct host_supplied *files;
	unsigned count;
};

/**
 * Finds the files that an image needs in a directory and below it, and hashes those that have the size of one. Returns
 * 0, or a negative errno with one line in *error, which names the first file that is missing.
 */
int host_supply_open(struct host_supply *supply, const struct eri_manifest *manifest, const char *dir,
                     struct error *error);

/** Closes all; accepts an all-zero structure. */
void host_supply_close(struct host_supply *supply);

/** Opens the contents of an external file. Returns 0, or a negative errno with a line in files->error. */
int host_supply_find(struct host_files *files, const struct host_supply *supply, uint32_t handle,
                     const struct eri_name *name, struct host_source *source);

#endif
