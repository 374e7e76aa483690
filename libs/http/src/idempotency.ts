import { createHash } from 'node:crypto';
import { Conflict, InvalidInput, Unexpected } from '@platform/errors';
import type { Claim, Settled } from '@platform/runtime';
import type { Answer, TextAnswer } from './answer';

/** Does work at most once per key. `pgIdempotency` of libs/data fits; `Tx` is the type of its transactions. */
export interface IdempotencyStore<Tx = unknown> {
  /**
   * Runs `work` in one transaction, and stores the answer it resolves to in the same one: both commit or neither. A failure of
   * `work` leaves the key free. Without a claim the work is done anyway, and nothing is kept. `before` is done by whoever has the
   * claim, outside of the transaction.
   */
  once(
    claim: Claim | undefined,
    work: (tx: Tx) => Promise<TextAnswer>,
    before?: () => Promise<void>,
  ): Promise<Settled<TextAnswer>>;
}

/** What `once` resolves to: the work is committed, and its answer is the answer of the request. Return it from the handler. */
export class Kept<T> {
  constructor(
    readonly answer: TextAnswer,
    /** The result of the work; undefined when an earlier request did it, so that nothing is announced twice. */
    readonly value: T | undefined,
  ) {}
}

/** An answer for which no work was done: nothing is kept of it, and the key of its request stays free. Return it from the handler. */
export class Unkept {
  constructor(readonly value: unknown) {}
}

/**
 * Does the work of a request in one transaction, at most once per `Idempotency-Key`: effects, jobs, outbox rows and the answer
 * commit together or not at all. A repeat gets the first answer; `Conflict` (`idempotency_running`, with Retry-After) while the
 * first is running, `Conflict` (`idempotency_mismatch`) for another request under the key. The work may run again after a
 * deadlock, so it has no effects outside of `tx`: those belong into `before`, which is done under the same key, ahead of the
 * transaction and without one.
 */
export type Once<Tx> = <T>(work: (tx: Tx) => Promise<T>, before?: () => Promise<void>) => Promise<Kept<T>>;

const RETRY_SECONDS = 1;

const badKey = (tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field: 'Idempotency-Key', tag, message: `Idempotency-Key ${text}` }], {
    code: 'idempotency_key_required',
  });
const stillRunning = (): Conflict =>
  new Conflict('a request with this Idempotency-Key is still running', {
    code: 'idempotency_running',
    retryAfterSeconds: RETRY_SECONDS,
  });
const otherRequest = (): Conflict =>
  new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' });

/** What an endpoint with an idempotency key refuses. */
export const idempotencyRefusals = [badKey, stillRunning, otherRequest] as const;

const KEY = /^[\x21-\x7e]{1,255}$/;

const keyOf = (header: string | string[] | undefined, required: boolean): string | undefined => {
  if (header === undefined && !required) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  const tag = header === undefined ? 'required' : 'format';
  const text = tag === 'required' ? 'is a required header' : 'must be 1 to 255 printable characters';
  throw badKey(tag, text);
};

/** The key of a form, which cannot set headers; an empty field is none. */
export const formKey = ({ keyField }: { readonly keyField?: string }, body: unknown): string | undefined => {
  const key = keyField === undefined ? undefined : (body as Readonly<Record<string, unknown>> | null)?.[keyField];
  return typeof key === 'string' && key !== '' ? key : undefined;
};

export interface IdempotentCall {
  readonly header: string | string[] | undefined;
  readonly required: boolean;
  readonly scope: string;
  /** Everything by which two requests are the same request. */
  readonly fingerprint: () => string | Buffer;
}

const claimOf = ({ header, required, scope, fingerprint }: IdempotentCall): Claim | undefined => {
  const key = keyOf(header, required);
  if (key === undefined) return undefined;
  return { scope, key, requestHash: createHash('sha256').update(fingerprint()).digest('hex') };
};

const settledOrThrow = (settled: Settled<TextAnswer>): TextAnswer | undefined => {
  switch (settled.state) {
    case 'done':
      return undefined;
    case 'replay':
      return { ...settled.answer, headers: { ...settled.answer.headers, 'Idempotent-Replay': 'true' } };
    case 'running':
      throw stillRunning();
    case 'mismatch':
      throw otherRequest();
  }
};

/** The `once` of one request. `answerOf` turns a value into the answer that is kept with the work. Throws what `keyOf` refuses. */
export const onceOf = <Tx>(
  store: IdempotencyStore<Tx>,
  call: IdempotentCall,
  answerOf: (value: unknown) => Answer,
): Once<Tx> => {
  const claim = claimOf(call);
  return async <T>(work: (tx: Tx) => Promise<T>, before?: () => Promise<void>): Promise<Kept<T>> => {
    let last: { value: T; answer: TextAnswer } | undefined;
    const told = async (tx: Tx): Promise<TextAnswer> => {
      const value = await work(tx);
      const answer = answerOf(value);
      if ('bytes' in answer) throw new Unexpected('an answer of bytes cannot be kept under an Idempotency-Key');
      last = { value, answer };
      return answer;
    };
    const settled = await store.once(claim, told, before);
    const replay = settledOrThrow(settled);
    if (replay) return new Kept<T>(replay, undefined);
    if (!last) throw new Unexpected('the idempotency store says done, but the work never ran');
    return new Kept(last.answer, last.value);
  };
};
