/* SPDX-License-Identifier: MIT */
/* Services of the internet and their ports, from a table of the C library's own (services(5)). */
#ifndef LIBC_PORT_SERVICE_H
#define LIBC_PORT_SERVICE_H

/** The port that a text consists of; -1: it is no number from 0 to 65535. */
int service_number(const char *text);

/** The port of a service with a protocol, "tcp" or "udp"; -1: unknown. */
int service_port(const char *name, const char *protocol);

/** The name of the service at a port; NULL: unknown. */
const char *service_name(int port, const char *protocol);

#endif
