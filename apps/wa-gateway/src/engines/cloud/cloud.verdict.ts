import { EngineBusy, EngineOffline, EngineRefused, EngineUncertain } from '../engine.errors';
import type { Jid } from '../engine.types';
import type { CloudPace } from './cloud.pace';
import { GraphRefusal, GraphUncertain, GraphUnreachable } from './graph.client';

/** Documented codes (design 5.3). 0 and 190: the token is worth nothing any more. */
const SIGNED_OUT: ReadonlySet<number> = new Set([0, 190]);
const PAIR_RATE = 131056;
const TOO_MANY: ReadonlySet<number> = new Set([4, 80007, 130429]);
/** Meta's own trouble; its answer says that the message was not sent. */
const TROUBLE: ReadonlySet<number> = new Set([1, 2, 131000, 131016, 133004]);

/** Code of a failed send, as callbacks carry it. */
export const failureCode = (code: number): string => `WA_${code}`;

/** Meta does not know the token, or not any more. */
export const isSignedOut = (failure: unknown): failure is GraphRefusal =>
  failure instanceof GraphRefusal && SIGNED_OUT.has(failure.code);

/** It may be taken later, as it is. */
export const isPassing = ({ status, code }: GraphRefusal): boolean =>
  status >= 500 || status === 429 || status === 408 || TOO_MANY.has(code) || TROUBLE.has(code);

/** What a failed send means for the message, in the port's words. */
export const sendVerdict = (failure: unknown, chat: Jid, pace: CloudPace): Error => {
  if (failure instanceof GraphUncertain) return new EngineUncertain(failure.message, { cause: failure });
  if (failure instanceof GraphUnreachable) return new EngineOffline(failure.message, { cause: failure });
  if (!(failure instanceof GraphRefusal)) return failure instanceof Error ? failure : new Error(String(failure));
  const { code, message } = failure;
  if (isSignedOut(failure)) return new EngineRefused('LOGGED_OUT', message);
  if (code === PAIR_RATE) return new EngineBusy(pace.pairLimited(chat), message);
  if (TOO_MANY.has(code) || TROUBLE.has(code)) return new EngineBusy(pace.numberLimited(), message);
  return new EngineRefused(failureCode(code), message);
};

/** What failed and is no message: it may be asked for again by whoever asked. */
export const callVerdict = (failure: unknown): Error =>
  failure instanceof GraphRefusal
    ? new EngineRefused(failureCode(failure.code), failure.message)
    : new EngineRefused('UNAVAILABLE', failure instanceof Error ? failure.message : String(failure));
