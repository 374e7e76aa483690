import { createHash, randomBytes } from 'node:crypto';
import { isUuid } from '@platform/runtime';

const LINK = /^([\w-]{1,36})\.([0-9a-f-]{36})\.([\w-]{43})$/;

/** What is stored of a link. */
export const linkHash = (token: string): string => createHash('sha256').update(token).digest('hex');

/** `<store>.<row>.<256 random bits>`: it says where to look, so that the question is of one store. */
export const newLink = (storeId: string, id: string): string =>
  linkOf(storeId, id, randomBytes(32).toString('base64url'));
/** The same with 256 bits, in base64url, that follow from something secret. */
export const linkOf = (storeId: string, id: string, secret: string): string => `${storeId}.${id}.${secret}`;

/** Undefined for a text that is no link. */
export const readLink = (token: string): { readonly storeId: string; readonly id: string } | undefined => {
  const [, storeId = '', id = ''] = LINK.exec(token) ?? [];
  return isUuid(id) ? { storeId, id } : undefined;
};
