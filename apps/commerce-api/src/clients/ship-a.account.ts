import type { HttpClient } from '@platform/http';
import { providerLine, type ProviderAnswer, type ProviderCall, type ProviderLine } from './provider.call';

/** A request of a dialect. */
export interface ShipCall extends Pick<ProviderCall, 'method' | 'path' | 'template' | 'body' | 'also'> {
  /** The provider asks a courier first, who may be away while it is not itself. */
  readonly isTracking?: boolean;
}

/** Somebody's key at the provider. */
export interface ShipAccount {
  readonly line: Pick<ProviderLine, 'nonsense'>;
  ask(call: ShipCall): Promise<ProviderAnswer>;
}

/** What a checkout waits for it: longer, and the store's own methods are all that is offered. */
const TIMEOUT_MS = 2_500;
const TRACKING_MS = 4_500;

/** `root`: what stands before every path. Couriers that do not tell where a parcel is keep nobody from prices. */
export const shipAccount = (
  http: HttpClient,
  { root, key }: { readonly root: string; readonly key: string },
): ShipAccount => {
  const [line, tracking] = [providerLine('rajaongkir', http), providerLine('rajaongkir', http)];
  return {
    line,
    ask: ({ path, body, isTracking, ...call }) => {
      const type: Record<string, string> =
        body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
      const headers = { key, ...type };
      const timeoutMs = isTracking ? TRACKING_MS : TIMEOUT_MS;
      return (isTracking ? tracking : line).ask({ ...call, path: root + path, body, headers, timeoutMs });
    },
  };
};

/** Both dialects take forms. */
export const form = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
