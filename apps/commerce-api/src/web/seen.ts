import { createHash } from 'node:crypto';
import { Text } from '@platform/validation';
import { refusals } from '../refusals';

/** Names what a form has shown of a thing, so that it is known whether somebody has changed it since. */
export const seenOf = (shown: object): string => createHash('sha256').update(JSON.stringify(shown)).digest('base64url');

/** The hidden input of a form of something that others may change meanwhile. */
export const Seen = () => Text({ max: 64, description: 'What was shown of it: another one by now is a conflict' });

/** Throws `version_conflict` when it is not any more what the form has shown; to be asked of the locked row. */
export const demandSeen = (seen: string | undefined, now: object): void => {
  if (seen !== undefined && seen !== seenOf(now)) throw refusals.versionConflict();
};
