/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of a profile that has other widths than the common description. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/profile_edit.h"
#include "abi/structs.h"

#define MAX_ITEMS 64 /* members and padding of one structure */

static const char number[] = "it is a plain number";
static const char as_it_is[] = "it is handed to the host as it is";
static const char in_ioctl[] = "its size is part of ioctl numbers";
static const char built_in[] = "its layout is built into the emulator";

/* clang-format off */
static const char *const fixed[ABI_NSTRUCTS] = {
	[ABI_INDEX_u32] = number, [ABI_INDEX_s32] = number, [ABI_INDEX_u16] = number,
	[ABI_INDEX_u64] = number, [ABI_INDEX_ulong] = number, [ABI_INDEX_long] = number,
	[ABI_INDEX_timex_time64] = as_it_is, [ABI_INDEX_f_owner_ex] = as_it_is,
	[ABI_INDEX_pollfd] = as_it_is, [ABI_INDEX_sched_attr] = as_it_is, [ABI_INDEX_sembuf] = as_it_is,
	[ABI_INDEX_linger] = as_it_is, [ABI_INDEX_ucred] = as_it_is,
	[ABI_INDEX_cmsghdr] = "control data are repacked for 12 bytes",
	[ABI_INDEX_group_filter] = "addresses follow it",
	[ABI_INDEX_termios] = in_ioctl, [ABI_INDEX_termios2] = in_ioctl, [ABI_INDEX_winsize] = in_ioctl,
	[ABI_INDEX_ifreq] = in_ioctl, [ABI_INDEX_ifreq_flags] = in_ioctl, [ABI_INDEX_ifreq_int] = in_ioctl,
	[ABI_INDEX_ifreq_data] = in_ioctl, [ABI_INDEX_ifreq_settings] = in_ioctl, [ABI_INDEX_ifreq_map] = in_ioctl, [ABI_INDEX_ifconf] = in_ioctl,
	[ABI_INDEX_rtentry] = in_ioctl, [ABI_INDEX_ppp_idle] = in_ioctl,
	[ABI_INDEX_ppp_option_data] = in_ioctl, [ABI_INDEX_serial_struct] = in_ioctl,
	[ABI_INDEX_console_font_op] = in_ioctl, [ABI_INDEX_consolefontdesc] = in_ioctl,
	[ABI_INDEX_unimapdesc] = in_ioctl, [ABI_INDEX_hd_geometry] = in_ioctl,
	[ABI_INDEX_blkpg_ioctl_arg] = in_ioctl, [ABI_INDEX_loop_info] = in_ioctl,
	[ABI_INDEX_fat_dirent] = in_ioctl, [ABI_INDEX_sg_io_hdr] = in_ioctl,
	[ABI_INDEX_fsverity_enable_arg] = in_ioctl, [ABI_INDEX_fb_fix_screeninfo] = in_ioctl,
	[ABI_INDEX_rtc_pll_info] = in_ioctl, [ABI_INDEX_input_mask] = in_ioctl,
	[ABI_INDEX_btrfs_ioctl_vol_args] = in_ioctl, [ABI_INDEX_v4l2_ext_control] = in_ioctl,
	[ABI_INDEX_iocb] = as_it_is, [ABI_INDEX_io_event] = built_in, [ABI_INDEX_linux_dirent64] = built_in,
	[ABI_INDEX_ipt_replace] = "no call takes it",
	[ABI_INDEX_msgbuf] = built_in, [ABI_INDEX_semun] = built_in, [ABI_INDEX_sigset] = number,
	[ABI_INDEX_siginfo] = built_in, [ABI_INDEX_siginfo_kill] = built_in, [ABI_INDEX_siginfo_rt] = built_in,
	[ABI_INDEX_siginfo_timer] = built_in, [ABI_INDEX_siginfo_chld] = built_in,
	[ABI_INDEX_siginfo_fault] = built_in, [ABI_INDEX_siginfo_mce] = built_in,
	[ABI_INDEX_siginfo_bounds] = built_in, [ABI_INDEX_siginfo_pkey] = built_in,
	[ABI_INDEX_siginfo_perf] = built_in, [ABI_INDEX_siginfo_poll] = built_in,
	[ABI_INDEX_siginfo_sys] = built_in, [ABI_INDEX_sigcontext] = built_in,
	[ABI_INDEX_fpsimd_context] = built_in, [ABI_INDEX_esr_context] = built_in,
	[ABI_INDEX_extra_context] = built_in, [ABI_INDEX_ucontext] = built_in,
	[ABI_INDEX_rt_sigframe] = built_in, [ABI_INDEX_user_pt_regs] = built_in,
	[ABI_INDEX_user_fpsimd_state] = built_in, [ABI_INDEX_user_hwdebug_state] = built_in,
	[ABI_INDEX_elf_prstatus] = built_in, [ABI_INDEX_elf_prpsinfo] = built_in,
	[ABI_INDEX_Elf_Ehdr] = built_in, [ABI_INDEX_Elf_Phdr] = built_in, [ABI_INDEX_auxv] = built_in,
	[ABI_INDEX_robust_list_head] = built_in, [ABI_INDEX_sock_filter] = built_in,
	[ABI_INDEX_seccomp_data] = built_in,
};
/* clang-format on */

const char *abi_layout_is_fixed(size_t i)
{
	const struct abi_struct *s = abi_struct_common(i);

	/* Those that no handler looks into: the host's kernel, or only ioctls have them. */
	if (!fixed[i] && s->numbers)
		return s->same ? as_it_is : in_ioctl;
	return fixed[i];
}

static bool is_integer(unsigned size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static bool is_padding(const struct abi_field *f)
{
	return f->rule == ABI_PAD || f->rule == ABI_HOLE || f->rule == ABI_LEAVE;
}

void abi_edit_widen(struct abi_edit *e, bool pointers)
{
	for (unsigned i = 0; i < e->from->nfields; i++) {
		const struct abi_field *f = &e->from->fields[i];

		if (is_padding(f) || f->rule == ABI_NEST || f->rule == ABI_ALIAS ||
		    f->rule == ABI_HIGH || f->gsize != 4 || f->hsize != 8)
			continue;
		if (f->rule != ABI_PTR || pointers)
			e->member[i].width = 8;
	}
}

/* --- alignment ------------------------------------------------------------------------------------ */

static unsigned align_up(unsigned n, unsigned to)
{
	return (n + to - 1) / to * to;
}

/* The largest power of two that divides N, at most 8. */
static unsigned low_bit(unsigned n)
{
	return n & 7 ? n & -n & 7 : 8;
}

/* Of a member at a place that nobody asked for: packed ones are aligned to less than their size. */
static unsigned alignment(const struct abi_field *f)
{
	if (f->rule == ABI_NEST)
		return abi_alignment(abi_struct_common(f->sub->index));
	if (is_padding(f))
		return low_bit(f->goff) < low_bit(f->gsize) ? low_bit(f->goff) : low_bit(f->gsize);
	if (!is_integer(f->gsize))
		return 1;
	return low_bit(f->goff) < f->gsize ? low_bit(f->goff) : f->gsize;
}

/* Where members do not tell: packed structures, attributes, unions and nested members described in parts, 128-bit
 * members. The compiler for ILP32 is asked whether this is so (tests/headers). */
static const uint8_t told[] = {
	[ABI_INDEX_cciss_big_command] = 4,
	[ABI_INDEX_cciss_command] = 4,
	[ABI_INDEX_dtv_property] = 1,
	[ABI_INDEX_fd_set] = 4,
	[ABI_INDEX_fpsimd_context] = 16,
	[ABI_INDEX_ifreq] = 4,
	[ABI_INDEX_io_uring_params] = 8,
	[ABI_INDEX_landlock_path_beneath_attr] = 1,
	[ABI_INDEX_rseq] = 32,
	[ABI_INDEX_sigcontext] = 16,
	[ABI_INDEX_sockaddr_storage] = 4,
	[ABI_INDEX_ucontext] = 16,
	[ABI_INDEX_usbtmc_ctrlrequest] = 1,
	[ABI_INDEX_usbtmc_message] = 1,
	[ABI_INDEX_user_fpsimd_state] = 16,
	[ABI_INDEX_user_hwdebug_state] = 8,
	[ABI_INDEX_v4l2_event] = 8,
	[ABI_INDEX_v4l2_ext_control] = 1,
	[ABI_INDEX_v4l2_ext_control_ptr] = 1,
};

unsigned abi_alignment(const struct abi_struct *s)
{
	unsigned most = 1;

	if (s->index < sizeof(told) && told[s->index])
		return told[s->index];
	for (unsigned i = 0; i < s->nfields; i++) {
		unsigned a = is_padding(&s->fields[i]) ? 1 : alignment(&s->fields[i]);

		if (a > most)
			most = a;
	}
	return most;
}

static unsigned total(const struct abi_field *f)
{
	return (unsigned)f->gsize * (f->count ? f->count : 1);
}

/* --- the new members ------------------------------------------------------------------------------ */

/* How a member of a new width is carried over. */
static uint8_t new_rule(const struct abi_field *f, unsigned width)
{
	bool is_signed = f->rule == ABI_SEXT || f->rule == ABI_SOVFL || f->rule == ABI_CLAMP ||
			 (f->rule == ABI_COPY && f->fmt == ABI_DEC);

	if (f->rule == ABI_PTR)
		return f->rule;
	if (width > f->hsize)
		return is_signed ? ABI_SWIDE : ABI_UWIDE;
	if (f->rule == ABI_COPY && width != f->hsize)
		return is_signed ? ABI_SEXT : ABI_ZEXT;
	return f->rule;
}

/* One member or reserved padding of the old structure, and where it goes. */
struct item {
	struct abi_field f;          /* as it becomes */
	const struct abi_field *old; /* as it was */
	const struct abi_member_edit *edit;
	unsigned order; /* in the old list */
};

static int by_old_place(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return x->old->goff != y->old->goff ? (int)x->old->goff - (int)y->old->goff
					    : (int)x->order - (int)y->order;
}

static int by_new_place(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (int)x->f.goff - (int)y->f.goff;
}

static int by_order(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return (int)x->order - (int)y->order;
}

struct plan {
	const struct abi_edit *edit;
	struct item item[MAX_ITEMS];
	unsigned n, size;
	char *why;
};

static bool refuse(const struct plan *p, const char *text)
{
	snprintf(p->why, ABI_WHY, "structure %s: %s", p->edit->from->name, text);
	return false;
}

static bool list_items(struct plan *p, const struct abi_struct **structs)
{
	const struct abi_struct *from = p->edit->from;

	if (from->nfields > MAX_ITEMS / 2)
		return refuse(p, "it has too many members to be changed");
	for (unsigned i = 0; i < from->nfields; i++) {
		const struct abi_member_edit *edit = &p->edit->member[i];
		struct item *it = &p->item[p->n];

		*it = (struct item){from->fields[i], &from->fields[i], edit, i};
		if (it->f.rule == ABI_NEST) {
			const struct abi_struct *sub = structs[it->f.sub->index];

			it->f.gsize = sub ? sub->gsize : abi_struct_common(it->f.sub->index)->gsize;
		} else if (edit->width >= 0) {
			it->f.rule = new_rule(&it->f, (unsigned)edit->width);
			it->f.gsize = (uint16_t)edit->width;
		}
		p->n++;
	}
	qsort(p->item, p->n, sizeof p->item[0], by_old_place);
	for (unsigned i = 1; i < p->n; i++) {
		if (p->item[i].old->goff < p->item[i - 1].old->goff + total(p->item[i - 1].old))
			return refuse(p, "its members overlap: it cannot be changed");
	}
	return true;
}

/* Whether item I is what the compiler puts in front of the next member or at the end. */
static bool is_alignment(const struct plan *p, unsigned i)
{
	const struct abi_field *f = p->item[i].old;
	bool last = i + 1 == p->n;
	unsigned end = last ? p->edit->from->gsize : p->item[i + 1].old->goff;
	unsigned to = last ? abi_alignment(p->edit->from) : alignment(p->item[i + 1].old);

	return f->goff + f->gsize == end && align_up(f->goff, to) == end;
}

/* Alignment that a member of its new width has. */
static unsigned new_alignment(const struct item *it, const struct abi_struct **structs)
{
	if (it->f.rule == ABI_NEST) {
		const struct abi_struct *sub = structs[it->f.sub->index];

		return abi_alignment(sub ? sub : abi_struct_common(it->f.sub->index));
	}
	return it->f.gsize == it->old->gsize ? alignment(it->old) : it->f.gsize;
}

static bool place(struct plan *p, const struct abi_struct **structs)
{
	const struct abi_struct *from = p->edit->from;
	unsigned old_end = 0, end = 0, most = 1, kept = 0;

	for (unsigned i = 0; i < p->n; i++) {
		struct item *it = &p->item[i];
		unsigned to = new_alignment(it, structs);
		unsigned gap, at;

		if (is_padding(it->old) && is_alignment(p, i))
			continue;
		if (it->edit->width == 0) {
			old_end = it->old->goff + total(it->old);
			continue;
		}
		gap = it->old->goff - align_up(old_end, alignment(it->old));
		at = it->edit->offset >= 0 ? (unsigned)it->edit->offset
					   : align_up(end, to) + (gap < from->gsize ? gap : 0);
		if (!is_padding(it->old) && to > most)
			most = to;
		if (at + total(&it->f) > ABI_MAX_SIZE)
			return refuse(p, "it becomes too large");
		it->f.goff = (uint16_t)at;
		old_end = it->old->goff + total(it->old);
		end = at + total(&it->f);
		p->item[kept++] = *it;
	}
	p->n = kept;
	p->size = align_up(old_end, abi_alignment(from)) == from->gsize
			  ? align_up(end, most)
			  : end + (from->gsize - old_end);
	return true;
}

/* Whether item I is where a member is, or beyond the size. */
static bool gives_way(const struct plan *p, unsigned i)
{
	const struct abi_field *f = &p->item[i].f;

	if (!is_padding(f))
		return false;
	for (unsigned k = 0; k < p->n; k++) {
		const struct abi_field *other = &p->item[k].f;

		if (!is_padding(other) && other->goff < f->goff + f->gsize &&
		    f->goff < other->goff + total(other))
			return true;
	}
	return f->goff + f->gsize > p->size;
}

/* Reserved words give way to a size and to offsets that were asked for. */
static bool fit(struct plan *p)
{
	unsigned end = 0, n = 0;
	bool gone[MAX_ITEMS];

	if (p->edit->size >= 0)
		p->size = (unsigned)p->edit->size;
	for (unsigned i = 0; i < p->n; i++)
		gone[i] = gives_way(p, i);
	for (unsigned i = 0; i < p->n; i++) {
		if (!gone[i])
			p->item[n++] = p->item[i];
	}
	p->n = n;
	qsort(p->item, n, sizeof p->item[0], by_new_place);
	for (unsigned i = 0; i < n; i++) {
		if (p->item[i].f.goff < end) {
			snprintf(p->why, ABI_WHY,
				 "structure %s: members %s and %s would overlap at offset %u",
				 p->edit->from->name, p->item[i - 1].f.name, p->item[i].f.name,
				 p->item[i].f.goff);
			return false;
		}
		end = p->item[i].f.goff + total(&p->item[i].f);
	}
	if (end > p->size) {
		snprintf(p->why, ABI_WHY, "structure %s: its members end at %u, beyond its size %u",
			 p->edit->from->name, end, p->size);
		return false;
	}
	return p->size <= ABI_MAX_SIZE || refuse(p, "it becomes too large");
}

/* Bytes that nothing covers are written as zero: no old content of the emulator's may show there. */
static bool cover(struct plan *p)
{
	unsigned end = 0, n = p->n;

	for (unsigned i = 0; i <= n; i++) {
		unsigned at = i < n ? p->item[i].f.goff : p->size;

		if (at > end) {
			if (p->n == MAX_ITEMS)
				return refuse(p, "too many gaps between its members");
			p->item[p->n++] = (struct item){.f = {.name = "",
							      .goff = (uint16_t)end,
							      .gsize = (uint16_t)(at - end),
							      .rule = ABI_PAD,
							      .fmt = ABI_HIDE},
							.order = MAX_ITEMS + p->n};
		}
		if (i < n)
			end = at + total(&p->item[i].f);
	}
	return true;
}

const struct abi_struct *abi_layout(const struct abi_edit *e, const struct abi_struct **structs,
				    char why[ABI_WHY])
{
	struct plan p = {.edit = e};
	struct abi_struct *s;
	struct abi_field *f;

	p.why = why;
	if (!list_items(&p, structs) || !place(&p, structs) || !fit(&p) || !cover(&p))
		return NULL;
	qsort(p.item, p.n, sizeof p.item[0], by_order);
	s = malloc(sizeof *s);
	f = malloc((p.n ? p.n : 1) * sizeof *f);
	if (!s || !f) {
		free(s);
		free(f);
		refuse(&p, "no memory");
		return NULL;
	}
	for (unsigned i = 0; i < p.n; i++)
		f[i] = p.item[i].f;
	*s = *e->from;
	s->gsize = (uint16_t)p.size;
	s->same = s->holes = false;
	s->nfields = (uint16_t)p.n;
	s->fields = f;
	s->header = s->type = NULL;
	return s;
}
