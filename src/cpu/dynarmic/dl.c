/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <dlfcn.h>

#include "cpu/dynarmic/dl.h"

const struct dynarmic_dl dynarmic_dl = {dlopen, dlsym, dlerror};
