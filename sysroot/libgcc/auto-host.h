/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What GCC's configure finds out about binutils and musl, as far as libgcc asks. */
#define HAVE_LD_EH_FRAME_HDR   1
#define HAVE_GAS_HIDDEN        1
#define TARGET_DL_ITERATE_PHDR 1
