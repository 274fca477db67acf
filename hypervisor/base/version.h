/* SPDX-License-Identifier: MIT */
/* The version that --version shows and summaries carry: that of the file VERSION. */
#ifndef HYPERVISOR_VERSION_H
#define HYPERVISOR_VERSION_H

#define EREMITE_VERSION "0.10.0-dev"

#endif
