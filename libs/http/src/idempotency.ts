import { createHash } from 'node:crypto';
import { Conflict, InvalidInput } from '@platform/errors';
import type { WireAnswer } from '@platform/envelopes';

export type IdempotencyState =
  | { readonly state: 'new' }
  | { readonly state: 'replay'; readonly status: number; readonly body: unknown }
  | { readonly state: 'running' }
  | { readonly state: 'mismatch' };

/** Remembers answers by caller and key. `pgIdempotency` of libs/data fits. */
export interface IdempotencyStore {
  begin(scope: string, key: string, requestHash: string): Promise<IdempotencyState>;
  finish(scope: string, key: string, status: number, body: unknown): Promise<void>;
  forget(scope: string, key: string): Promise<void>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

const keyOf = (header: string | string[] | undefined, required: boolean): string | undefined => {
  if (header === undefined && !required) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  const tag = header === undefined ? 'required' : 'format';
  throw new InvalidInput(
    [
      {
        field: 'Idempotency-Key',
        tag,
        message: `Idempotency-Key ${tag === 'required' ? 'is a required header' : 'must be 1 to 255 printable characters'}`,
      },
    ],
    {
      code: 'idempotency_key_required',
    },
  );
};

export interface IdempotentCall {
  readonly store: IdempotencyStore;
  readonly header: string | string[] | undefined;
  readonly required: boolean;
  readonly scope: string;
  /** Everything that makes two requests the same request. */
  readonly fingerprint: string;
}

/**
 * Runs `work` at most once per caller, key and request. A repeat gets the first answer again; while the first is still
 * running, `Conflict`; with another request under the same key, `Conflict` too. A refused request frees the key, so that
 * the caller can repeat until it works.
 */
export const once = async (call: IdempotentCall, work: () => Promise<WireAnswer>): Promise<WireAnswer> => {
  const key = keyOf(call.header, call.required);
  if (key === undefined) return work();
  const hash = createHash('sha256').update(call.fingerprint).digest('hex');
  const known = await call.store.begin(call.scope, key, hash);
  if (known.state === 'replay')
    return { status: known.status, body: known.body, headers: { 'Idempotent-Replay': 'true' } };
  if (known.state === 'running')
    throw new Conflict('a request with this Idempotency-Key is still running', { code: 'idempotency_running' });
  if (known.state === 'mismatch')
    throw new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' });
  try {
    const answer = await work();
    await call.store.finish(call.scope, key, answer.status, answer.body);
    return answer;
  } catch (failure) {
    await call.store.forget(call.scope, key);
    throw failure;
  }
};
