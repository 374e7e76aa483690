import { createHmac, timingSafeEqual, type Hmac } from 'node:crypto';

/** How far the sender's clock, or a delayed copy of a request, may be off: chat-backend design section 6. */
export const CALLBACK_WINDOW_MS = 10 * 60_000;

/** Headers of the gateway's callback (wa-gateway design 3.5). Node hands received names over in lower case. */
export const callbackHeaderNames = {
  eventId: 'X-Gateway-Event-Id',
  attempt: 'X-Gateway-Attempt',
  timestamp: 'X-Gateway-Timestamp',
  signature: 'X-Gateway-Signature',
} as const;

export interface CallbackStamp {
  /** Epoch milliseconds of this try. */
  readonly timestamp: number | string;
  /** UUIDv7, the same on every try. */
  readonly eventId: string;
}

export type ReceivedHeaders = Readonly<Record<string, string | string[] | undefined>>;

const startHmac = (secret: string, { timestamp, eventId }: CallbackStamp): Hmac =>
  createHmac('sha256', secret).update(`${timestamp}.${eventId}.`);

/** `sha256=` + hex HMAC-SHA256(secret, timestamp + `.` + event id + `.` + raw body). */
export const callbackSignature = (
  secret: string,
  { rawBody, ...stamp }: CallbackStamp & { readonly rawBody: Buffer | string },
): string => `sha256=${startHmac(secret, stamp).update(rawBody).digest('hex')}`;

/** The headers of one try; the signature is left out when there is no secret to sign with. */
export const callbackHeaders = (
  secret: string | undefined,
  { attempt, ...signed }: CallbackStamp & { readonly attempt: number; readonly rawBody: Buffer | string },
): Record<string, string> => ({
  [callbackHeaderNames.eventId]: signed.eventId,
  [callbackHeaderNames.attempt]: String(attempt),
  [callbackHeaderNames.timestamp]: String(signed.timestamp),
  ...(secret ? { [callbackHeaderNames.signature]: callbackSignature(secret, signed) } : {}),
});

/** Checks a signature while the body streams by: `update` per chunk, then `valid`. */
export interface CallbackCheck {
  update(chunk: Buffer | string): void;
  /** Call once, after the last chunk. */
  valid(): boolean;
}

const headerText = (headers: ReceivedHeaders, name: string): string | undefined => {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const REFUSED: CallbackCheck = { update: () => undefined, valid: () => false };

/**
 * A check of the received headers against any of `secrets` (a comma list: put the new one beside the old one to rotate).
 * Refuses without a signature, with a timestamp that is no number or more than ten minutes off, and with an empty list.
 * Takes the same time wherever a wrong signature differs.
 */
export const openCallbackCheck = (secrets: string, headers: ReceivedHeaders, now: Date): CallbackCheck => {
  const timestamp = headerText(headers, callbackHeaderNames.timestamp);
  const eventId = headerText(headers, callbackHeaderNames.eventId);
  const hex = /^sha256=([0-9a-f]{64})$/.exec(headerText(headers, callbackHeaderNames.signature) ?? '')?.[1];
  const keys = secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean);
  if (!timestamp || !eventId || !hex || !/^\d{1,15}$/.test(timestamp)) return REFUSED;
  if (Math.abs(now.getTime() - Number(timestamp)) > CALLBACK_WINDOW_MS) return REFUSED;
  const hmacs = keys.map((secret) => startHmac(secret, { timestamp, eventId }));
  const given = Buffer.from(hex, 'hex');
  return {
    update: (chunk) => hmacs.forEach((hmac) => hmac.update(chunk)),
    valid: () => hmacs.filter((hmac) => timingSafeEqual(hmac.digest(), given)).length > 0,
  };
};

/** `openCallbackCheck` for a body already in memory. */
export const verifyCallbackSignature = (
  secrets: string,
  {
    headers,
    rawBody,
    now,
  }: { readonly headers: ReceivedHeaders; readonly rawBody: Buffer | string; readonly now: Date },
): boolean => {
  const check = openCallbackCheck(secrets, headers, now);
  check.update(rawBody);
  return check.valid();
};
