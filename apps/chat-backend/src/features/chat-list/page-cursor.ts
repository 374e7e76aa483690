import { createHmac } from 'node:crypto';
import { equalSecrets } from '@platform/auth';
import { InvalidInput } from '@platform/errors';
import type { Keyset } from './chat-list.repository';

/** Cursors are signed and bound to what was asked for, so that none made for one store or team opens another. */
export class PageCursor {
  constructor(private readonly secret: string) {}

  write(binding: string, { lastAt, id }: Keyset): string {
    const text = Buffer.from(JSON.stringify([lastAt, id])).toString('base64url');
    return `${text}.${this.signature(binding, text)}`;
  }

  /** Throws `InvalidInput` (tag `cursor`) for a cursor that we did not write for this question. */
  read(binding: string, cursor: string): Keyset {
    const [text = '', signature = ''] = cursor.split('.');
    if (!equalSecrets(signature, this.signature(binding, text)))
      throw new InvalidInput([
        { field: 'cursor', tag: 'cursor', message: 'cursor must be one that this list returned' },
      ]);
    const [lastAt, id] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, string];
    return { lastAt, id };
  }

  private signature(binding: string, text: string): string {
    return createHmac('sha256', this.secret).update(`${binding}\0${text}`).digest('base64url').slice(0, 22);
  }
}
