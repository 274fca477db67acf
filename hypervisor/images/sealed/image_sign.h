/* SPDX-License-Identifier: MIT */
/* Signatures of images by ssh-keygen(1), which has the keys. A signature is the file IMAGE.sig, as `ssh-keygen -Y sign`
 * makes it of the whole image. */
#ifndef HYPERVISOR_IMAGE_SIGN_H
#define HYPERVISOR_IMAGE_SIGN_H

#include "base/error.h"
#include "eri/eri_image.h"

/** A signature for another purpose is not one of an image (-n of ssh-keygen). */
#define IMAGE_SIGN_NAMESPACE "eremite-image"

/** Bytes of who has signed. */
#define IMAGE_SIGNER_BYTES 512

/** Checks that ssh-keygen is installed. Returns 0, or -ENOENT with one line in *error. */
int image_sign_check_tool(struct error *error);

/** Signs an image by the private key in a file, or by ssh-agent if it is a public one, and writes the signature beside
 * it. Returns 0, or a negative errno with one line in *error. */
int image_sign_make(const struct eri_image *image, const char *key, struct error *error);

/**
 * Checks that the signature of an image is by a key in `keys`, a file of allowed signers, and sets who that is. Returns
 * 0; -EBADMSG with one line in *error if it is not, or is missing; or another negative errno with one line in *error.
 */
int image_sign_check(const struct eri_image *image, const char *keys, char signer[IMAGE_SIGNER_BYTES],
                     struct error *error);

#endif
