/* SPDX-License-Identifier: MIT */
/* The directories in the guest's root that are the guest's own, whichever tree its root shows. The guest's home, which
 * exists only where the tree has none, is in abi/environment.h.
 *
 * OWN_PATH_LIST(X) expands to X(name, of_host, closed, early) for each. --save never writes to any of them, because
 * what a program finds there is not the host's. The columns are 1 or 0:
 *   of_host  the host has its state there, which programs never see, whichever tree shows it;
 *   closed   no tree is bound there and no program starts from there. /tmp is open: programs get what the command line
 *            names of the host's /tmp, and --bind may show a tree there;
 *   early    it exists before a tree takes the place of the root, and is moved there. /proc and /sys are made later. */
#ifndef ABI_OWN_PATHS_H
#define ABI_OWN_PATHS_H

#define OWN_PATH_LIST(X) \
	X(proc, 1, 1, 0) \
	X(sys, 1, 1, 0) \
	X(dev, 1, 1, 1) \
	X(out, 0, 1, 1) \
	X(tmp, 0, 0, 1)

/** OWN_PATH_IF_1(text) is the text, OWN_PATH_IF_0(text) nothing: they choose rows by a column. */
#define OWN_PATH_IF_1(...) __VA_ARGS__
#define OWN_PATH_IF_0(...)

#endif
