/* SPDX-License-Identifier: MIT */
/* Symbols of an image that are compressed behind it. */
#ifndef HYPERVISOR_SYMBOLS_H
#define HYPERVISOR_SYMBOLS_H

/** Returns a descriptor of the image with its symbols expanded, or `fd` itself if it has none that are compressed. */
int symbols_expand(int fd);

#endif
