/* SPDX-License-Identifier: MIT */
/* Chooses the engine that runs a guest. */
#ifndef ENGINE_CHOICE_H
#define ENGINE_CHOICE_H

#include "engine/engine.h"

/** Returns the engine of that name, or NULL. */
const struct engine_ops *engine_named(const char *name);

/** Returns KVM if this host lets the caller use it, otherwise the process engine. */
const struct engine_ops *engine_automatic(void);

#endif
