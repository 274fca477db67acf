/* SPDX-License-Identifier: MIT */
/* Unpacks images of containers: OCI image layouts (github.com/opencontainers/image-spec, 1.0 and 1.1) and archives of
 * `docker save`. An image is untrusted: nothing outside the given directory is read, written or removed for it.
 *
 * Why not umoci and skopeo, which do the same: umoci 0.4 needs root to keep owners, lacks zstd, cannot read archives of
 * docker save, and sets no limits. tests/image/oci.test compares what both make. */
#ifndef HYPERVISOR_OCI_H
#define HYPERVISOR_OCI_H

#include <stdint.h>

#include "base/digest.h"
#include "base/error.h"
#include "oci/oci_attributes.h"

#define OCI_NO_TIME 631152000 /* 1990-01-01: of a directory that no layer has; zip(1) refuses years before 1980 */

/** How an image starts, and what was unpacked. All strings are the image's, so untrusted. */
struct oci_config {
	char **arguments; /**< the entrypoint, then the command; ends with NULL */
	unsigned argument_count;
	unsigned entrypoint_count; /**< how many of the arguments are the entrypoint; a user's arguments replace the
	                              rest */
	char **environment;        /**< NAME=VALUE, each name once; ends with NULL */
	unsigned environment_count;
	char *workdir;     /**< absolute, without . and .. names, or empty: not given */
	char *user;        /**< "USER", "UID", "USER:GROUP", ..., or empty: root */
	char *credentials; /**< what that is in the image: "UID:GID[,GID...]" */
	char *home;        /**< of that user */
	char **volumes;    /**< paths of directories; ends with NULL */
	unsigned volume_count;
	char (*diff_ids)[DIGEST_TEXT_BYTES];     /**< digests of the layers, uncompressed */
	unsigned layer_count;                    /**< of diff_ids */
	char manifest_digest[DIGEST_TEXT_BYTES]; /**< empty: an archive of docker save, which has none */
	char config_digest[DIGEST_TEXT_BYTES];   /**< that docker calls the image's ID */
	struct oci_attributes attributes; /**< of all objects; of the image's root only if a layer has it, and the
	                                     directory keeps its own */
	uint64_t skipped;                 /**< devices, FIFOs and sockets: they are left out, and pack says how many */
	char warning[256];                /**< one line about them for the user, or empty */
};

/** What an image may expand to. */
struct oci_limits {
	uint64_t entries;    /**< of all layers, and directories that they imply */
	uint64_t bytes;      /**< of all files, and of each blob */
	uint64_t ratio;      /**< a layer may expand to so many times its compressed size, */
	uint64_t free_bytes; /**< or to so many bytes if that is more */
};

/** 4,194,304 entries, 64 GiB, 200 times, and 1 GiB. */
extern const struct oci_limits oci_limits_default;

/**
 * Unpacks the image `source`, "PATH" or "PATH:TAG", into the empty directory `dir`, a descriptor, and describes how it
 * starts, for oci_config_fini. PATH is an OCI layout (a directory, or a tar archive of one) or an archive of docker
 * save; archives may be compressed by gzip or zstd. An index's image is the one for linux/amd64. A TAG also matches the
 * end of a name after '/' or ':', so "latest" is that of "docker.io/library/busybox:latest".
 *
 * Files get the modes and times of the image, and belong to the caller; xattrs are dropped. Because set-user-ID modes
 * are among them, other users must have no access to `dir`, and its mode does not change. Times of directories that no
 * layer has an entry for are 1990-01-01. The working directory and the volumes are made if they are missing.
 *
 * Returns 0, or a negative errno with one line in *error: -ENOENT (no such image or tag), -EINVAL (not an image, or a
 * damaged or hostile one), -EBADMSG (wrong digest or size), -EFBIG (beyond the limits), -ENOTEMPTY, -EACCES (`dir` is
 * open to others), or that of a system call. `dir` then has a part of the image, and *config nothing to release.
 */
int oci_unpack(const char *source, int dir, struct oci_config *config, struct error *error);

/** The same with other limits. */
int oci_unpack_limited(const char *source, int dir, const struct oci_limits *limits, struct oci_config *config,
                       struct error *error);

/** Releases what oci_unpack stored. Accepts an all-zero structure. */
void oci_config_fini(struct oci_config *config);

#endif
