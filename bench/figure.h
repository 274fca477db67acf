/* SPDX-License-Identifier: MIT */
/* What a row of the table of figures is. Commands are run in the build directory. In each, %n stands for the count, and
 * %e for the name of the engine; a command that begins with FIGURE_RUN gets the option --engine. */
#ifndef BENCH_FIGURE_H
#define BENCH_FIGURE_H

#include <stdbool.h>

#define FIGURE_PEERS_MAX 7
#define FIGURE_RUN "./eremite run "

enum figure_kind {
	FIGURE_WALL,  /**< a whole process */
	FIGURE_RATE,  /**< one operation, in processor time: commands have a %n */
	FIGURE_TURN,  /**< one operation, by the wall clock: commands have a %n */
	FIGURE_SIZE,  /**< bytes of a file */
	FIGURE_PEAK,  /**< peak resident memory of a whole process */
	FIGURE_JUMPS, /**< system calls by a patched jump, in percent: the command writes FIGURE_SUMMARY */
};

/** Where a command of FIGURE_JUMPS has its summary written. */
#define FIGURE_SUMMARY "bench/summary.json"

struct peer {
	const char *name, *command;
	int expect; /**< exit status of a good run */
};

struct figure {
	const char *name;
	enum figure_kind kind;
	const char *command;
	struct peer peers[FIGURE_PEERS_MAX];
	unsigned rounds;
	unsigned long low, high; /**< the two counts of a rate */
	const char *unit;
	double unit_s;          /**< seconds (or bytes) of one unit */
	double at_most;         /**< target in units, 0: none */
	double at_least;        /**< the same the other way round */
	double ratio;           /**< target against the first peer, 0: none */
	double above;           /**< target: at most so many units more than the first peer, 0: none */
	double process_at_most; /**< target of the process engine in units, 0: none */
	double process_ratio;   /**< the same against KVM, 0: none */
	double process_beside;  /**< the same against the first peer, 0: none */
	bool has_cpu;           /**< of FIGURE_WALL: a second row has the processor time, with the same targets */
	bool has_counts;        /**< a line for each engine has what a run cost by count */
	bool pipe;              /**< standard output is a pipe that is read */
	const char *needs; /**< paths of programs, with blanks between; a row that lacks one is left out; NULL: none */
	const char *prepare; /**< a command that is run once before the others, for each count; NULL: none */
	const char *cpu;     /**< a value of --cpu that the host must allow, or the row is left out; NULL: none */
};

/** Rows of unmodified programs of Linux; ends with one that has no name. */
extern const struct figure linux_figures[];

/** Starts of programs; ends with a row that has no name. */
extern const struct figure start_figures[];

/** Walks through a tree of files; ends with a row that has no name. */
extern const struct figure tree_figures[];

/** Rows of the network. A row without a name ends them. */
extern const struct figure network_figures[];

/** Rows of sealed images. A row without a name ends them. */
extern const struct figure image_figures[];

/** Rows of searches. A row without a name ends them. */
extern const struct figure search_figures[];

#endif
