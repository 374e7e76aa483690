import { createHash } from 'node:crypto';
import { storable } from '@platform/runtime';

/** Receivers take 128 characters; an id of ours is made of one by a suffix. */
const LONGEST = 120;

/**
 * The id of a message or a person that somebody else chose, as tables and receivers take it: itself, or, when it is too long or cannot be
 * stored, what always comes of it. PostgreSQL refuses a key of more than 2,704 bytes for ever (SQLSTATE 54000).
 */
export const foreignId = (id: string): string =>
  id.length <= LONGEST && storable(id) === id ? id : `long-${createHash('sha256').update(id).digest('hex')}`;
