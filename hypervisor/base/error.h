/* SPDX-License-Identifier: MIT */
/* Why something failed: one line for the user, which functions pass up until a command prints it. */
#ifndef HYPERVISOR_ERROR_H
#define HYPERVISOR_ERROR_H

struct error {
	char text[256]; /**< as much of the line as fits; empty: none */
};

/** Writes the line. Returns -reason, a negative errno, so that the caller can return it. */
int error_set(struct error *error, int reason, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/** Writes words before the line, of which as much stays as fits. Returns -reason. */
int error_prefix(struct error *error, int reason, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

#endif
