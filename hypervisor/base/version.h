/* SPDX-License-Identifier: MIT */
/* The version that --version shows and summaries carry. */
#ifndef HYPERVISOR_VERSION_H
#define HYPERVISOR_VERSION_H

#define EREMITE_VERSION "0.1.0"

#endif
