/* SPDX-License-Identifier: MIT */
/* Leapfrog (Stoermer-Verlet), and the fourth-order composition of three leapfrogs by H. Yoshida (Physics Letters A 150,
 * 1990). Both are symplectic: the energy's error stays bounded instead of growing with time. */
#include "step.h"

#include <math.h>

/* A constant, because cbrt(2) may differ in its last digit between C libraries. */
#define CUBE_ROOT_OF_2 1.2599210498948732

static void drift(struct bodies *bodies, double dt)
{
	for (unsigned i = 0; i < bodies->count; i++) {
		struct body *b = &bodies->body[i];
		b->position.x += dt * b->velocity.x;
		b->position.y += dt * b->velocity.y;
		b->position.z += dt * b->velocity.z;
	}
}

static void kick(struct bodies *bodies, double dt)
{
	for (unsigned i = 0; i < bodies->count; i++) {
		struct body *a = &bodies->body[i];
		for (unsigned j = i + 1; j < bodies->count; j++) {
			struct body *b = &bodies->body[j];
			struct vector d = vector_sub(b->position, a->position);
			double square = vector_dot(d, d);
			double pull = dt * bodies->gravity / (square * sqrt(square));
			a->velocity.x += pull * b->mass * d.x;
			a->velocity.y += pull * b->mass * d.y;
			a->velocity.z += pull * b->mass * d.z;
			b->velocity.x -= pull * a->mass * d.x;
			b->velocity.y -= pull * a->mass * d.y;
			b->velocity.z -= pull * a->mass * d.z;
		}
	}
}

static void leapfrog(struct bodies *bodies, double dt)
{
	drift(bodies, dt / 2);
	kick(bodies, dt);
	drift(bodies, dt / 2);
}

void step(struct bodies *bodies, double dt, int order)
{
	if (order == 2) {
		leapfrog(bodies, dt);
		return;
	}
	double outer = 1 / (2 - CUBE_ROOT_OF_2), inner = 1 - 2 * outer;
	leapfrog(bodies, outer * dt);
	leapfrog(bodies, inner * dt);
	leapfrog(bodies, outer * dt);
}
