import { createHash } from 'node:crypto';

/** `3EB0` + 18 hex digits: the form of WhatsApp Web's own ids. The same source always gives the same id (design 3.3). */
export const messageIdOf = (source: string): string =>
  `3EB0${createHash('sha256').update(source).digest('hex').slice(0, 18).toUpperCase()}`;
