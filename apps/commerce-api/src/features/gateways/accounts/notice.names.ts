import type { IncomingHttpHeaders } from 'node:http';
import type { GatewayCode } from '../port';

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const given = headers[name];
  return typeof given === 'string' && given !== '' ? given : undefined;
};

/** The only body that is looked at before it is verified, for one field: its provider says nowhere else whose account it is. */
const fieldOf = (raw: Buffer, name: string): string | undefined => {
  const given = new URLSearchParams(raw.toString('latin1')).getAll(name);
  return given.length === 1 && given[0] !== '' ? given[0] : undefined;
};

/** By which name a notice says whose account it is of; undefined for one that does not, or does so twice. */
export const nameIn = (code: GatewayCode, headers: IncomingHttpHeaders, raw: Buffer): string | undefined => {
  if (code === 'a') return headerOf(headers, 'client-id');
  return code === 'b' ? headerOf(headers, 'x-callback-token') : fieldOf(raw, 'merchantCode');
};
