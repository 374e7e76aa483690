import type { Database, Sql } from '@platform/data';
import { asFailure, Conflict, NotFound, Unauthenticated, type Failure } from '@platform/errors';
import { cut, uuidv7, type Clock, type Logger } from '@platform/runtime';
import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { By } from '../../../by';
import type { Queue } from '../../../jobs';
import type { GatewayAccounts, Signer } from '../accounts/public';
import type { GatewayCode, Notice } from '../port';
import { applyFact, OUTCOME, type Applied, type KnownPayment } from '../watch/public';
import { plain } from '../polls/public';
import { BY_NUMBER, FAILED, KEEP, KEEP_FORGED, STORED, TAKE_UP } from './notices.sql';
import type { Strangers } from './strangers';

/** Payouts are the wallet's: who keeps them says whose one is, and makes of it what its provider tells. */
export interface PayoutNotices {
  /** The store of a payout of ours; undefined: it is none. */
  storeOf(referenceId: string): Promise<string | undefined>;
  /** In the caller's transaction; what comes twice changes nothing. Undefined: it is none of theirs. */
  told(tx: Sql, by: By, payout: NonNullable<Notice['payout']>): Promise<string | undefined>;
}

/** Of whoever knows a payout first. */
export const anyOf = (...all: readonly PayoutNotices[]): PayoutNotices => {
  const first = async <T>(ask: (one: PayoutNotices) => Promise<T | undefined>): Promise<T | undefined> => {
    for (const one of all) {
      const answer = await ask(one);
      if (answer !== undefined) return answer;
    }
    return undefined;
  };
  return {
    storeOf: (referenceId) => first((one) => one.storeOf(referenceId)),
    told: (tx, by, payout) => first((one) => one.told(tx, by, payout)),
  };
};

/** Where a notice came in. */
export interface Arrival {
  readonly code: GatewayCode;
  /** Our own path. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  /** Of whoever sent it. */
  readonly address: string;
}

export const noticeRefusals = {
  signature: (): Failure =>
    new Unauthenticated({ reason: 'invalid', message: 'The signature is wrong', code: 'invalid_signature' }),
  unknown: (): Failure => new NotFound('No such payment'),
  neverVerified: (): Failure =>
    new Conflict('Its signature was wrong, so it is not processed', { code: 'signature_failed' }),
} as const;

export interface NoticeParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly accounts: GatewayAccounts;
  readonly queue: Queue;
  readonly strangers: Strangers;
  readonly payouts: PayoutNotices | undefined;
}

/** Whose it is and what it is about. */
interface Subject {
  readonly storeId: string;
  readonly payment?: KnownPayment;
  readonly payout?: NonNullable<Notice['payout']>;
}

/** One that is kept, with what is to be done. */
interface Kept extends Subject {
  readonly id: string;
  readonly code: GatewayCode;
  readonly path: string;
  readonly notice: Notice;
  readonly since: Date;
  /** By somebody who wants it done again. */
  readonly again?: boolean;
}

interface Found extends KnownPayment {
  readonly provider: GatewayCode;
  readonly mode: 'platform' | 'direct';
}

/** Who has signed a notice. */
type Who = Pick<Signer, 'storeId'>;
const PLATFORM: Who = { storeId: null };
const isOfPlatform = (signers: readonly Who[]): boolean => signers.some(({ storeId }) => storeId === null);

/** No store. */
const NOBODY = '';
/** Of one that nobody has signed, so much is kept. */
const FORGED_BYTES = 2_048;
/** What is needed to read it again; none of them opens a door. */
const KEPT_HEADERS = ['content-type', 'client-id', 'request-id', 'request-timestamp', 'user-agent', 'webhook-id'];
const TELLS_BOT = '/api/pay_a/checkout-notification';

const headersOf = (headers: IncomingHttpHeaders): string =>
  JSON.stringify(
    Object.fromEntries(
      KEPT_HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, plain(String(headers[name]))]])),
    ),
  );

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex');

/** The same notice at the other route is another one: only one of them tells the bot. */
const keyOf = (path: string, key: string): string => {
  const whole = `${path.replace(/^.*\//, '')}:${key}`;
  const text = plain(whole, 200);
  return text === whole ? text : `${cut(text, 130)} ${sha256(whole)}`;
};

/** What providers tell, each once, and only what they have signed (design 3.5). */
export class Notices {
  constructor(private readonly parts: NoticeParts) {}

  /**
   * Takes a notice in: when this resolves, what it says is done, or is in a job. Throws `invalid_signature`, `NotFound` for a payment that is
   * none, `Malformed`, `TooMany` for who sends forged ones; anything else leaves it to be done again, by the provider or by a replay.
   */
  async receive(arrival: Arrival): Promise<void> {
    const { accounts, strangers } = this.parts;
    const { code, path, headers, raw, address } = arrival;
    const since = this.parts.clock.now();
    strangers.refuse(address);
    const named = await accounts.named(code, headers, raw);
    const signers = named.filter(({ notices }) => notices.verify(headers, raw, path));
    const [signer] = signers;
    if (!signer) return this.forged(arrival, named);
    const notice = signer.notices.parse(raw, headers);
    const subject = await this.subjectOf(code, notice, signers);
    const storeId = subject?.storeId ?? signer.storeId ?? NOBODY;
    const byPlatform = isOfPlatform(signers);
    const kept = await this.keep(arrival, { storeId, byPlatform }, notice);
    if (kept.done) return;
    const known = { ...(subject ?? { storeId }), id: kept.id, code, path, notice, since };
    await this.process(known);
  }

  /** Does again what was kept. Throws `NotFound`, `signature_failed`, and what `receive` does. */
  async replay(storeId: string, id: string): Promise<void> {
    const [row] = await this.parts.database.query<StoredEvent>(STORED, [storeId, id]);
    if (!row) throw new NotFound('Event not found');
    if (!row.signature_ok) throw noticeRefusals.neverVerified();
    const { provider: code, route: path, headers, raw } = row;
    const reader = await this.parts.accounts.readerFor(storeId, code);
    if (!reader) throw noticeRefusals.unknown();
    const notice = reader.parse(raw, headers);
    // It says no more now than it did when it came
    const subject = await this.subjectOf(code, notice, row.by_platform ? [PLATFORM, { storeId }] : [{ storeId }]);
    const known = subject?.storeId === storeId ? subject : { storeId };
    await this.process({ ...known, id, code, path, notice, since: this.parts.clock.now(), again: true });
  }

  private async found(invoiceNumber: string | undefined): Promise<Found | undefined> {
    if (invoiceNumber === undefined || !/^[\w-]{1,64}$/.test(invoiceNumber)) return undefined;
    const { database } = this.parts;
    const [row] = await database.prepared<Found>('payment by number', BY_NUMBER, [invoiceNumber]);
    return row;
  }

  /** Undefined: nothing of ours, or of somebody else than has signed: a store's own account speaks for its own payments alone. */
  private async subjectOf(code: GatewayCode, notice: Notice, signers: readonly Who[]): Promise<Subject | undefined> {
    const { payout } = notice;
    if (payout) {
      const storeId = isOfPlatform(signers) ? await this.parts.payouts?.storeOf(payout.referenceId) : undefined;
      return storeId === undefined ? undefined : { storeId, payout };
    }
    const payment = await this.found(notice.invoiceNumber);
    if (payment?.provider !== code) return undefined;
    const isTheirs = signers.some(({ storeId }) =>
      payment.mode === 'platform' ? storeId === null : storeId === payment.store_id,
    );
    return isTheirs ? { storeId: payment.store_id, payment } : undefined;
  }

  private async keep(
    { code, path, headers, raw }: Arrival,
    { storeId, byPlatform }: { readonly storeId: string; readonly byPlatform: boolean },
    notice: Notice,
  ) {
    const { database, clock } = this.parts;
    const key = keyOf(path, notice.dedupeKey);
    for (;;) {
      const values = [storeId, uuidv7(), code, path, key, headersOf(headers), raw, clock.now(), byPlatform];
      const [row] = await database.prepared<{ id: string; done: boolean }>('notice keep', KEEP, values);
      // Neither written nor seen: somebody else has just written it
      if (row) return row;
    }
  }

  private async forged({ code, path, headers, raw, address }: Arrival, named: readonly Signer[]): Promise<never> {
    const { accounts, database, clock, strangers, logger } = this.parts;
    if (strangers.note(address)) {
      const storeId = await this.storeNamed(accounts.reader(code), { headers, raw }, named);
      const values = [storeId, uuidv7(), code, path, `unsigned:${sha256(raw)}`, headersOf(headers)];
      await database.query(KEEP_FORGED, [...values, raw.subarray(0, FORGED_BYTES), clock.now()]);
      logger.warn('a notice with a wrong signature was refused', { provider: code, storeId });
    }
    throw noticeRefusals.signature();
  }

  /** Which store is shown it: nothing that it says is believed but that. */
  private async storeNamed(
    reader: Signer['notices'] | undefined,
    { headers, raw }: Pick<Arrival, 'headers' | 'raw'>,
    named: readonly Signer[],
  ): Promise<string> {
    const readers = [reader, ...named.map(({ notices }) => notices)].filter((each) => each !== undefined);
    const [number] = readers.flatMap((each) => {
      try {
        return [each.parse(raw, headers).invoiceNumber];
      } catch {
        return [];
      }
    });
    const payment = await this.found(number);
    return payment?.store_id ?? named.find(({ storeId }) => storeId !== null)?.storeId ?? NOBODY;
  }

  /** Milliseconds since it came. */
  private passed({ since }: Kept): number {
    return this.parts.clock.now().getTime() - since.getTime();
  }

  private async process(kept: Kept): Promise<void> {
    const { database, logger } = this.parts;
    try {
      await this.settle(kept);
    } catch (thrown) {
      const failure = asFailure(thrown);
      const isUnknown = failure.kind === 'notFound';
      const outcome = isUnknown ? 'unknown_order' : 'error';
      const values = [outcome, plain(failure.code ?? failure.kind), this.passed(kept)];
      await database.query(FAILED, [kept.storeId, kept.id, ...values]);
      if (!isUnknown) logger.error('a notice could not be processed', { event: kept.id, cause: thrown });
      throw thrown;
    }
  }

  /** In one transaction with what is written of the notice. */
  private async settle(kept: Kept): Promise<void> {
    const { storeId, id, code, again = false } = kept;
    const by = { storeId, actor: `provider:${code}`, at: this.parts.clock.now() };
    if (!kept.payment && !kept.payout) throw noticeRefusals.unknown();
    await this.parts.database.tx(async (tx) => {
      const likely = kept.notice.fact?.state === 'paid' ? 'paid' : 'received';
      const taken = [storeId, id, by.at, likely, this.passed(kept), again];
      // Another one of the same has done it meanwhile
      if ((await tx.prepared('notice take up', TAKE_UP, taken)).length === 0) return;
      const outcome = await this.effect(tx, by, kept);
      if (outcome !== likely) await tx.query(OUTCOME, [storeId, id, outcome]);
    });
  }

  private async effect(tx: Sql, by: By, kept: Kept): Promise<Applied | 'asking' | string> {
    const { payment, payout, code, path, notice, storeId, id: eventId } = kept;
    if (payout) return (await this.parts.payouts?.told(tx, by, payout)) ?? 'unknown_order';
    const known = payment as KnownPayment;
    const { fact } = notice;
    if (fact && this.parts.accounts.isTrusted(code))
      return applyFact(tx, by, known, { fact, tellsBot: path === TELLS_BOT });
    const job = { storeId, paymentId: known.id, eventId };
    await this.parts.queue.enqueue(tx, `payment.confirm.${code}`, job, { key: `confirm:${eventId}` });
    return 'asking';
  }
}

interface StoredEvent {
  readonly id: string;
  readonly provider: GatewayCode;
  readonly route: string;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly signature_ok: boolean;
  readonly by_platform: boolean;
}
