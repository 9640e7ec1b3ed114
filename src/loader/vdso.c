/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pages that the kernel adds to an image: [vvar] and [vdso], or the signal trampoline alone. */
#include <errno.h>
#include <sys/mman.h>

#include "loader/internal.h"

/* What libgcc's unwinder looks for at the return address; the nop keeps a search for the caller, one
 * byte before it, inside the page. */
static const uint8_t trampoline[] = {
	0x1f, 0x20, 0x03, 0xd5, /* nop */
	0x68, 0x11, 0x80, 0xd2, /* mov x8, #139 (rt_sigreturn) */
	0x01, 0x00, 0x00, 0xd4, /* svc #0 */
};
#define TRAMPOLINE_ENTRY 4

/* Copies N bytes into the pages at A, which then become read-exec. */
static int put_code(gaddr a, const void *code, uint32_t n, uint32_t len)
{
	int err = mem_copy_out(a, code, n);

	return err ? err : (int)mem_mprotect(a, len, PROT_READ | PROT_EXEC);
}

static int map_trampoline(struct loader_image *img)
{
	int64_t a = mem_mmap(0, MEM_PAGE_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			     -1, 0);
	int err;

	if (a < 0)
		return (int)a;
	err = put_code((gaddr)a, trampoline, sizeof trampoline, MEM_PAGE_SIZE);
	mem_set_name((gaddr)a, MEM_PAGE_SIZE, "[sigpage]");
	img->sigreturn = (gaddr)a + TRAMPOLINE_ENTRY;
	return err;
}

static int map_vdso(const struct loader_vdso *v, struct loader_image *img)
{
	int64_t a = mem_mmap(0, v->data_len + v->image_len, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int64_t r = 0;

	if (a < 0)
		return (int)a;
	img->vdso = (gaddr)a + v->data_len;
	img->sigreturn = img->vdso + v->sigreturn;
	/* Private, and so shown as the kernel's own page is; what nobody wrote to stays the file's. */
	if (v->data_len && v->data_fd >= 0)
		r = mem_mmap((gaddr)a, v->data_len, PROT_READ, MAP_PRIVATE | MAP_FIXED, v->data_fd,
			     0);
	else if (v->data_len)
		r = mem_mprotect((gaddr)a, v->data_len, PROT_READ);
	if (r < 0)
		return (int)r;
	if (v->data_len)
		mem_set_name((gaddr)a, v->data_len, "[vvar]");
	mem_set_name(img->vdso, v->image_len, "[vdso]");
	return put_code(img->vdso, v->image, v->image_len, v->image_len);
}

int loader_map_vdso(const struct loader_env *env, struct loader_image *img)
{
	int err;

	/* READ_IMPLIES_EXEC does not reach the kernel's own pages (tests/oracle/layout-execstack.out). */
	mem_set_read_implies_exec(false);
	err = env->vdso ? map_vdso(env->vdso, img) : map_trampoline(img);
	mem_set_read_implies_exec(img->read_implies_exec);
	return err;
}
