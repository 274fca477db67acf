# SPDX-License-Identifier: MIT
#
# make bench: one table of figures, each beside its peers in the same run. FIGURE=text runs the rows whose name has it.

BENCH := $(B)/bench
BENCH_CFLAGS := -std=gnu11 -D_GNU_SOURCE= -O2 $(WARNINGS) -I$(SRC)
# Both sides of a comparison are compiled with these; loops are aligned so that luck does not decide between them.
BENCH_CODE := -O2 -w -falign-functions=64 -falign-loops=64
BENCH_FILES := $(addprefix $(BENCH)/,figures kvm_floor micro micro.eremite compute compute.eremite threads threads.eremite hello-glibc \
	hello-musl hello.stripped pvh_exit root/page root/solar.csv)

.PHONY: bench
bench: hypervisor $(B)/apps/hello $(B)/apps/nbody $(B)/native/nbody $(BENCH_FILES)
	@$(BENCH)/figures $(B) $(FIGURE)

$(BENCH)/figures: $(sort $(wildcard bench/*.h)) bench/figures.c bench/parts.c bench/runner.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/figures"
	@$(CC) $(BENCH_CFLAGS) $(filter %.c,$^) -o $@

$(BENCH)/kvm_floor: bench/kvm_floor.c abi/tables.h abi/layout.h
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/kvm_floor"
	@$(CC) $(BENCH_CFLAGS) $< -o $@

$(BENCH)/%.eremite: bench/%.c $(IMAGE_INPUTS)
	@mkdir -p $(@D)
	@echo "  IMAGE   bench/$*"
	@$(B)/eremite-cc $(BENCH_CODE) -o $@ $<

$(BENCH)/micro $(BENCH)/compute $(BENCH)/threads: $(BENCH)/%: bench/%.c
	@mkdir -p $(@D)
	@echo "  HOSTCC  bench/$*"
	@$(CC) $(BENCH_CODE) -o $@ $<

$(BENCH)/hello-glibc: apps/hello/hello.c
	@mkdir -p $(@D)
	@$(CC) $(BENCH_CODE) -s -o $@ $<

# The peer is optional: without musl-gcc its row says that it is absent.
$(BENCH)/hello-musl: apps/hello/hello.c
	@mkdir -p $(@D)
	@! command -v musl-gcc >/dev/null || musl-gcc -static $(BENCH_CODE) -s -o $@ $<

$(BENCH)/hello.stripped: $(B)/apps/hello
	@mkdir -p $(@D)
	@strip -o $@ $<

$(BENCH)/pvh_exit: bench/pvh_exit.S
	@mkdir -p $(@D)
	@$(CC) -m32 -nostdlib -static -no-pie -Wl,-Ttext=0x100000 -Wl,-e,start -Wl,--build-id=none -o $@ $<

$(BENCH)/root/solar.csv: apps/nbody/solar.csv
	@mkdir -p $(@D)
	@cp $< $@

$(BENCH)/root/page:
	@mkdir -p $(@D)
	@head -c 4096 /dev/zero | tr '\0' x >$@
