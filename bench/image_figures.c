/* SPDX-License-Identifier: MIT */
/* Sealed images: how long they take to start, to be made and to be verified, and how large they are. */
#include <stddef.h>

#include "figure.h"

#define MAKE "/bin/bash bench/linux/image_make.sh "
#define PEERS "/bin/bash bench/linux/image_peers.sh "
#define FIGURE "/usr/bin/python3 bench/linux/image_figure.py"
#define IMAGES "bench/images/"

/* A program that is found at PATH: packed, and as it is. */
#define START(label, image, path, arguments) \
	{ \
		.name = "image: start, " label, .kind = FIGURE_WALL, .command = FIGURE_RUN IMAGES image ".eri", \
		.rounds = 15, .peers = {{"not packed", FIGURE_RUN path " " arguments, 0}}, .unit = "ms", \
		.unit_s = 1e-3, .above = 3, .has_cpu = true, .needs = path, .prepare = MAKE image \
	}

const struct figure image_figures[] = {
	{.name = "image: start, one of 1 GB",
         .kind = FIGURE_WALL,
         .command = FIGURE_RUN IMAGES "large.eri",
         .rounds = 30,
         .peers = {{"one of 6 MB", FIGURE_RUN IMAGES "small.eri", 0},
                   {"not packed", FIGURE_RUN "bench/linux/hello-static", 0}},
         .unit = "ms",
         .unit_s = 1e-3,
         .above = 3,
         .prepare = MAKE "start"},
	START("php -r 1;", "php", "/usr/bin/php", "-r 1;"),
	START("ffmpeg -version", "ffmpeg", "/usr/bin/ffmpeg", "-version"),
	START("python3 -c pass", "python3", "/usr/bin/python3", "-c pass"),
	{.name = "image: verify ffmpeg on a new host",
         .kind = FIGURE_WALL,
         .command = PEERS "cold %e",
         .rounds = 5,
         .peers = {{"again", PEERS "warm %e", 0}},
         .unit = "s",
         .unit_s = 1,
         .ratio = 1.3,
         .needs = "/usr/bin/ffmpeg",
         .prepare = MAKE "ffmpeg"},
	{.name = "image: verify, a small one",
         .kind = FIGURE_TURN,
         .command = PEERS "many %n",
         .rounds = 5,
         .peers = {{NULL}},
         .low = 1,
         .high = 101,
         .unit = "ms",
         .unit_s = 1e-3,
         .at_most = 10,
         .prepare = MAKE "many"},
	{.name = "image: pack a figure of NumPy",
         .kind = FIGURE_WALL,
         .command = "./eremite pack -q --engine %e -o " IMAGES "figure.eri -- " FIGURE,
         .rounds = 3,
         .peers = {{"reprozip trace and pack", PEERS "reprozip", 0},
                   {"run, and tar of the same files", PEERS "tar", 0},
                   {"run, not packed", FIGURE_RUN FIGURE, 0}},
         .unit = "s",
         .unit_s = 1,
         .needs = "/usr/bin/reprozip",
         .prepare = MAKE "figure"},
	{.name = "image: verify a figure of NumPy",
         .kind = FIGURE_WALL,
         .command = "./eremite verify -q --engine %e " IMAGES "figure.eri",
         .rounds = 3,
         .peers = {{"run, not packed", FIGURE_RUN FIGURE, 0}, {"native", FIGURE, 0}},
         .unit = "s",
         .unit_s = 1,
         .prepare = MAKE "figure"},
	{.name = "image: size of a figure of NumPy",
         .kind = FIGURE_SIZE,
         .command = IMAGES "figure.eri",
         .peers = {{"with --compress", IMAGES "figure-compressed.eri", 0},
                   {"reprozip", IMAGES "figure.rpz", 0},
                   {"tar of the same files", IMAGES "figure.tar", 0}},
         .unit = "MB",
         .unit_s = 1e6,
         .prepare = MAKE "packed"},
	{0},
};
