/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef GCC_TCONFIG_H
#define GCC_TCONFIG_H
#include "auto-host.h"
#ifdef IN_GCC
# include "ansidecl.h"
#endif
#define USED_FOR_TARGET
#endif
