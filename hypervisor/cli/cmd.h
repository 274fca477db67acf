/* SPDX-License-Identifier: MIT */
/* The verbs of the eremite command. */
#ifndef HYPERVISOR_CMD_H
#define HYPERVISOR_CMD_H

/* Each verb takes its own argv (argv[0] is "eremite VERB") and returns the exit status. */

/** `eremite run`: runs an image. */
int cmd_run(int argc, char **argv);

/** `eremite debug`: runs a Linux program under a debugger. */
int cmd_debug(int argc, char **argv);

/** `eremite profile`: runs a program and says where its virtual time goes. */
int cmd_profile(int argc, char **argv);

/** `eremite search`: runs a program under many schedules. */
int cmd_search(int argc, char **argv);

/** `eremite analyze`: finds the two events whose order decides whether a program fails. */
int cmd_analyze(int argc, char **argv);

/** `eremite pack`: seals a run into an image. */
int cmd_pack(int argc, char **argv);

/** `eremite verify`: repeats the runs of images and compares them. */
int cmd_verify(int argc, char **argv);

/** `eremite sign`: signs an image. */
int cmd_sign(int argc, char **argv);

/** `eremite info`: prints what a file is. */
int cmd_info(int argc, char **argv);

/** `eremite extract`: writes the files of an image into a directory. */
int cmd_extract(int argc, char **argv);

/** `eremite diff`: says how two sealed images differ. */
int cmd_diff(int argc, char **argv);

/** `eremite compare`: says how two runs differ. */
int cmd_compare(int argc, char **argv);

/** `eremite provenance`: describes the runs of a sealed image as an RO-Crate. */
int cmd_provenance(int argc, char **argv);

#endif
