/* SPDX-License-Identifier: MIT */
/* Symplectic integration of a system of bodies. */
#ifndef NBODY_STEP_H
#define NBODY_STEP_H

#include "bodies.h"

/** One step of time dt; the order is 2 or 4. */
void step(struct bodies *bodies, double dt, int order);

#endif
