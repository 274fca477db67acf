/* SPDX-License-Identifier: MIT */
/* Finds the requests of HTTP/1.x (RFC 9112) in what a client sends, as it comes. */
#ifndef HYPERVISOR_HTTP_REQUEST_H
#define HYPERVISOR_HTTP_REQUEST_H

#include <stddef.h>
#include <stdint.h>

#define HTTP_HEAD_MAX 65536 /* bytes of a request line and its headers */

enum http_found {
	HTTP_MORE, /**< nothing new: all bytes were taken */
	HTTP_HEAD, /**< the head of a request is complete: `key` names the request */
	HTTP_END,  /**< a request is complete */
	HTTP_RAW,  /**< what follows the last request is no request; nothing is taken any more */
};

/** One direction of a connection. All zero: at its start. */
struct http_request {
	enum { HTTP_IN_HEAD, HTTP_IN_BODY, HTTP_IN_SIZE, HTTP_IN_CHUNK, HTTP_IN_TRAILER, HTTP_IS_RAW } state;
	char *head;      /**< what has come of a head; owned */
	size_t bytes;    /**< of it */
	uint64_t left;   /**< bytes of the body or of its chunk that have not come */
	uint64_t number; /**< bytes of the stream that were taken */
	uint64_t start;  /**< where the request begins in the stream */
	char line[80];   /**< of a chunk's size or a trailer: its start */
	size_t line_bytes;
	char *key; /**< method, target and the value of Host, each after a space; owned */
};

/**
 * Takes bytes of the stream up to the next thing that is found, and stores how many in *taken. HTTP_RAW: the bytes
 * since `start` are the ones that are no request.
 */
enum http_found http_request_take(struct http_request *request, const uint8_t *data, size_t bytes, size_t *taken);

/** Frees what it owns. */
void http_request_free(struct http_request *request);

#endif
