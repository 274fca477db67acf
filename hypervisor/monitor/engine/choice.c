/* SPDX-License-Identifier: MIT */
#include "engine/choice.h"

#include <stddef.h>
#include <string.h>

#include "base/error.h"

/* The engine with the best isolation comes first. The last one runs on any x86-64 Linux. */
static const struct engine_ops *const engines[] = {&engine_kvm, &engine_process};

#define ENGINES (sizeof(engines) / sizeof(engines[0]))

const struct engine_ops *engine_named(const char *name)
{
	for (size_t i = 0; i < ENGINES; i++)
		if (!strcmp(engines[i]->name, name))
			return engines[i];
	return NULL;
}

const struct engine_ops *engine_automatic(void)
{
	struct error why;
	size_t i = 0;
	while (i < ENGINES - 1 && engines[i]->probe(&why))
		i++;
	return engines[i];
}
