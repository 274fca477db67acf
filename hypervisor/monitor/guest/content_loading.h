/* SPDX-License-Identifier: MIT */
/* Which parts of a library its dynamic linker reads completely. */
#ifndef HYPERVISOR_CONTENT_LOADING_H
#define HYPERVISOR_CONTENT_LOADING_H

#include "guest/guest_contents.h"

/**
 * Prepares a content that the guest has mapped executable for its dynamic linker, which reads the tables in front of
 * the code; with the code, if it is among the first with much of it. A guess: it costs time if it is wrong.
 */
void content_loading_expect(struct guest_contents *contents, const struct guest_content *content);

#endif
