import { createHmac, timingSafeEqual } from 'node:crypto';
import { payLinkRefusals } from '../sales/payments/public';

/** How long a customer can rate a ticket. */
const DAYS = 30;
const DAY_SECONDS = 86_400;
const TOKEN = /^(([\w-]{1,128})\.(\d{1,12}))\.([0-9a-f]{64})$/;

/** A ticket by chat-backend's id, which begins with the store's. */
export interface TicketRef {
  readonly storeId: string;
  readonly ticketId: string;
}

/** Undefined for a text that is no id of a ticket. */
export const ticketRef = (ticketId: string): TicketRef | undefined => {
  const [, storeId] = /^([\w-]{1,36})\.[0-9a-f-]{36}$/.exec(ticketId) ?? [];
  return storeId === undefined ? undefined : { storeId, ticketId };
};

const macOf = (secret: string, claim: string): string =>
  createHmac('sha256', `feedback of ${secret}`).update(claim).digest('hex');

/** What lets a customer rate one ticket (design 5.7): `base64url(ticketId).<epoch seconds>.<HMAC>`. The same for the same moment. */
export const feedbackToken = (secret: string, ticketId: string, at: Date): string => {
  const end = Math.floor(at.getTime() / 1000) + DAYS * DAY_SECONDS;
  const claim = `${Buffer.from(ticketId).toString('base64url')}.${end}`;
  return `${claim}.${macOf(secret, claim)}`;
};

/** The ticket that a token rates. Throws `invalid_signature` for one of somebody else's making, `expired`. */
export const ticketOfToken = (secret: string, token: string, now: Date): TicketRef => {
  const [, claim = '', id = '', end = '', mac = ''] = TOKEN.exec(token) ?? [];
  const expected = Buffer.from(macOf(secret, claim));
  const isOurs = mac.length === expected.length && timingSafeEqual(Buffer.from(mac), expected);
  const ref = ticketRef(Buffer.from(id, 'base64url').toString());
  if (!isOurs || !ref) throw payLinkRefusals.forged();
  if (Number(end) * 1000 <= now.getTime()) throw payLinkRefusals.expired();
  return ref;
};
