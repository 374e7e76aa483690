import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const COOKIE = /^([\w-]{22})\.([\w-]{43})$/;

/**
 * Of browsers that nobody has signed in with: what forms such as the sign-in are given is theirs alone. Signed, because a neighbour on another
 * subdomain can set cookies here, and must not know the secret that a form is checked by.
 */
export class GuestSecrets {
  constructor(private readonly key: string) {}

  /** What the cookie holds, when we made it. */
  read(cookie: string | undefined): string | undefined {
    const [, nonce, given] = COOKIE.exec(cookie ?? '') ?? [];
    if (nonce === undefined || given === undefined) return undefined;
    const isOurs = timingSafeEqual(Buffer.from(given), Buffer.from(this.sign(nonce)));
    return isOurs ? cookie : undefined;
  }

  make(): string {
    const nonce = randomBytes(16).toString('base64url');
    return `${nonce}.${this.sign(nonce)}`;
  }

  private sign(nonce: string): string {
    return createHmac('sha256', this.key).update(`guest ${nonce}`).digest('base64url');
  }
}
