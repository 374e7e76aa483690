import { Unavailable } from '@platform/errors';
import { Breaker } from '@platform/http';
import { SharedPlaces } from '@platform/runtime';

/** Calls at the same time, and those of one store's files. */
const PLACES = { places: 32, most: 8 };
/** Of a call that moves no bytes of ours. */
const CALL_MS = 5_000;
/** A line that brings less than this is given up. */
const BYTES_PER_MS = 500;

export interface S3LineOptions {
  readonly callMs?: number;
}

const isAbsent = ({ name, $metadata }: { name?: string; $metadata?: { httpStatusCode?: number } }): boolean =>
  name === 'NoSuchKey' || (name === 'NotFound' && $metadata?.httpStatusCode === 404);
/** It answered, so it is there. */
const hasAnswered = (failure: { $metadata?: { httpStatusCode?: number } }): boolean =>
  (failure.$metadata?.httpStatusCode ?? 500) < 500;

/** The way to an object store: bounded in time, in number, and for each store; one that is down is not asked again and again. */
export class S3Line {
  private readonly breaker = new Breaker({});
  private readonly places = new SharedPlaces(PLACES);

  constructor(private readonly options: S3LineOptions = {}) {}

  /** Throws `Unavailable` when it does not answer in time, or refuses. */
  async send<Answer>(owner: string, call: (signal: AbortSignal) => Promise<Answer>, bytes = 0): Promise<Answer> {
    const signal = AbortSignal.timeout((this.options.callMs ?? CALL_MS) + Math.ceil(bytes / BYTES_PER_MS));
    const leave = await this.places.acquire(owner, signal).catch((cause: unknown) => this.fail(cause));
    try {
      return await this.asked(call, signal);
    } finally {
      leave();
    }
  }

  /** The same of what may not be there: undefined then. */
  find<Answer>(owner: string, call: (signal: AbortSignal) => Promise<Answer>, bytes = 0): Promise<Answer | undefined> {
    const found = (signal: AbortSignal): Promise<Answer | undefined> =>
      call(signal).catch((failure: object) => {
        if (!isAbsent(failure)) throw failure as Error;
        return undefined;
      });
    return this.send(owner, found, bytes);
  }

  private async asked<Answer>(call: (signal: AbortSignal) => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const report = this.breaker.admit();
    if (!report) throw new Unavailable('The files cannot be reached');
    try {
      const answer = await call(signal);
      report('alive');
      return answer;
    } catch (failure) {
      report(hasAnswered(failure as object) ? 'alive' : 'absent');
      return this.fail(failure);
    }
  }

  private fail(cause: unknown): never {
    throw new Unavailable('The files cannot be reached', { cause });
  }
}
