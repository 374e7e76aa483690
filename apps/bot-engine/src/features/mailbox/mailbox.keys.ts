import { createHash } from 'node:crypto';
import { storable } from '@platform/runtime';

/** Conversations with lines, by the time from which somebody else may take them. */
export const DUE = 'b:due';

const LONGEST_ID = 128;

/** An id of a message as keys and rows hold it: as PostgreSQL takes it, and a long one as its digest. */
export const idOf = (idMessage: string): string => {
  const kept = storable(idMessage);
  return kept.length > LONGEST_ID ? createHash('sha256').update(kept).digest('hex') : kept;
};

/** Design 3.1: the keys of one conversation share a hash tag. */
export const keysOf = (conversation: string) => {
  const key = (name: string) => `b:{${conversation}}:${name}`;
  return {
    /** New lines. */
    mailbox: key('mb'),
    /** Lines of the round that is in progress. */
    inFlight: key('inf'),
    lease: key('lease'),
    /** Epoch milliseconds of the last arrival. */
    arrival: key('t'),
    tries: key('try'),
    seen: (idMessage: string) => key(`seen:${idOf(idMessage)}`),
    reply: (token: string) => key(`res:${token}`),
  } as const;
};
