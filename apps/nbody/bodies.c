/* SPDX-License-Identifier: MIT */
/* State, conserved quantities and CSV. Sums go over bodies in the order of the file, so results have one value. */
#include "bodies.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define LINE_BYTES 512

static struct vector cross(struct vector a, struct vector b)
{
	return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static int parse(struct body *body, const char *line)
{
	int end = 0;
	int fields = sscanf(line, "%31[^,],%lf,%lf,%lf,%lf,%lf,%lf,%lf %n", body->name, &body->mass, &body->position.x,
	                    &body->position.y, &body->position.z, &body->velocity.x, &body->velocity.y,
	                    &body->velocity.z, &end);
	return fields == 8 && line[end] == 0 && body->mass > 0 ? 0 : -1;
}

int bodies_read(struct bodies *bodies, FILE *from)
{
	char line[LINE_BYTES];
	bodies->count = 0;
	for (int number = 1; fgets(line, sizeof(line), from); number++) {
		if (line[0] == '#' || line[0] == '\n' || !strncmp(line, "name,", 5))
			continue;
		if (bodies->count == BODIES_MAX || parse(&bodies->body[bodies->count++], line))
			return number;
	}
	return bodies->count ? 0 : 1;
}

void bodies_write(const struct bodies *bodies, FILE *to)
{
	fprintf(to, "name,mass,x,y,z,vx,vy,vz\n");
	for (unsigned i = 0; i < bodies->count; i++) {
		const struct body *b = &bodies->body[i];
		fprintf(to, "%s,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", b->name, b->mass, b->position.x,
		        b->position.y, b->position.z, b->velocity.x, b->velocity.y, b->velocity.z);
	}
}

void bodies_centre(struct bodies *bodies)
{
	struct vector position = {0}, velocity = {0};
	double mass = 0;
	for (unsigned i = 0; i < bodies->count; i++) {
		const struct body *b = &bodies->body[i];
		mass += b->mass;
		position.x += b->mass * b->position.x;
		position.y += b->mass * b->position.y;
		position.z += b->mass * b->position.z;
		velocity.x += b->mass * b->velocity.x;
		velocity.y += b->mass * b->velocity.y;
		velocity.z += b->mass * b->velocity.z;
	}
	position = (struct vector){position.x / mass, position.y / mass, position.z / mass};
	velocity = (struct vector){velocity.x / mass, velocity.y / mass, velocity.z / mass};
	for (unsigned i = 0; i < bodies->count; i++) {
		bodies->body[i].position = vector_sub(bodies->body[i].position, position);
		bodies->body[i].velocity = vector_sub(bodies->body[i].velocity, velocity);
	}
}

/* 53 random bits as a number in [-1, 1). */
static int random_unit(double *unit)
{
	uint64_t bits;
	if (getentropy(&bits, sizeof(bits)))
		return -1;
	*unit = ldexp((double)(bits >> 11), -52) - 1;
	return 0;
}

int bodies_jitter(struct bodies *bodies, double part)
{
	for (unsigned i = 0; i < bodies->count; i++) {
		double *const all[] = {&bodies->body[i].velocity.x, &bodies->body[i].velocity.y,
		                       &bodies->body[i].velocity.z};
		for (unsigned k = 0; k < 3; k++) {
			double unit;
			if (random_unit(&unit))
				return -1;
			*all[k] *= 1 + part * unit;
		}
	}
	return 0;
}

double bodies_energy(const struct bodies *bodies)
{
	double kinetic = 0, potential = 0;
	for (unsigned i = 0; i < bodies->count; i++) {
		const struct body *a = &bodies->body[i];
		kinetic += 0.5 * a->mass * vector_dot(a->velocity, a->velocity);
		for (unsigned j = i + 1; j < bodies->count; j++) {
			struct vector d = vector_sub(a->position, bodies->body[j].position);
			potential -= bodies->gravity * a->mass * bodies->body[j].mass / sqrt(vector_dot(d, d));
		}
	}
	return kinetic + potential;
}

struct vector bodies_momentum(const struct bodies *bodies)
{
	struct vector sum = {0};
	for (unsigned i = 0; i < bodies->count; i++) {
		const struct body *b = &bodies->body[i];
		struct vector own = cross(b->position, b->velocity);
		sum.x += b->mass * own.x;
		sum.y += b->mass * own.y;
		sum.z += b->mass * own.z;
	}
	return sum;
}

struct orbit bodies_orbit(const struct bodies *bodies, unsigned i)
{
	const struct body *sun = &bodies->body[0], *body = &bodies->body[i];
	struct vector r = vector_sub(body->position, sun->position), v = vector_sub(body->velocity, sun->velocity);
	struct vector h = cross(r, v);
	double mu = bodies->gravity * (sun->mass + body->mass);
	double axis = 1 / (2 / sqrt(vector_dot(r, r)) - vector_dot(v, v) / mu);
	double shape = 1 - vector_dot(h, h) / (mu * axis);
	return (struct orbit){
		.axis = axis,
		.eccentricity = sqrt(shape > 0 ? shape : 0),
		.inclination_deg = atan2(hypot(h.x, h.y), h.z) * (180 / acos(-1)),
	};
}
