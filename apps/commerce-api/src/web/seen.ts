import { createHash } from 'node:crypto';
import { refusals } from '../refusals';

/** Names what a form has shown of a thing, so that it is known whether somebody has changed it since. */
export const seenOf = (shown: object): string => createHash('sha256').update(JSON.stringify(shown)).digest('base64url');

/** Throws `version_conflict` when it is not any more what the form has shown; to be asked of the locked row. */
export const demandSeen = (seen: string | undefined, now: object): void => {
  if (seen !== undefined && seen !== seenOf(now)) throw refusals.versionConflict();
};
