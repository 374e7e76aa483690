import { httpUrl, optional } from '@platform/runtime';

/** Where advertising networks take events; one without an address is told nothing. Outside production the local sandbox's. */
export const pixelSettings = {
  PIXEL_META_URL: optional(httpUrl()),
  PIXEL_TIKTOK_URL: optional(httpUrl()),
  PIXEL_GOOGLE_URL: optional(httpUrl()),
};
