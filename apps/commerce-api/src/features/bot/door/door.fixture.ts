import { signInternalCall } from '@platform/auth';
import { caller } from '@platform/testing';
import type { Commerce } from '../../../commerce.fixture';
import type { Answered } from '../../../asked.fixture';

export const SECRET = 'a secret of the bot';

export interface Signing {
  readonly secret?: string;
  readonly service?: string;
  /** Milliseconds that the signature is older. */
  readonly age?: number;
  /** What was signed, where it is not what is sent. */
  readonly signed?: string;
  /** The process that is asked. */
  readonly url?: string;
}

export type Clocked = Pick<Commerce, 'url' | 'clock'>;

export const signatureOf = (
  { clock }: Pick<Clocked, 'clock'>,
  method: string,
  path: string,
  text: string,
  { secret = SECRET, service = 'bot-engine', age = 0 }: Signing = {},
): Record<string, string> => {
  const at = { now: () => new Date(clock.now().getTime() - age) };
  return signInternalCall({ service, secret, clock: at }, { method, path, body: text });
};

let sequence = 0;
/** Two calls of one millisecond would have one signature: each is signed at an instant of its own. */
const ownAge = (): number => (sequence = (sequence + 1) % 60_000);

/** Calls the door as the bot engine does, each attempt signed afresh. */
export const callBot = async <Data = never>(
  commerce: Clocked,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  signing: Signing = {},
): Promise<Answered<Data>> => {
  const target = `/api/payment/engine-bot${path}`;
  const text = body === undefined ? '' : JSON.stringify(body);
  const age = signing.age ?? ownAge();
  const headers = signatureOf(commerce, method, target, signing.signed ?? text, { ...signing, age });
  const { status, body: answer } = await caller(signing.url ?? commerce.url)(target, { method, body, headers });
  return { status, body: answer as never };
};
