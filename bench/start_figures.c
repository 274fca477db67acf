/* SPDX-License-Identifier: MIT */
/* Starts of large programs: what people try first. Nearly all of their time is the loading of libraries. */
#include <stddef.h>

#include "figure.h"

#define START(what, program, arguments, of_kvm, of_process) START_WITH("", what, program, arguments, of_kvm, of_process)

/* With options of eremite's, each followed by a space. */
#define START_WITH(options, what, program, arguments, of_kvm, of_process) \
	{ \
		.name = "start: " what, .kind = FIGURE_WALL, .command = FIGURE_RUN options program " " arguments, \
		.rounds = 15, .peers = {{"native", program " " arguments, 0}}, .unit = "ms", .unit_s = 1e-3, \
		.ratio = of_kvm, .process_beside = of_process, .has_counts = true, .needs = program \
	}

const struct figure start_figures[] = {
	START("clang --version", "/usr/bin/clang", "--version", 2.5, 2),
	START("ffmpeg -version", "/usr/bin/ffmpeg", "-version", 2.5, 2),
	START("php -r 1;", "/usr/bin/php", "-r 1;", 2.5, 2),
	START("octave --version", "/usr/bin/octave", "--version", 2.5, 2),
	START("sbcl --eval 1", "/usr/bin/sbcl", "--non-interactive --no-userinit --eval 1", 2.5, 2),
	/* A guest has one processor by default. OpenJDK has another collector, and uses archived objects, only with two
         * and more: so its start is beside one on as many processors. */
	START("java -version", "/usr/bin/java", "-version", 2.5, 2),
	{
		.name = "start: java -version, on one processor",
		.kind = FIGURE_WALL,
		.command = FIGURE_RUN "/usr/bin/java -version",
		.rounds = 15,
		.peers = {{"native, one processor", "/usr/bin/taskset -c 0 /usr/bin/java -version", 0}},
		.unit = "ms",
		.unit_s = 1e-3,
		.ratio = 2.5,
		.process_beside = 2,
		.needs = "/usr/bin/java",
	},
	START_WITH("--cpus 2 ", "java -version, --cpus 2", "/usr/bin/java", "-version", 2.5, 2),
	START("javac of one class", "/usr/bin/javac", "-d /tmp bench/linux/hello.java", 2.5, 2),
	START("luajit -e 1", "/usr/bin/luajit", "-e x=1", 2.5, 2),
	START("node -e 1", "/usr/bin/node", "-e 1", 2.5, 2),
	START("gcc -E of an empty file", "/usr/bin/gcc", "-E -x c /dev/null", 2.5, 2),
	START("python3, import numpy", "/usr/bin/python3", "-c __import__('numpy')", 2.5, 2),
	START("python3, import scipy", "/usr/bin/python3", "-c __import__('scipy.linalg')", 2.5, 2),
	START("R -e 1", "/usr/bin/Rscript", "-e 1", 2.5, 2),
	START("perl -e 1", "/usr/bin/perl", "-e 1", 2.5, 2),
	START("ruby -e 1", "/usr/bin/ruby", "-e 1", 2.5, 2),
	START("git --version", "/usr/bin/git", "--version", 2.5, 2),
	START("python3 -c pass", "/usr/bin/python3", "-c pass", 1.6, 1.5),
	{.name = NULL},
};
