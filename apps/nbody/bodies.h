/* SPDX-License-Identifier: MIT */
/* Point masses under gravity: their state, what is conserved, and their CSV form. */
#ifndef NBODY_BODIES_H
#define NBODY_BODIES_H

#include <stdio.h>

#define BODIES_MAX 64
#define BODY_NAME_BYTES 32

struct vector {
	double x, y, z;
};

struct body {
	char name[BODY_NAME_BYTES];
	double mass;
	struct vector position, velocity;
};

struct bodies {
	double gravity; /**< the constant of gravitation in the units of the state */
	unsigned count;
	struct body body[BODIES_MAX];
};

struct orbit {
	double axis, eccentricity, inclination_deg; /**< semi-major axis in units of length */
};

static inline struct vector vector_sub(struct vector a, struct vector b)
{
	return (struct vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline double vector_dot(struct vector a, struct vector b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** Reads `name,mass,x,y,z,vx,vy,vz` lines; '#' begins a comment. Returns 0, or the number of the wrong line. */
int bodies_read(struct bodies *bodies, FILE *from);

/** Writes them as bodies_read takes them, each number with the 17 digits that give it back exactly. */
void bodies_write(const struct bodies *bodies, FILE *to);

/** Moves the origin to the centre of mass, at rest. */
void bodies_centre(struct bodies *bodies);

/** Changes every coordinate of every velocity by up to the given part of itself, by getentropy(3).
 *  Returns 0 or -1 with errno. */
int bodies_jitter(struct bodies *bodies, double part);

/** Kinetic and potential energy. */
double bodies_energy(const struct bodies *bodies);

/** Total angular momentum. */
struct vector bodies_momentum(const struct bodies *bodies);

/** The orbit of body i about body 0, as if the two were alone. */
struct orbit bodies_orbit(const struct bodies *bodies, unsigned i);

#endif
