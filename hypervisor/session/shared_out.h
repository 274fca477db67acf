/* SPDX-License-Identifier: MIT */
/* The list of --shared-out. */
#ifndef HYPERVISOR_SHARED_OUT_H
#define HYPERVISOR_SHARED_OUT_H

#include <stdio.h>

#include "session/session.h"

/** Makes the notes of a run with the option. */
void shared_out_begin(struct session *session);

/** Writes the list after the run, says if it is empty, and frees the notes. */
void shared_out_write(struct session *session, FILE *to);

#endif
