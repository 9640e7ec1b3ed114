/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Structures of ioctls on graphics devices. */
#include "abi/describe.h"

/* --- handles and descriptors -------------------------------------------------------------------------- */

DESCRIBE_AT(drm_prime_handle, 12, 12, "drm/drm.h", "struct drm_prime_handle",
	    AT(handle, 0, 4, 0, 4, COPY, UDEC), AT(flags, 4, 4, 4, 4, COPY, HEX),
	    AT(fd, 8, 4, 8, 4, COPY, FD));

DESCRIBE_AT(drm_syncobj_handle, 16, 16, "drm/drm.h", "struct drm_syncobj_handle",
	    AT(handle, 0, 4, 0, 4, COPY, UDEC), AT(flags, 4, 4, 4, 4, COPY, HEX),
	    AT(fd, 8, 4, 8, 4, COPY, FD), AT(pad, 12, 4, 12, 4, COPY, HIDE));

/* --- the display itself ------------------------------------------------------------------------------ */

DESCRIBE_AT(drm_version, 36, 64, "drm/drm.h", "struct drm_version",
	    AT(version_major, 0, 4, 0, 4, COPY, DEC), AT(version_minor, 4, 4, 4, 4, COPY, DEC),
	    AT(version_patchlevel, 8, 4, 8, 4, COPY, DEC), AT(name_len, 12, 4, 16, 8, ZEXT, UDEC),
	    AT(name, 16, 4, 24, 8, PTR, GPTR), AT(date_len, 20, 4, 32, 8, ZEXT, UDEC),
	    AT(date, 24, 4, 40, 8, PTR, GPTR), AT(desc_len, 28, 4, 48, 8, ZEXT, UDEC),
	    AT(desc, 32, 4, 56, 8, PTR, GPTR));

DESCRIBE_AT(drm_unique, 8, 16, "drm/drm.h", "struct drm_unique",
	    AT(unique_len, 0, 4, 0, 8, ZEXT, UDEC), AT(unique, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_map, 24, 40, "drm/drm.h", "struct drm_map", AT(offset, 0, 4, 0, 8, ZEXT, UDEC),
	    AT(size, 4, 4, 8, 8, ZEXT, UDEC), AT(type, 8, 4, 16, 4, COPY, UDEC),
	    AT(flags, 12, 4, 20, 4, COPY, UDEC), AT(handle, 16, 4, 24, 8, ZEXT, GPTR),
	    AT(mtrr, 20, 4, 32, 4, COPY, DEC));

DESCRIBE_AT(drm_client, 24, 40, "drm/drm.h", "struct drm_client", AT(idx, 0, 4, 0, 4, COPY, DEC),
	    AT(auth, 4, 4, 4, 4, COPY, DEC), AT(pid, 8, 4, 8, 8, ZEXT, UDEC),
	    AT(uid, 12, 4, 16, 8, ZEXT, UDEC), AT(magic, 16, 4, 24, 8, ZEXT, UDEC),
	    AT(iocs, 20, 4, 32, 8, ZEXT, UDEC));

DESCRIBE_AT(
	drm_stats, 124, 248, "drm/drm.h", "struct drm_stats", AT(count, 0, 4, 0, 8, ZEXT, UDEC),
	AT(data[0].value, 4, 4, 8, 8, ZEXT, UDEC), AT(data[0].type, 8, 4, 16, 4, COPY, UDEC),
	AT(data[1].value, 12, 4, 24, 8, ZEXT, UDEC), AT(data[1].type, 16, 4, 32, 4, COPY, UDEC),
	AT(data[2].value, 20, 4, 40, 8, ZEXT, UDEC), AT(data[2].type, 24, 4, 48, 4, COPY, UDEC),
	AT(data[3].value, 28, 4, 56, 8, ZEXT, UDEC), AT(data[3].type, 32, 4, 64, 4, COPY, UDEC),
	AT(data[4].value, 36, 4, 72, 8, ZEXT, UDEC), AT(data[4].type, 40, 4, 80, 4, COPY, UDEC),
	AT(data[5].value, 44, 4, 88, 8, ZEXT, UDEC), AT(data[5].type, 48, 4, 96, 4, COPY, UDEC),
	AT(data[6].value, 52, 4, 104, 8, ZEXT, UDEC), AT(data[6].type, 56, 4, 112, 4, COPY, UDEC),
	AT(data[7].value, 60, 4, 120, 8, ZEXT, UDEC), AT(data[7].type, 64, 4, 128, 4, COPY, UDEC),
	AT(data[8].value, 68, 4, 136, 8, ZEXT, UDEC), AT(data[8].type, 72, 4, 144, 4, COPY, UDEC),
	AT(data[9].value, 76, 4, 152, 8, ZEXT, UDEC), AT(data[9].type, 80, 4, 160, 4, COPY, UDEC),
	AT(data[10].value, 84, 4, 168, 8, ZEXT, UDEC), AT(data[10].type, 88, 4, 176, 4, COPY, UDEC),
	AT(data[11].value, 92, 4, 184, 8, ZEXT, UDEC), AT(data[11].type, 96, 4, 192, 4, COPY, UDEC),
	AT(data[12].value, 100, 4, 200, 8, ZEXT, UDEC),
	AT(data[12].type, 104, 4, 208, 4, COPY, UDEC),
	AT(data[13].value, 108, 4, 216, 8, ZEXT, UDEC),
	AT(data[13].type, 112, 4, 224, 4, COPY, UDEC),
	AT(data[14].value, 116, 4, 232, 8, ZEXT, UDEC),
	AT(data[14].type, 120, 4, 240, 4, COPY, UDEC));

DESCRIBE_AT(drm_buf_desc, 24, 32, "drm/drm.h", "struct drm_buf_desc",
	    AT(count, 0, 4, 0, 4, COPY, DEC), AT(size, 4, 4, 4, 4, COPY, DEC),
	    AT(low_mark, 8, 4, 8, 4, COPY, DEC), AT(high_mark, 12, 4, 12, 4, COPY, DEC),
	    AT(flags, 16, 4, 16, 4, COPY, UDEC), AT(agp_start, 20, 4, 24, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_buf_info, 8, 16, "drm/drm.h", "struct drm_buf_info",
	    AT(count, 0, 4, 0, 4, COPY, DEC),
	    AT_LIST(list, 4, 8, drm_buf_desc, .count_field = "count", .list_out = true));

DESCRIBE_AT(drm_buf_free, 8, 16, "drm/drm.h", "struct drm_buf_free",
	    AT(count, 0, 4, 0, 4, COPY, DEC), AT(list, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_dma, 40, 64, "drm/drm.h", "struct drm_dma", AT(context, 0, 4, 0, 4, COPY, DEC),
	    AT(send_count, 4, 4, 4, 4, COPY, DEC), AT(send_indices, 8, 4, 8, 8, PTR, GPTR),
	    AT(send_sizes, 12, 4, 16, 8, PTR, GPTR), AT(flags, 16, 4, 24, 4, COPY, UDEC),
	    AT(request_count, 20, 4, 28, 4, COPY, DEC), AT(request_size, 24, 4, 32, 4, COPY, DEC),
	    AT(request_indices, 28, 4, 40, 8, PTR, GPTR),
	    AT(request_sizes, 32, 4, 48, 8, PTR, GPTR), AT(granted_count, 36, 4, 56, 4, COPY, DEC));

DESCRIBE_AT(drm_ctx_res, 8, 16, "drm/drm.h", "struct drm_ctx_res", AT(count, 0, 4, 0, 4, COPY, DEC),
	    AT(contexts, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_ctx_priv_map, 8, 16, "drm/drm.h", "struct drm_ctx_priv_map",
	    AT(ctx_id, 0, 4, 0, 4, COPY, UDEC), AT(handle, 4, 4, 8, 8, ZEXT, GPTR));

DESCRIBE_AT(drm_agp_mode, 4, 8, "drm/drm.h", "struct drm_agp_mode",
	    AT(mode, 0, 4, 0, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_agp_buffer, 16, 32, "drm/drm.h", "struct drm_agp_buffer",
	    AT(size, 0, 4, 0, 8, ZEXT, UDEC), AT(handle, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(type, 8, 4, 16, 8, ZEXT, UDEC), AT(physical, 12, 4, 24, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_agp_binding, 8, 16, "drm/drm.h", "struct drm_agp_binding",
	    AT(handle, 0, 4, 0, 8, ZEXT, UDEC), AT(offset, 4, 4, 8, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_agp_info, 32, 56, "drm/drm.h", "struct drm_agp_info",
	    AT(agp_version_major, 0, 4, 0, 4, COPY, DEC),
	    AT(agp_version_minor, 4, 4, 4, 4, COPY, DEC), AT(mode, 8, 4, 8, 8, ZEXT, UDEC),
	    AT(aperture_base, 12, 4, 16, 8, ZEXT, UDEC),
	    AT(aperture_size, 16, 4, 24, 8, ZEXT, UDEC),
	    AT(memory_allowed, 20, 4, 32, 8, ZEXT, UDEC), AT(memory_used, 24, 4, 40, 8, ZEXT, UDEC),
	    AT(id_vendor, 28, 2, 48, 2, COPY, UDEC), AT(id_device, 30, 2, 50, 2, COPY, UDEC));

DESCRIBE_AT(drm_scatter_gather, 8, 16, "drm/drm.h", "struct drm_scatter_gather",
	    AT(size, 0, 4, 0, 8, ZEXT, UDEC), AT(handle, 4, 4, 8, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_wait_vblank, 16, 24, "drm/drm.h", "union drm_wait_vblank",
	    AT(reply.type, 0, 4, 0, 4, COPY, UDEC), AT(reply.sequence, 4, 4, 4, 4, COPY, UDEC),
	    AT(reply.tval_sec, 8, 4, 8, 8, ZEXT, DEC),
	    AT(reply.tval_usec, 12, 4, 16, 8, SEXT, DEC));

DESCRIBE_AT(drm_mode_card_res, 64, 64, "drm/drm_mode.h", "struct drm_mode_card_res",
	    AT(fb_id_ptr, 0, 8, 0, 8, PTR, GPTR), AT(crtc_id_ptr, 8, 8, 8, 8, PTR, GPTR),
	    AT(connector_id_ptr, 16, 8, 16, 8, PTR, GPTR),
	    AT(encoder_id_ptr, 24, 8, 24, 8, PTR, GPTR), AT(count_fbs, 32, 4, 32, 4, COPY, UDEC),
	    AT(count_crtcs, 36, 4, 36, 4, COPY, UDEC),
	    AT(count_connectors, 40, 4, 40, 4, COPY, UDEC),
	    AT(count_encoders, 44, 4, 44, 4, COPY, UDEC), AT(min_width, 48, 4, 48, 4, COPY, UDEC),
	    AT(max_width, 52, 4, 52, 4, COPY, UDEC), AT(min_height, 56, 4, 56, 4, COPY, UDEC),
	    AT(max_height, 60, 4, 60, 4, COPY, UDEC));

DESCRIBE_AT(drm_mode_crtc, 104, 104, "drm/drm_mode.h", "struct drm_mode_crtc",
	    AT(set_connectors_ptr, 0, 8, 0, 8, PTR, GPTR),
	    AT(count_connectors, 8, 4, 8, 4, COPY, UDEC), AT(crtc_id, 12, 4, 12, 4, COPY, UDEC),
	    AT(fb_id, 16, 4, 16, 4, COPY, UDEC), AT(x, 20, 4, 20, 4, COPY, UDEC),
	    AT(y, 24, 4, 24, 4, COPY, UDEC), AT(gamma_size, 28, 4, 28, 4, COPY, UDEC),
	    AT(mode_valid, 32, 4, 32, 4, COPY, UDEC), AT(mode.clock, 36, 4, 36, 4, COPY, UDEC),
	    AT(mode.hdisplay, 40, 2, 40, 2, COPY, UDEC),
	    AT(mode.hsync_start, 42, 2, 42, 2, COPY, UDEC),
	    AT(mode.hsync_end, 44, 2, 44, 2, COPY, UDEC), AT(mode.htotal, 46, 2, 46, 2, COPY, UDEC),
	    AT(mode.hskew, 48, 2, 48, 2, COPY, UDEC), AT(mode.vdisplay, 50, 2, 50, 2, COPY, UDEC),
	    AT(mode.vsync_start, 52, 2, 52, 2, COPY, UDEC),
	    AT(mode.vsync_end, 54, 2, 54, 2, COPY, UDEC), AT(mode.vtotal, 56, 2, 56, 2, COPY, UDEC),
	    AT(mode.vscan, 58, 2, 58, 2, COPY, UDEC), AT(mode.vrefresh, 60, 4, 60, 4, COPY, UDEC),
	    AT(mode.flags, 64, 4, 64, 4, COPY, UDEC), AT(mode.type, 68, 4, 68, 4, COPY, UDEC),
	    AT(mode.name, 72, 32, 72, 32, COPY, STRING));

DESCRIBE_AT(drm_mode_get_connector, 80, 80, "drm/drm_mode.h", "struct drm_mode_get_connector",
	    AT(encoders_ptr, 0, 8, 0, 8, PTR, GPTR), AT(modes_ptr, 8, 8, 8, 8, PTR, GPTR),
	    AT(props_ptr, 16, 8, 16, 8, PTR, GPTR), AT(prop_values_ptr, 24, 8, 24, 8, PTR, GPTR),
	    AT(count_modes, 32, 4, 32, 4, COPY, UDEC), AT(count_props, 36, 4, 36, 4, COPY, UDEC),
	    AT(count_encoders, 40, 4, 40, 4, COPY, UDEC), AT(encoder_id, 44, 4, 44, 4, COPY, UDEC),
	    AT(connector_id, 48, 4, 48, 4, COPY, UDEC),
	    AT(connector_type, 52, 4, 52, 4, COPY, UDEC),
	    AT(connector_type_id, 56, 4, 56, 4, COPY, UDEC),
	    AT(connection, 60, 4, 60, 4, COPY, UDEC), AT(mm_width, 64, 4, 64, 4, COPY, UDEC),
	    AT(mm_height, 68, 4, 68, 4, COPY, UDEC), AT(subpixel, 72, 4, 72, 4, COPY, UDEC),
	    AT(pad, 76, 4, 76, 4, COPY, HIDE));

DESCRIBE_AT(drm_mode_get_plane_res, 16, 16, "drm/drm_mode.h", "struct drm_mode_get_plane_res",
	    AT(plane_id_ptr, 0, 8, 0, 8, PTR, GPTR), AT(count_planes, 8, 4, 8, 4, COPY, UDEC),
	    F_PAD(12, 4));

DESCRIBE_AT(drm_mode_get_plane, 32, 32, "drm/drm_mode.h", "struct drm_mode_get_plane",
	    AT(plane_id, 0, 4, 0, 4, COPY, UDEC), AT(crtc_id, 4, 4, 4, 4, COPY, UDEC),
	    AT(fb_id, 8, 4, 8, 4, COPY, UDEC), AT(possible_crtcs, 12, 4, 12, 4, COPY, UDEC),
	    AT(gamma_size, 16, 4, 16, 4, COPY, UDEC),
	    AT(count_format_types, 20, 4, 20, 4, COPY, UDEC),
	    AT(format_type_ptr, 24, 8, 24, 8, PTR, GPTR));

DESCRIBE_AT(drm_mode_get_property, 64, 64, "drm/drm_mode.h", "struct drm_mode_get_property",
	    AT(values_ptr, 0, 8, 0, 8, PTR, GPTR), AT(enum_blob_ptr, 8, 8, 8, 8, PTR, GPTR),
	    AT(prop_id, 16, 4, 16, 4, COPY, UDEC), AT(flags, 20, 4, 20, 4, COPY, UDEC),
	    AT(name, 24, 32, 24, 32, COPY, STRING), AT(count_values, 56, 4, 56, 4, COPY, UDEC),
	    AT(count_enum_blobs, 60, 4, 60, 4, COPY, UDEC));

DESCRIBE_AT(drm_mode_obj_get_properties, 32, 32, "drm/drm_mode.h",
	    "struct drm_mode_obj_get_properties", AT(props_ptr, 0, 8, 0, 8, PTR, GPTR),
	    AT(prop_values_ptr, 8, 8, 8, 8, PTR, GPTR), AT(count_props, 16, 4, 16, 4, COPY, UDEC),
	    AT(obj_id, 20, 4, 20, 4, COPY, UDEC), AT(obj_type, 24, 4, 24, 4, COPY, UDEC),
	    F_PAD(28, 4));

DESCRIBE_AT(drm_mode_get_blob, 16, 16, "drm/drm_mode.h", "struct drm_mode_get_blob",
	    AT(blob_id, 0, 4, 0, 4, COPY, UDEC), AT(length, 4, 4, 4, 4, COPY, UDEC),
	    AT(data, 8, 8, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_mode_create_blob, 16, 16, "drm/drm_mode.h", "struct drm_mode_create_blob",
	    AT(data, 0, 8, 0, 8, PTR, GPTR), AT(length, 8, 4, 8, 4, COPY, UDEC),
	    AT(blob_id, 12, 4, 12, 4, COPY, UDEC));

DESCRIBE_AT(drm_mode_fb_dirty_cmd, 24, 24, "drm/drm_mode.h", "struct drm_mode_fb_dirty_cmd",
	    AT(fb_id, 0, 4, 0, 4, COPY, UDEC), AT(flags, 4, 4, 4, 4, COPY, UDEC),
	    AT(color, 8, 4, 8, 4, COPY, UDEC), AT(num_clips, 12, 4, 12, 4, COPY, UDEC),
	    AT(clips_ptr, 16, 8, 16, 8, PTR, GPTR));

DESCRIBE_AT(drm_mode_crtc_lut, 32, 32, "drm/drm_mode.h", "struct drm_mode_crtc_lut",
	    AT(crtc_id, 0, 4, 0, 4, COPY, UDEC), AT(gamma_size, 4, 4, 4, 4, COPY, UDEC),
	    AT(red, 8, 8, 8, 8, PTR, GPTR), AT(green, 16, 8, 16, 8, PTR, GPTR),
	    AT(blue, 24, 8, 24, 8, PTR, GPTR));

/* --- drivers ----------------------------------------------------------------------------------------- */

DESCRIBE_AT(drm_i810_copy, 12, 16, "drm/i810_drm.h", "drm_i810_copy_t",
	    AT(idx, 0, 4, 0, 4, COPY, DEC), AT(used, 4, 4, 4, 4, COPY, DEC),
	    AT(address, 8, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_i810_mc, 20, 32, "drm/i810_drm.h", "drm_i810_mc_t", AT(idx, 0, 4, 0, 4, COPY, DEC),
	    AT(used, 4, 4, 4, 4, COPY, DEC), AT(num_blocks, 8, 4, 8, 4, COPY, DEC),
	    AT(length, 12, 4, 16, 8, PTR, GPTR), AT(last_render, 16, 4, 24, 4, COPY, UDEC));

DESCRIBE_AT(drm_i915_mem_alloc, 16, 24, "drm/i915_drm.h", "drm_i915_mem_alloc_t",
	    AT(region, 0, 4, 0, 4, COPY, DEC), AT(alignment, 4, 4, 4, 4, COPY, DEC),
	    AT(size, 8, 4, 8, 4, COPY, DEC), AT(region_offset, 12, 4, 16, 8, PTR, GPTR));

DESCRIBE_AT(drm_i915_batchbuffer, 24, 32, "drm/i915_drm.h", "drm_i915_batchbuffer_t",
	    AT(start, 0, 4, 0, 4, COPY, DEC), AT(used, 4, 4, 4, 4, COPY, DEC),
	    AT(DR1, 8, 4, 8, 4, COPY, DEC), AT(DR4, 12, 4, 12, 4, COPY, DEC),
	    AT(num_cliprects, 16, 4, 16, 4, COPY, DEC), AT(cliprects, 20, 4, 24, 8, PTR, GPTR));

DESCRIBE_AT(drm_i915_cmdbuffer, 24, 32, "drm/i915_drm.h", "drm_i915_cmdbuffer_t",
	    AT(buf, 0, 4, 0, 8, PTR, GPTR), AT(sz, 4, 4, 8, 4, COPY, DEC),
	    AT(DR1, 8, 4, 12, 4, COPY, DEC), AT(DR4, 12, 4, 16, 4, COPY, DEC),
	    AT(num_cliprects, 16, 4, 20, 4, COPY, DEC), AT(cliprects, 20, 4, 24, 8, PTR, GPTR));

DESCRIBE_AT(drm_i915_getparam, 8, 16, "drm/i915_drm.h", "drm_i915_getparam_t",
	    AT(param, 0, 4, 0, 4, COPY, DEC), AT(value, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_i915_irq_emit, 4, 8, "drm/i915_drm.h", "drm_i915_irq_emit_t",
	    AT(irq_seq, 0, 4, 0, 8, PTR, GPTR));

DESCRIBE_AT(drm_mga_dma_bootstrap, 28, 32, "drm/mga_drm.h", "drm_mga_dma_bootstrap_t",
	    AT(texture_handle, 0, 4, 0, 8, ZEXT, UDEC), AT(texture_size, 4, 4, 8, 4, COPY, UDEC),
	    AT(primary_size, 8, 4, 12, 4, COPY, UDEC),
	    AT(secondary_bin_count, 12, 4, 16, 4, COPY, UDEC),
	    AT(secondary_bin_size, 16, 4, 20, 4, COPY, UDEC),
	    AT(agp_mode, 20, 4, 24, 4, COPY, UDEC), AT(agp_size, 24, 1, 28, 1, COPY, UDEC),
	    F_PAD(25, 3));

DESCRIBE_AT(drm_mga_getparam, 8, 16, "drm/mga_drm.h", "drm_mga_getparam_t",
	    AT(param, 0, 4, 0, 4, COPY, DEC), AT(value, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_mga_init, 92, 128, "drm/mga_drm.h", "drm_mga_init_t",
	    AT(func, 0, 4, 0, 4, COPY, UDEC), AT(sarea_priv_offset, 4, 4, 8, 8, ZEXT, UDEC),
	    AT_HIDDEN(8, 60, 16, 60), AT(fb_offset, 68, 4, 80, 8, ZEXT, UDEC),
	    AT(mmio_offset, 72, 4, 88, 8, ZEXT, UDEC), AT(status_offset, 76, 4, 96, 8, ZEXT, UDEC),
	    AT(warp_offset, 80, 4, 104, 8, ZEXT, UDEC),
	    AT(primary_offset, 84, 4, 112, 8, ZEXT, UDEC),
	    AT(buffers_offset, 88, 4, 120, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_r128_depth, 24, 40, "drm/r128_drm.h", "drm_r128_depth_t",
	    AT(func, 0, 4, 0, 4, COPY, UDEC), AT(n, 4, 4, 4, 4, COPY, DEC),
	    AT(x, 8, 4, 8, 8, PTR, GPTR), AT(y, 12, 4, 16, 8, PTR, GPTR),
	    AT(buffer, 16, 4, 24, 8, PTR, GPTR), AT(mask, 20, 4, 32, 8, PTR, GPTR));

DESCRIBE_AT(drm_r128_getparam, 8, 16, "drm/r128_drm.h", "drm_r128_getparam_t",
	    AT(param, 0, 4, 0, 4, COPY, DEC), AT(value, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_r128_init, 88, 120, "drm/r128_drm.h", "drm_r128_init_t",
	    AT(func, 0, 4, 0, 4, COPY, UDEC), AT(sarea_priv_offset, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(is_pci, 8, 4, 16, 4, COPY, DEC), AT(cce_mode, 12, 4, 20, 4, COPY, DEC),
	    AT(cce_secure, 16, 4, 24, 4, COPY, DEC), AT(ring_size, 20, 4, 28, 4, COPY, DEC),
	    AT(usec_timeout, 24, 4, 32, 4, COPY, DEC), AT(fb_bpp, 28, 4, 36, 4, COPY, UDEC),
	    AT(front_offset, 32, 4, 40, 4, COPY, UDEC), AT(front_pitch, 36, 4, 44, 4, COPY, UDEC),
	    AT(back_offset, 40, 4, 48, 4, COPY, UDEC), AT(back_pitch, 44, 4, 52, 4, COPY, UDEC),
	    AT(depth_bpp, 48, 4, 56, 4, COPY, UDEC), AT(depth_offset, 52, 4, 60, 4, COPY, UDEC),
	    AT(depth_pitch, 56, 4, 64, 4, COPY, UDEC), AT(span_offset, 60, 4, 68, 4, COPY, UDEC),
	    AT(fb_offset, 64, 4, 72, 8, ZEXT, UDEC), AT(mmio_offset, 68, 4, 80, 8, ZEXT, UDEC),
	    AT(ring_offset, 72, 4, 88, 8, ZEXT, UDEC),
	    AT(ring_rptr_offset, 76, 4, 96, 8, ZEXT, UDEC),
	    AT(buffers_offset, 80, 4, 104, 8, ZEXT, UDEC),
	    AT(agp_textures_offset, 84, 4, 112, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_r128_stipple, 4, 8, "drm/r128_drm.h", "drm_r128_stipple_t",
	    AT(mask, 0, 4, 0, 8, PTR, GPTR));

DESCRIBE_AT(drm_radeon_mem_alloc, 16, 24, "drm/radeon_drm.h", "drm_radeon_mem_alloc_t",
	    AT(region, 0, 4, 0, 4, COPY, DEC), AT(alignment, 4, 4, 4, 4, COPY, DEC),
	    AT(size, 8, 4, 8, 4, COPY, DEC), AT(region_offset, 12, 4, 16, 8, PTR, GPTR));

DESCRIBE_AT(drm_radeon_clear, 24, 32, "drm/radeon_drm.h", "drm_radeon_clear_t",
	    AT(flags, 0, 4, 0, 4, COPY, UDEC), AT(clear_color, 4, 4, 4, 4, COPY, UDEC),
	    AT(clear_depth, 8, 4, 8, 4, COPY, UDEC), AT(color_mask, 12, 4, 12, 4, COPY, UDEC),
	    AT(depth_mask, 16, 4, 16, 4, COPY, UDEC), AT(depth_boxes, 20, 4, 24, 8, PTR, GPTR));

DESCRIBE_AT(drm_radeon_cmd_buffer, 16, 32, "drm/radeon_drm.h", "drm_radeon_cmd_buffer_t",
	    AT(bufsz, 0, 4, 0, 4, COPY, DEC), AT(buf, 4, 4, 8, 8, PTR, GPTR),
	    AT(nbox, 8, 4, 16, 4, COPY, DEC), AT(boxes, 12, 4, 24, 8, PTR, GPTR));

DESCRIBE_AT(drm_radeon_init, 84, 120, "drm/radeon_drm.h", "drm_radeon_init_t",
	    AT(func, 0, 4, 0, 4, COPY, UDEC), AT(sarea_priv_offset, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(is_pci, 8, 4, 16, 4, COPY, DEC), AT(cp_mode, 12, 4, 20, 4, COPY, DEC),
	    AT(gart_size, 16, 4, 24, 4, COPY, DEC), AT(ring_size, 20, 4, 28, 4, COPY, DEC),
	    AT(usec_timeout, 24, 4, 32, 4, COPY, DEC), AT(fb_bpp, 28, 4, 36, 4, COPY, UDEC),
	    AT(front_offset, 32, 4, 40, 4, COPY, UDEC), AT(front_pitch, 36, 4, 44, 4, COPY, UDEC),
	    AT(back_offset, 40, 4, 48, 4, COPY, UDEC), AT(back_pitch, 44, 4, 52, 4, COPY, UDEC),
	    AT(depth_bpp, 48, 4, 56, 4, COPY, UDEC), AT(depth_offset, 52, 4, 60, 4, COPY, UDEC),
	    AT(depth_pitch, 56, 4, 64, 4, COPY, UDEC), AT(fb_offset, 60, 4, 72, 8, ZEXT, UDEC),
	    AT(mmio_offset, 64, 4, 80, 8, ZEXT, UDEC), AT(ring_offset, 68, 4, 88, 8, ZEXT, UDEC),
	    AT(ring_rptr_offset, 72, 4, 96, 8, ZEXT, UDEC),
	    AT(buffers_offset, 76, 4, 104, 8, ZEXT, UDEC),
	    AT(gart_textures_offset, 80, 4, 112, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_radeon_getparam, 8, 16, "drm/radeon_drm.h", "drm_radeon_getparam_t",
	    AT(param, 0, 4, 0, 4, COPY, DEC), AT(value, 4, 4, 8, 8, PTR, GPTR));

DESCRIBE_AT(drm_radeon_irq_emit, 4, 8, "drm/radeon_drm.h", "drm_radeon_irq_emit_t",
	    AT(irq_seq, 0, 4, 0, 8, PTR, GPTR));

DESCRIBE_AT(drm_radeon_stipple, 4, 8, "drm/radeon_drm.h", "drm_radeon_stipple_t",
	    AT(mask, 0, 4, 0, 8, PTR, GPTR));

DESCRIBE_AT(drm_radeon_tex_image, 20, 24, "drm/radeon_drm.h", "drm_radeon_tex_image_t",
	    AT(x, 0, 4, 0, 4, COPY, UDEC), AT(y, 4, 4, 4, 4, COPY, UDEC),
	    AT(width, 8, 4, 8, 4, COPY, UDEC), AT(height, 12, 4, 12, 4, COPY, UDEC),
	    AT(data, 16, 4, 16, 8, PTR, GPTR));

DESCRIBE_AT(drm_radeon_texture, 24, 32, "drm/radeon_drm.h", "drm_radeon_texture_t",
	    AT(offset, 0, 4, 0, 4, COPY, UDEC), AT(pitch, 4, 4, 4, 4, COPY, DEC),
	    AT(format, 8, 4, 8, 4, COPY, DEC), AT(width, 12, 4, 12, 4, COPY, DEC),
	    AT(height, 16, 4, 16, 4, COPY, DEC),
	    AT_LIST(image, 20, 24, drm_radeon_tex_image, .list = true, .list_out = true));

DESCRIBE_AT(drm_radeon_vertex2, 24, 40, "drm/radeon_drm.h", "drm_radeon_vertex2_t",
	    AT(idx, 0, 4, 0, 4, COPY, DEC), AT(discard, 4, 4, 4, 4, COPY, DEC),
	    AT(nr_states, 8, 4, 8, 4, COPY, DEC), AT(state, 12, 4, 16, 8, PTR, GPTR),
	    AT(nr_prims, 16, 4, 24, 4, COPY, DEC), AT(prim, 20, 4, 32, 8, PTR, GPTR));

DESCRIBE_AT(drm_savage_cmdbuf, 36, 56, "drm/savage_drm.h", "drm_savage_cmdbuf_t",
	    AT(cmd_addr, 0, 4, 0, 8, PTR, GPTR), AT(size, 4, 4, 8, 4, COPY, UDEC),
	    AT(dma_idx, 8, 4, 12, 4, COPY, UDEC), AT(discard, 12, 4, 16, 4, COPY, DEC),
	    AT(vb_addr, 16, 4, 24, 8, PTR, GPTR), AT(vb_size, 20, 4, 32, 4, COPY, UDEC),
	    AT(vb_stride, 24, 4, 36, 4, COPY, UDEC), AT(box_addr, 28, 4, 40, 8, PTR, GPTR),
	    AT(nbox, 32, 4, 48, 4, COPY, UDEC));

DESCRIBE_AT(drm_savage_init, 80, 96, "drm/savage_drm.h", "drm_savage_init_t",
	    AT(func, 0, 4, 0, 4, COPY, UDEC), AT(sarea_priv_offset, 4, 4, 4, 4, COPY, UDEC),
	    AT(cob_size, 8, 4, 8, 4, COPY, UDEC), AT(bci_threshold_lo, 12, 4, 12, 4, COPY, UDEC),
	    AT(bci_threshold_hi, 16, 4, 16, 4, COPY, UDEC), AT(dma_type, 20, 4, 20, 4, COPY, UDEC),
	    AT(fb_bpp, 24, 4, 24, 4, COPY, UDEC), AT(front_offset, 28, 4, 28, 4, COPY, UDEC),
	    AT(front_pitch, 32, 4, 32, 4, COPY, UDEC), AT(back_offset, 36, 4, 36, 4, COPY, UDEC),
	    AT(back_pitch, 40, 4, 40, 4, COPY, UDEC), AT(depth_bpp, 44, 4, 44, 4, COPY, UDEC),
	    AT(depth_offset, 48, 4, 48, 4, COPY, UDEC), AT(depth_pitch, 52, 4, 52, 4, COPY, UDEC),
	    AT(texture_offset, 56, 4, 56, 4, COPY, UDEC),
	    AT(texture_size, 60, 4, 60, 4, COPY, UDEC), AT(status_offset, 64, 4, 64, 8, ZEXT, UDEC),
	    AT(buffers_offset, 68, 4, 72, 8, ZEXT, UDEC),
	    AT(agp_textures_offset, 72, 4, 80, 8, ZEXT, UDEC),
	    AT(cmd_dma_offset, 76, 4, 88, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_sis_mem, 16, 32, "drm/sis_drm.h", "drm_sis_mem_t",
	    AT(context, 0, 4, 0, 4, COPY, DEC), AT(offset, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(size, 8, 4, 16, 8, ZEXT, UDEC), AT(free, 12, 4, 24, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_sis_agp, 8, 16, "drm/sis_drm.h", "drm_sis_agp_t",
	    AT(offset, 0, 4, 0, 8, ZEXT, UDEC), AT(size, 4, 4, 8, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_sis_fb, 8, 16, "drm/sis_drm.h", "drm_sis_fb_t", AT(offset, 0, 4, 0, 8, ZEXT, UDEC),
	    AT(size, 4, 4, 8, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_via_mem, 20, 32, "drm/via_drm.h", "drm_via_mem_t",
	    AT(context, 0, 4, 0, 4, COPY, UDEC), AT(type, 4, 4, 4, 4, COPY, UDEC),
	    AT(size, 8, 4, 8, 4, COPY, UDEC), AT(index, 12, 4, 16, 8, ZEXT, UDEC),
	    AT(offset, 16, 4, 24, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_via_cmdbuffer, 8, 16, "drm/via_drm.h", "drm_via_cmdbuffer_t",
	    AT(buf, 0, 4, 0, 8, PTR, GPTR), AT(size, 4, 4, 8, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_via_dmablit, 40, 48, "drm/via_drm.h", "drm_via_dmablit_t",
	    AT(num_lines, 0, 4, 0, 4, COPY, UDEC), AT(line_length, 4, 4, 4, 4, COPY, UDEC),
	    AT(fb_addr, 8, 4, 8, 4, COPY, UDEC), AT(fb_stride, 12, 4, 12, 4, COPY, UDEC),
	    AT(mem_addr, 16, 4, 16, 8, PTR, GPTR), AT(mem_stride, 20, 4, 24, 4, COPY, UDEC),
	    AT(flags, 24, 4, 28, 4, COPY, UDEC), AT(to_fb, 28, 4, 32, 4, COPY, DEC),
	    AT(sync.sync_handle, 32, 4, 36, 4, COPY, UDEC),
	    AT(sync.engine, 36, 4, 40, 4, COPY, UDEC));

DESCRIBE_AT(drm_via_dma_init, 16, 32, "drm/via_drm.h", "drm_via_dma_init_t",
	    AT(func, 0, 4, 0, 4, COPY, UDEC), AT(offset, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(size, 8, 4, 16, 8, ZEXT, UDEC), AT(reg_pause_addr, 12, 4, 24, 8, ZEXT, UDEC));

DESCRIBE_AT(drm_via_init, 20, 40, "drm/via_drm.h", "drm_via_init_t",
	    AT(func, 0, 4, 0, 4, COPY, UDEC), AT(sarea_priv_offset, 4, 4, 8, 8, ZEXT, UDEC),
	    AT(fb_offset, 8, 4, 16, 8, ZEXT, UDEC), AT(mmio_offset, 12, 4, 24, 8, ZEXT, UDEC),
	    AT(agpAddr, 16, 4, 32, 8, ZEXT, UDEC));
