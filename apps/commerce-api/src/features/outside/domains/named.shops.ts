import type { Sql } from '@platform/data';
import type { RequestView } from '@platform/http';
import { isUuid } from '@platform/runtime';
import { readLink } from '../../../secret-link';

/** What a page of a shop is found by, by the start of its path. */
const KINDS: Readonly<Record<string, readonly [kind: string, parameter: string]>> = {
  ...{ s: ['slug', 'slug'], b: ['biolink', 'slug'], l: ['checkout_link', 'code'], t: ['tracker', 'code'] },
};
const BY_NAME = 'SELECT store_id FROM global_key WHERE kind = $1 AND value = $2';
const BY_ORDER = `SELECT store_id FROM global_key WHERE kind = 'order' AND ref_id = $1`;

type Asked = Pick<RequestView, 'path' | 'params'>;
type Found = { readonly store_id: string } | undefined;

const nameIn = ({ path, params }: Asked): readonly [kind: string, name: string] | undefined => {
  const [, first = ''] = path.split('/', 2);
  const found = Object.hasOwn(KINDS, first) ? KINDS[first] : undefined;
  return found && [found[0], (params?.[found[1]] ?? '').toLowerCase()];
};

/** Of a ticket, which begins with its store's id. */
const storeOfTicket = (coded: string): string | undefined =>
  /^([\w-]{1,36})\.[0-9a-f-]{36}$/.exec(Buffer.from(coded, 'base64url').toString())?.[1];

/** Whose a link is, by what it says itself: whether it opens anything is its page's to find. */
const ofLink = async (sql: Sql, token: string): Promise<string | undefined> => {
  const told = readLink(token)?.storeId;
  if (told !== undefined) return told;
  const [, id = ''] = /^([\w-]{1,128})\.\d{1,12}\.[0-9a-f]{64}$/.exec(token) ?? [];
  if (!isUuid(id)) return storeOfTicket(id);
  return (await sql.prepared<NonNullable<Found>>('store of order', BY_ORDER, [id]))[0]?.store_id;
};

/** The shop that a request is about: by the name in its path, or by the link that somebody was sent; undefined: it names none that is there. */
export const shopNamedBy = async (sql: Sql, asked: Asked): Promise<string | undefined> => {
  const named = nameIn(asked);
  if (!named) return asked.params?.token === undefined ? undefined : ofLink(sql, asked.params.token);
  return (await sql.prepared<NonNullable<Found>>('store of a name', BY_NAME, named))[0]?.store_id;
};

/** Whether a request may be about a shop at all, told without a question. */
export const namesShop = (asked: Asked): boolean => nameIn(asked) !== undefined || asked.params?.token !== undefined;
