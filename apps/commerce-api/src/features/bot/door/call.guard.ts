import { internalVerifier, type FirstUse } from '@platform/auth';
import type { Sql } from '@platform/data';
import { Unauthenticated, type Failure } from '@platform/errors';
import type { Guard, RequestView } from '@platform/http';
import type { Clock } from '@platform/runtime';
import type { SignedCall } from '../../../endpoint';

export const callRefusals = {
  /** One text for a service that is unknown, a signature that is wrong or was seen, and a time that is over. */
  invalidSignature: (cause?: unknown): Failure =>
    new Unauthenticated({
      ...{ reason: 'invalid', message: 'The signature is not valid', code: 'invalid_signature' },
      ...(cause instanceof Error && { cause }),
    }),
} as const;

const SEEN = `INSERT INTO internal_call (service, signature, seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1`;

/** In the database, which all processes have, with Redis and without: a signature is good once (ADR 109). */
const inDatabase =
  (sql: Sql, clock: Clock): FirstUse =>
  async (key) => {
    const [, service = '', signature = ''] = key.split(':');
    return (await sql.prepared('signed call', SEEN, [service, signature, clock.now()])).length > 0;
  };

interface Parts {
  readonly database: Sql;
  readonly clock: Clock;
  /** Secret by service name. */
  readonly secrets: Readonly<Record<string, string>>;
}

/**
 * Calls of our own services without a token, by the internal HMAC (design 5.7). A call without a body is checked here; of one with a body
 * only who has signed nothing is turned away, and its handler asks `prove` for the exact bytes before it reads anything else.
 */
export const signedCalls = ({ database, clock, secrets }: Parts): Guard<SignedCall> => {
  const verify = internalVerifier({ secrets, clock, firstUse: inDatabase(database, clock) });
  const proved = async (request: RequestView, body: Buffer): Promise<void> => {
    const { method, target: path = '' } = request;
    await verify(request, { method, path, body }).catch((failure: unknown) => {
      throw failure instanceof Unauthenticated ? callRefusals.invalidSignature(failure.cause) : failure;
    });
  };
  return {
    label: 'none+sig',
    scheme: 'signature',
    refuses: [callRefusals.invalidSignature],
    authenticate: async (request) => {
      // HEAD too, which a handler of GET answers
      if (request.method !== 'POST') await proved(request, Buffer.alloc(0));
      else if (!request.headers['x-signature']) throw callRefusals.invalidSignature();
      return { prove: (body) => proved(request, body) };
    },
  };
};
