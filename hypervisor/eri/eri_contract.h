/* SPDX-License-Identifier: MIT */
/* The version of the contract (abi/image.h) that the options of a run need: an image or a recording names it, so that
 * an older eremite that has all that a run uses makes this run, and another one says which version it needs. */
#ifndef HYPERVISOR_ERI_CONTRACT_H
#define HYPERVISOR_ERI_CONTRACT_H

/** Returns the least version that has these options of eremite run, and their values: --NAME=VALUE or --NAME. */
unsigned eri_contract_of(char *const *options, unsigned count);

#endif
