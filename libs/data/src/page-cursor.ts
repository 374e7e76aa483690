import { createHmac, timingSafeEqual } from 'node:crypto';
import { InvalidInput } from '@platform/errors';
import type { Keyset } from './keyset';

const refused = (): InvalidInput =>
  new InvalidInput([{ field: 'cursor', tag: 'cursor', message: 'cursor must be one that this list returned' }]);

/** The signature is ours, but perhaps of another release or kind of list with the same secret. */
const keysetIn = (json: string): Keyset => {
  try {
    const [lastAt, id] = JSON.parse(json) as unknown[];
    if (typeof lastAt === 'string' && typeof id === 'string') return { lastAt, id };
  } catch {
    // No JSON, or no list
  }
  throw refused();
};

/**
 * The `cursor` of a list: a keyset as text for the wire. Cursors are signed and bound to the query (`binding`: tenant,
 * filter and whatever else decides which rows are seen), so that a cursor of one store or team opens no other.
 */
export class PageCursor {
  constructor(private readonly secret: string) {}

  /** The cursor of the page after `keyset`: URL-safe characters and one full stop. */
  write(binding: string, { lastAt, id }: Keyset): string {
    const text = Buffer.from(JSON.stringify([lastAt, id])).toString('base64url');
    return `${text}.${this.signature(binding, text)}`;
  }

  /** Throws `InvalidInput` (tag `cursor`) for a cursor that was not issued for this query. */
  read(binding: string, cursor: unknown): Keyset {
    if (typeof cursor !== 'string') throw refused();
    const [text = '', signature = ''] = cursor.split('.');
    const [given, right] = [Buffer.from(signature), Buffer.from(this.signature(binding, text))];
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw refused();
    return keysetIn(Buffer.from(text, 'base64url').toString());
  }

  private signature(binding: string, text: string): string {
    return createHmac('sha256', this.secret).update(`${binding}\0${text}`).digest('base64url').slice(0, 22);
  }
}
