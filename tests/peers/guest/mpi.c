/* SPDX-License-Identifier: MIT */
/* Each rank passes a megabyte round the ring; sums, barriers, and what all have got. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES (1 << 20)

int main(int argc, char **argv)
{
	int rank, size;
	long sum = 0;
	unsigned long check = 0, checks[16];
	unsigned char *buf = malloc(BYTES);
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	long mine = rank + 1;
	MPI_Allreduce(&mine, &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
	memset(buf, rank + 1, BYTES);
	for (int i = 0; i < 2 * size; i++) {
		MPI_Sendrecv_replace(buf, BYTES, MPI_BYTE, (rank + 1) % size, 0, (rank + size - 1) % size, 0,
		                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (int j = 0; j < BYTES; j++)
			check += (unsigned long)buf[j] * (unsigned long)(i + 1);
	}
	for (int i = 0; i < 100; i++)
		MPI_Barrier(MPI_COMM_WORLD);
	MPI_Gather(&check, 1, MPI_UNSIGNED_LONG, checks, 1, MPI_UNSIGNED_LONG, 0, MPI_COMM_WORLD);
	for (int i = 0; i < size && !rank; i++)
		printf("%d of %d: sum %ld, check %lu\n", i, size, sum, checks[i]);
	MPI_Finalize();
	free(buf);
	return 0;
}
