/* SPDX-License-Identifier: MIT */
/* Why ssh-keygen does not accept a signature although its key is in the file of allowed signers (ssh-keygen(1)): it
 * says only that no line matches. */
#ifndef HYPERVISOR_ALLOWED_SIGNERS_H
#define HYPERVISOR_ALLOWED_SIGNERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/** Searches the file `keys` for the key of the signature text[0, bytes). Returns whether a line has it; *error then
 * says what is wrong with that line, as a clause behind "it is signed by a key that". */
bool allowed_signers_explain(const char *text, size_t bytes, const char *keys, struct error *error);

#endif
