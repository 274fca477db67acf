# SPDX-License-Identifier: MIT
#
# What long jobs of tests/repeat need compiled, and make soak-linux: each job RUNS times (5) in each way, about an hour.
# ONLY='go' are jobs whose names begin so, WAYS='idle loaded' only these ways.

R := $(B)/tests/repeat
REPEAT_PROGRAMS := $(addprefix $(R)/,goroutines threads cplusplus openmp Work.class)

$(R)/goroutines: tests/linux/programs/goroutines.go
	@mkdir -p $(@D)
	@echo "  GO      $<"
	@HOME=$(@D) GO111MODULE=off GOCACHE=$(B)/go-cache GOTOOLDIR= CGO_ENABLED=0 /usr/lib/go-1.19/bin/go build -trimpath -o $@ $<

$(R)/threads: tests/linux/programs/threads.rs
	@mkdir -p $(@D)
	@echo "  RUSTC   $<"
	@rustc -O --edition 2021 -o $@ $<

$(R)/cplusplus: tests/linux/programs/cplusplus.cpp
	@mkdir -p $(@D)
	@echo "  CXX     $<"
	@$(CXX) -std=c++20 -O1 -Wall -Wextra -Werror -pthread -o $@ $<

$(R)/openmp: tests/linux/programs/openmp.f90
	@mkdir -p $(@D)
	@echo "  FORTRAN $<"
	@gfortran -O2 -fopenmp -Wall -Wextra -Werror -o $@ $<

$(R)/Work.class: tests/linux/programs/Work.java
	@mkdir -p $(@D)
	@echo "  JAVAC   $<"
	@javac -d $(@D) $<

.PHONY: soak-linux
soak-linux: check-packages all $(REPEAT_PROGRAMS)
	@SRC=$(SRC) B=$(B) RUNS=$(or $(RUNS),5) ONLY='$(ONLY)' WAYS='$(WAYS)' tests/repeat/repeat quick long
