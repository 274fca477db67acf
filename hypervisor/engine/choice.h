/* SPDX-License-Identifier: MIT */
/* Which engine carries a guest. */
#ifndef ENGINE_CHOICE_H
#define ENGINE_CHOICE_H

#include "engine/engine.h"

/** The engine of that name, or NULL. */
const struct engine_ops *engine_named(const char *name);

/** KVM where this host lets the caller use it, else the process engine. */
const struct engine_ops *engine_automatic(void);

#endif
