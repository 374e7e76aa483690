import { Conflict, Gone, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { parameter } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { Address } from '../../../address.dto';
import type { By } from '../../../by';
import { linkHash, readLink } from '../../../secret-link';
import { inForce } from '../../shop/settings/public';
import type { PublicStore } from '../../shop/store/public';
import type { LinkLine, LinkSettings } from '../links/public';
import type { Utm } from '../../marketing/attribution/public';
import type { SessionBuyer } from './sessions.dto';

export const sessionRefusals = {
  unknown: (): Failure => new NotFound('Checkout session not found'),
  expired: (): Failure => new Gone('The cart has expired: begin another', { code: 'expired' }),
  placed: (): Failure => new Conflict('The order is placed already', { code: 'placed' }),
  storeClosed: (): Failure => new Conflict('The store is closed at the moment', { code: 'store_closed' }),
} as const;

/** Which cart a token opens. */
export interface SessionKey {
  readonly storeId: string;
  readonly id: string;
  readonly hash: string;
}

const LONGEST = 120;

/** The cart that a token opens; undefined for a text that is no token. */
export const sessionKey = (raw: string): SessionKey | undefined => {
  const place = raw.length > LONGEST ? undefined : readLink(raw);
  return place && { ...place, hash: linkHash(raw) };
};

/** The path parameter: a text that is no token is answered like one that opens nothing. */
export const sessionToken = parameter<SessionKey>(
  { type: 'string', minLength: 1, maxLength: LONGEST },
  sessionKey,
  sessionRefusals.unknown,
);

/** A line as the cart keeps it: name and kind are those of when it was put in, the price is never kept. */
export interface SessionLine {
  readonly variant_id: string;
  readonly qty: number;
  readonly name: string;
  readonly kind: 'physical' | 'digital' | 'service';
}

/** What buyers change of their cart. */
export interface CartContents {
  readonly lines: readonly SessionLine[];
  readonly buyer: SessionBuyer['buyer'] | null;
  readonly address: Address | null;
  /** An option of a quote; what it costs is there. */
  readonly shipping: { readonly quote_id: string; readonly option: string } | null;
  readonly coupon: string | null;
}

/** A cart with what its rules depend on. */
export interface Session extends CartContents {
  readonly storeId: string;
  readonly id: string;
  readonly state: 'open' | 'placed' | 'abandoned';
  /** Opened by the token that its buyer was told; a reminder shows nobody's name or address, and they are typed again to place it. */
  readonly isOwn: boolean;
  readonly link_id: string | null;
  readonly order_id: string | null;
  readonly utm: Utm | null;
  readonly visitor_id: string | null;
  readonly begunAt: Date;
  readonly expires_at: Date | null;
  readonly store: PublicStore;
  readonly currency: string;
  /** What the store has set of the group `checkout`. */
  readonly checkout: object | null;
  readonly link_lines: readonly LinkLine[] | null;
  readonly link_settings: LinkSettings | null;
}

/** Carts without a link ask for nothing beyond what they need. */
const NO_LINK: LinkSettings = { require_address: false, show_coupon: true, redirect_url: null, pixel_ids: [] };
export const settingsOf = ({ link_settings }: Pick<Session, 'link_settings'>): LinkSettings => link_settings ?? NO_LINK;

export const isExpired = ({ expires_at }: Pick<Session, 'expires_at'>, at: Date): boolean =>
  expires_at !== null && expires_at <= at;

/** Throws `placed`, `expired`: nothing of such a cart can be changed. */
export const refuseOver = (session: Session, at: Date): void => {
  if (session.state === 'placed') throw sessionRefusals.placed();
  if (isExpired(session, at)) throw sessionRefusals.expired();
};

/** Who writes for a buyer: nobody knows who that is. */
export const buyerBy = (storeId: string, clock: Clock): By => ({ storeId, actor: 'checkout', at: clock.now() });

/** Downloads are sent by mail; a store may want an address of everybody. */
export const needsEmail = ({ lines, checkout }: Session): boolean => {
  const { require_email } = inForce('checkout', { ...checkout }) as { require_email: boolean };
  return require_email || lines.some(({ kind }) => kind === 'digital');
};

export const required = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'required', message: `${field} is a required field` }]);
