import { NotFound } from '@platform/errors';
import { PRESERVED_DAYS, sessionKey, type Sessions } from '../../checkout/sessions/public';

/** Seconds: as long as the cart is kept. */
const AGE = PRESERVED_DAYS * 86_400;
/** Of one shop in one browser; who has more shows the newest. */
const MOST = 5;

type Key = NonNullable<ReturnType<typeof sessionKey>>;

/** A cart that this browser has with a shop, while it can be changed. */
interface BrowserCart {
  readonly token: string;
  readonly key: Key;
  readonly lines: readonly { readonly variant_id: string; readonly qty: number }[];
}

const cookiesOf = (header: string | undefined, slug: string): [name: string, value: string][] =>
  (header ?? '').split(';').flatMap((part) => {
    const [name = '', value = ''] = part.trim().split('=', 2);
    return name === `cart_${slug}` || name.startsWith(`cart_${slug}.`) ? [[name, value]] : [];
  });

/** Its shop may have gone, and a cart may be forgotten; a thing may be sold out. */
const unlessThere = (failure: unknown): undefined => {
  if (failure instanceof NotFound) return undefined;
  throw failure;
};

const opened = async (sessions: Sessions, slug: string, token: string, key: Key): Promise<BrowserCart[]> => {
  const cart = await sessions.opened(key).catch(unlessThere);
  if (!cart || cart.order !== null || cart.view.state === 'expired' || cart.view.store.slug !== slug) return [];
  return [{ token, key, lines: cart.view.lines }];
};

/** What is in `other` and not in the first lies in the first from now on. */
const moved = async (sessions: Sessions, first: BrowserCart, other: BrowserCart): Promise<BrowserCart> => {
  const known = new Set(first.lines.map(({ variant_id }) => variant_id));
  const lines = other.lines.filter(({ variant_id }) => !known.has(variant_id));
  for (const { variant_id, qty } of lines) await sessions.putItem(first.key, { variant_id, qty }).catch(unlessThere);
  await sessions.setItems(other.key, []);
  return { ...first, lines: [...first.lines, ...lines] };
};

/**
 * The cart of a browser with a shop. Two tabs that put something in at once begin one each, as neither has a cookie yet: every cart has a
 * cookie of its own, so that none takes another's place, and the first takes in what lies in the others. Pages that caches keep give no
 * cookie that could tell earlier that both are one browser's.
 */
export const cartOf = async (
  sessions: Sessions,
  slug: string,
  cookies: string | undefined,
): Promise<BrowserCart | undefined> => {
  const known = cookiesOf(cookies, slug).flatMap(([, token]) => {
    const key = sessionKey(token);
    return key ? [{ token, key }] : [];
  });
  // Ids are in the order of time
  const newest = known.sort((one, other) => (one.key.id < other.key.id ? -1 : 1)).slice(-MOST);
  const carts = (await Promise.all(newest.map(({ token, key }) => opened(sessions, slug, token, key)))).flat();
  let [first] = carts;
  for (const other of carts.slice(1)) if (first && other.lines.length > 0) first = await moved(sessions, first, other);
  return first;
};

/** The cookie of a cart that begins; those of carts that are over are taken away. */
export const cookiesFor = (slug: string, token: string, cookies: string | undefined) => [
  ...cookiesOf(cookies, slug).map(([name]) => ({ name, value: '', maxAge: 0 })),
  { name: `cart_${slug}.${sessionKey(token)?.id.slice(-12)}`, value: token, maxAge: AGE },
];
