import { createHash } from 'node:crypto';
import type { By } from '../../by';

/** An `Idempotency-Key` as a row of its own keeps it, for ever: it belongs to whoever uses it. */
export const ownKey = ({ actor }: Pick<By, 'actor'>, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([actor, key]))
    .digest('hex');
