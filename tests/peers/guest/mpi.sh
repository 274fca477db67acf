# SPDX-License-Identifier: MIT
# An MPI program with four ranks, which send by TCP only. shellcheck shell=bash
mpirun.openmpi --allow-run-as-root --oversubscribe --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include lo -n 4 ./mpi
mpirun.openmpi --allow-run-as-root --oversubscribe --mca pml ob1 --mca btl tcp,self --mca btl_tcp_if_include eth0 -n 4 ./mpi
