import { createHash } from 'node:crypto';

/** Design 3.1: the first 32 hex digits of sha256(idStore NUL idAgent NUL idUser), `idUser` without its network's suffix. */
export const conversationKey = (idStore: string, idAgent: string, idUser: string): string =>
  createHash('sha256').update([idStore, idAgent, idUser].join('\0')).digest('hex').slice(0, 32);
