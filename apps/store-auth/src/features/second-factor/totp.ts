import { createHmac, randomBytes } from 'node:crypto';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const STEP_MS = 30_000;
const SECRET_BYTES = 20;
const DIGITS = 6;

/** Base32 without padding (RFC 4648 section 6): the form in which authenticators accept a secret. */
export const base32 = (bytes: Uint8Array): string => {
  let text = '';
  let pending = 0;
  let bits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(pending >>> (bits - 5)) & 31];
    pending &= (1 << bits) - 1;
  }
  return bits > 0 ? text + ALPHABET[(pending << (5 - bits)) & 31] : text;
};

const fromBase32 = (text: string): Buffer => {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** A secret of 160 bits, as RFC 4226 section 4 recommends. */
export const newTotpSecret = (): string => base32(randomBytes(SECRET_BYTES));

/** The code of one time step: RFC 6238 with SHA-1, 30 s and 6 digits, which every authenticator knows. */
const codeAt = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** The time step that `code` belongs to: this one, the one before or the one after; undefined when to none of them. */
export const totpStep = (secret: string, code: string, now: Date): number | undefined => {
  const current = Math.floor(now.getTime() / STEP_MS);
  return [current, current - 1, current + 1].find((step) => codeAt(secret, step) === code);
};

/** The content of the QR code for an authenticator (Key Uri Format). */
export const otpauthUrl = (issuer: string, account: string, secret: string): string => {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?${new URLSearchParams({ secret, issuer }).toString()}`;
};
