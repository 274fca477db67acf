/* SPDX-License-Identifier: MIT */
/* eremite_marker (eremite.h). */
#include <eremite.h>

#include "kernel/main.h"

void eremite_marker(const char *name)
{
	if (name)
		application_reached(name);
}
