/* SPDX-License-Identifier: MIT */
/* Integrates bodies under gravity from a CSV file: energies on standard output, trajectory.csv and final.csv in /out.
 * Without --jitter its results depend on its input alone. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bodies.h"
#include "step.h"

/* Cubic astronomical units per solar mass and square day. */
#define GRAVITY_SOLAR 2.95912208286e-4

struct settings {
	long steps, every;
	double dt, jitter, gravity;
	int order;
	const char *input, *output;
};

static const char usage[] = "usage: nbody [--steps N] [--dt TIME] [--every N] [--order 2|4] [--gravity G]\n"
			    "             [--jitter PART] [--out DIR] BODIES.csv\n";

static struct bodies bodies;

static _Noreturn void fail(const char *what, const char *why)
{
	fprintf(stderr, "nbody: %s: %s\n", what, why);
	exit(1);
}

static double number(const char *text, double least, double most)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !(value >= least && value <= most))
		fail(text, "not a number this option takes");
	return value;
}

static struct settings parse(int argc, char **argv)
{
	static const struct option options[] = {
		{"steps", required_argument, NULL, 's'},  {"dt", required_argument, NULL, 'd'},
		{"every", required_argument, NULL, 'e'},  {"order", required_argument, NULL, 'o'},
		{"jitter", required_argument, NULL, 'j'}, {"gravity", required_argument, NULL, 'g'},
		{"out", required_argument, NULL, 'O'},    {0},
	};
	struct settings s = {.steps = 20000, .dt = 10, .gravity = GRAVITY_SOLAR, .order = 4, .output = "/out"};
	for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		switch (option) {
		case 's':
			s.steps = (long)number(optarg, 0, 1e12);
			break;
		case 'd':
			s.dt = number(optarg, -1e9, 1e9);
			break;
		case 'e':
			s.every = (long)number(optarg, 1, 1e12);
			break;
		case 'o':
			s.order = (int)number(optarg, 2, 4);
			break;
		case 'j':
			s.jitter = number(optarg, 0, 1);
			break;
		case 'g':
			s.gravity = number(optarg, 0, 1e9);
			break;
		case 'O':
			s.output = optarg;
			break;
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
	if (optind != argc - 1 || s.order == 3) {
		fputs(usage, stderr);
		exit(2);
	}
	s.input = argv[optind];
	if (!s.every)
		s.every = s.steps < 10 ? 1 : s.steps / 10;
	return s;
}

static void load(const struct settings *s)
{
	FILE *from = fopen(s->input, "r");
	if (!from)
		fail(s->input, strerror(errno));
	int wrong = bodies_read(&bodies, from);
	fclose(from);
	if (wrong) {
		fprintf(stderr, "nbody: %s:%d: not name,mass,x,y,z,vx,vy,vz\n", s->input, wrong);
		exit(1);
	}
	bodies.gravity = s->gravity;
	if (s->jitter > 0 && bodies_jitter(&bodies, s->jitter))
		fail("getentropy", strerror(errno));
	bodies_centre(&bodies);
}

static FILE *create(const struct settings *s, const char *name)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", s->output, name);
	FILE *to = fopen(path, "w");
	if (!to)
		fail(path, strerror(errno));
	return to;
}

static void finish(FILE *to, const char *name)
{
	int bad = ferror(to);
	if (fclose(to) || bad)
		fail(name, "cannot be written");
}

static void record(FILE *trajectory, double time, double first_energy)
{
	double energy = bodies_energy(&bodies);
	struct vector momentum = bodies_momentum(&bodies);
	printf("%12g  %.17g  %9.2e  %.17g\n", time, energy, (energy - first_energy) / fabs(first_energy),
	       sqrt(vector_dot(momentum, momentum)));
	for (unsigned i = 0; i < bodies.count; i++) {
		const struct body *b = &bodies.body[i];
		fprintf(trajectory, "%.17g,%s,%.17g,%.17g,%.17g\n", time, b->name, b->position.x, b->position.y,
		        b->position.z);
	}
}

static void print_orbits(void)
{
	printf("\n%-10s  %-22s  %-22s  %s\n", "orbit", "semi-major axis", "eccentricity", "inclination (degrees)");
	for (unsigned i = 1; i < bodies.count; i++) {
		struct orbit orbit = bodies_orbit(&bodies, i);
		printf("%-10s  %-22.17g  %-22.17g  %.12g\n", bodies.body[i].name, orbit.axis, orbit.eccentricity,
		       orbit.inclination_deg);
	}
}

int main(int argc, char **argv)
{
	struct settings s = parse(argc, argv);
	load(&s);
	FILE *trajectory = create(&s, "trajectory.csv");
	fprintf(trajectory, "time,name,x,y,z\n");
	printf("%u bodies, %ld steps of %g, order %d\n\n%12s  %-22s  %9s  %s\n", bodies.count, s.steps, s.dt, s.order,
	       "time", "energy", "error", "angular momentum");
	double first_energy = bodies_energy(&bodies);
	record(trajectory, 0, first_energy);
	for (long i = 1; i <= s.steps; i++) {
		step(&bodies, s.dt, s.order);
		if (i % s.every == 0 || i == s.steps)
			record(trajectory, (double)i * s.dt, first_energy);
	}
	finish(trajectory, "trajectory.csv");
	print_orbits();
	FILE *final = create(&s, "final.csv");
	bodies_write(&bodies, final);
	finish(final, "final.csv");
	return 0;
}
