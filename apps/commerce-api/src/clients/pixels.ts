import { httpClient, type HttpClient } from '@platform/http';
import type { Component, ConfigOf } from '@platform/runtime';
import { googlePixel } from './pixel.google';
import { metaPixel } from './pixel.meta';
import type { PixelKind, PixelNetwork } from './pixel.port';
import type { pixelSettings } from './pixel.settings';
import { tiktokPixel } from './pixel.tiktok';

const NETWORKS: Readonly<Record<PixelKind, (http: HttpClient) => PixelNetwork>> = {
  meta: metaPixel,
  tiktok: tiktokPixel,
  google: googlePixel,
};

export interface OpenPixels {
  /** Those that have an address. */
  readonly networks: Readonly<Partial<Record<PixelKind, PixelNetwork>>>;
  readonly components: readonly Component[];
}

/** The advertising networks that the configuration names. */
export const openPixels = (config: ConfigOf<typeof pixelSettings>): OpenPixels => {
  const places = { meta: config.PIXEL_META_URL, tiktok: config.PIXEL_TIKTOK_URL, google: config.PIXEL_GOOGLE_URL };
  const lines = (Object.entries(places) as [PixelKind, string | undefined][]).flatMap(([kind, url]) =>
    url === undefined ? [] : [{ kind, http: httpClient(`pixel-${kind}`, url) }],
  );
  return {
    networks: Object.fromEntries(lines.map(({ kind, http }) => [kind, NETWORKS[kind](http)])),
    components: lines.map(({ http }) => http),
  };
};
