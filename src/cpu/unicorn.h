/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CPU_UNICORN_H
#define CPU_UNICORN_H

#include "cpu/cpu.h"

extern const struct cpu_engine cpu_unicorn;

#endif
