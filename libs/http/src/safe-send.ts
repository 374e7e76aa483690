import { request } from 'undici';
import { Rejected } from '@platform/errors';
import { timeLimit } from '@platform/runtime';
import { pinnedAgent } from './pinned-agent';
import { safeAddress, type SafeAddressOptions } from './safe-address';
import { unlessAborted } from './unless-aborted';

export interface SafeSendOptions extends SafeAddressOptions {
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** For everything: names, connection, and the head of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** Nobody has answered: the host could not be reached, or not in time. */
export class SendFailed extends Error {}

/** The head of an answer. */
export interface SafeAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

const sent = async (url: string, options: SafeSendOptions, signal: AbortSignal): Promise<SafeAnswer> => {
  const checked = await safeAddress(url, options);
  const dispatcher = pinnedAgent(checked.address);
  try {
    const { body, headers } = options;
    const answer = await request(checked.url, { dispatcher, signal, method: 'POST', body, headers });
    return { status: answer.statusCode, headers: answer.headers };
  } finally {
    // Of the answer nothing but its head is wanted
    void dispatcher.destroy().catch(() => undefined);
  }
};

/**
 * Posts to an address that came from outside, and resolves to the head of the answer, whose body is not read. The address is checked and
 * pinned (`safeAddress`); a redirect is not followed, so that no answer can lead into a private network. Throws `Rejected` for an address
 * that is not allowed, `SendFailed` when nobody answers.
 */
export const safePost = async (url: string, options: SafeSendOptions): Promise<SafeAnswer> => {
  const signal = timeLimit(options.timeoutMs, options.signal);
  try {
    // Names too are looked up in that time, which the system does not end by itself
    return await unlessAborted(sent(url, options, signal), signal);
  } catch (failure) {
    if (failure instanceof Rejected) throw failure;
    throw new SendFailed(signal.aborted ? 'the host did not answer in time' : 'the host cannot be reached', {
      cause: failure,
    });
  }
};

/** The same for whom the status is enough. */
export const safeSend = async (url: string, options: SafeSendOptions): Promise<number> =>
  (await safePost(url, options)).status;
