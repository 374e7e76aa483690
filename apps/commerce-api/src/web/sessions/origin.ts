import { Forbidden } from '@platform/errors';
import type { RequestView } from '@platform/http';

/** Whether a request of this method changes nothing. */
export const isSafe = (method: string): boolean => method === 'GET' || method === 'HEAD';

export const foreignOrigin = (): Forbidden =>
  new Forbidden('This form was sent from another page', { code: 'foreign_origin' });

const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/**
 * Throws `Forbidden` for what another site makes a browser send: browsers say where a request begins (`Sec-Fetch-Site`, Fetch Metadata), older
 * ones at least from which origin (`Origin`). Who says neither is no browser that has a form of ours.
 */
export const demandOwnOrigin = ({ method, headers }: Pick<RequestView, 'method' | 'headers'>): void => {
  if (isSafe(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? hostOf(headers.origin ?? '') === headers.host : site === 'same-origin';
  if (!isOwn) throw foreignOrigin();
};
