import { setTimeout as pause } from 'node:timers/promises';
import type { CapEvent, GraphAccount } from '../../clients/graph.types';
import { batchRows, type Batch } from './batch.rows';
import { operationRows } from './operation.rows';
import type { Refusal } from './operation.refusal';
import type { Sender, Sent } from './sender';
import { sentSince } from './sent.since';
import type { Settlement } from './settlement';
import type { Held, WorkerParts } from './worker.types';

/** Sends after the first one. */
const MOST_AGAIN = 3;
/** Looks at upstream's history, which may lag behind the account. */
const MOST_LOOKS = 3;

const writesCap = ({ base, target }: Batch): boolean => target !== base;

const isDone = (batch: Batch, live: GraphAccount): boolean =>
  live.spendCap === batch.target && (writesCap(batch) || batch.name === null || live.name === batch.name);

const isUndone = (batch: Batch, live: GraphAccount): boolean => live.spendCap === batch.base && !isDone(batch, live);

/**
 * What upstream's history tells of a send. Before it the cap was `base`, so only what came after that counts: an earlier write of the
 * same value was another one. Undefined: the history does not explain what was read.
 */
export const toldBy = (
  events: readonly CapEvent[],
  { base, target }: Pick<Batch, 'base' | 'target'>,
  observed: number,
): 'applied' | 'not applied' | undefined => {
  const after = events.slice(events.findLastIndex(({ newValue }) => newValue === base) + 1);
  if (after.some(({ newValue }) => newValue === target)) return 'applied';
  if (after.some(({ newValue }) => newValue === null)) return undefined;
  return after.at(-1)?.newValue === observed ? 'not applied' : undefined;
};

/** Sends intents and finds out what became of them (design 3.3, steps 5 and 6, and 3.4). */
export class Resolver {
  constructor(
    private readonly parts: WorkerParts,
    private readonly sender: Sender,
    private readonly settlement: Settlement,
  ) {}

  /** The first send of a batch that was just written down. */
  async send(held: Held, batch: Batch): Promise<void> {
    const sent = await this.sender.write(held, batch);
    if (!(await this.isSettled(held, batch, sent))) await this.resolve(held, await this.standing(held, batch), sent);
  }

  /** Batches that somebody left `planned` or `unknown`; rejects when one cannot be told yet. */
  async resolveAll(held: Held): Promise<void> {
    for (const batch of await held.lease.tx((tx) => batchRows.open(tx, held.key))) {
      // Whoever sent it died before it heard an answer: it may be executed late, as any other that was not answered
      if (batch.attempts.at(-1)?.outcome === null) await this.settlement.unknown(held, batch, 'unknown');
      await this.resolve(held, batch);
    }
  }

  /** Until upstream shows the target, or certainly never got it. Rejects, and leaves the batch open, when upstream cannot be read. */
  private async resolve(held: Held, left: Batch, before?: Sent): Promise<void> {
    let [batch, sent] = [left, before];
    for (;;) {
      await this.untilSettled(held, batch);
      const live = await this.sender.read(held);
      if (isDone(batch, live)) return this.settlement.applied(held, batch, live);
      if (!isUndone(batch, live)) return this.byHistory(held, batch, live);
      if (await this.isAbandoned(batch, held)) return this.settlement.again(held, batch);
      if (batch.attempts.length > MOST_AGAIN) return this.settlement.failed(held, batch, this.lastRefusal(sent));
      const again = await held.lease.tx((tx) => batchRows.sendAgain(tx, batch.id));
      if (!again) return;
      sent = await this.sender.write(held, again);
      if (await this.isSettled(held, again, sent)) return;
      batch = await this.standing(held, again);
    }
  }

  /** Refused, or read back as it was written. What is neither is written down as unknown. */
  private async isSettled(held: Held, batch: Batch, sent: Sent): Promise<boolean> {
    if (sent.outcome === 'refused') {
      await this.settlement.failed(held, batch, sent.refusal, sent.outcome);
      return true;
    }
    if (sent.outcome === 'ok') {
      const live = await this.sender.read(held).catch((cause: unknown) => this.unread(held, batch, cause));
      if (isDone(batch, live)) {
        await this.settlement.applied(held, batch, live, sent.outcome);
        return true;
      }
    }
    await this.settlement.unknown(held, batch, sent.outcome);
    return false;
  }

  private async unread(held: Held, batch: Batch, cause: unknown): Promise<never> {
    await this.settlement.unknown(held, batch, 'ok');
    throw cause;
  }

  /** A send may still be executing for so long. */
  private async untilSettled({ lease, signal }: Held, { sentAgoMs }: Batch): Promise<void> {
    const { settleMs } = this.parts.rules;
    if (sentAgoMs >= settleMs) return;
    await lease.renew();
    // A clock that was set back makes a send of the future, for which nobody waits longer than for one of now
    await pause(Math.min(settleMs - sentAgoMs, settleMs), undefined, { signal });
  }

  /** As it stands now, with the time since its last send. */
  private async standing(held: Held, { id }: Batch): Promise<Batch> {
    const batch = await held.lease.tx((tx) => batchRows.find(tx, id));
    if (!batch) throw new Error('a batch has vanished: batches are never deleted');
    return batch;
  }

  private async isAbandoned({ id }: Batch, { lease }: Held): Promise<boolean> {
    const operations = await lease.tx((tx) => operationRows.ofBatch(tx, id));
    return operations.some((operation) => operation.isAbandoned);
  }

  /** Somebody else has changed the cap since. */
  private async byHistory(held: Held, batch: Batch, first: GraphAccount): Promise<void> {
    let live = first;
    for (let looks = 1; ; looks++) {
      const told = writesCap(batch) ? await this.history(held, batch, live) : nameTold(batch, live);
      if (told === 'applied') return this.settlement.applied(held, batch, live);
      if (told === 'not applied') return this.settlement.again(held, batch);
      if (looks === MOST_LOOKS) return this.settlement.inDoubt(held, batch, live);
      await held.lease.renew();
      await pause(this.parts.rules.settleMs, undefined, { signal: held.signal });
      live = await this.sender.read(held);
      if (isDone(batch, live)) return this.settlement.applied(held, batch, live);
      if (isUndone(batch, live)) return this.resolve(held, batch);
    }
  }

  private lastRefusal(sent: Sent | undefined): Refusal {
    if (sent?.outcome === 'unknown') return sent.refusal;
    const message = `${this.parts.rules.upstreamName} did not take the change`;
    return { message, status: 500, error: { kind: 'upstreamFailed' } };
  }

  private async history({ lease, token, key }: Held, batch: Batch, live: GraphAccount) {
    const since = sentSince(batch);
    await lease.renew();
    const events = await this.parts.graph.capEvents(token, key.accountId, since);
    return toldBy(
      events.filter(({ at }) => at >= since),
      batch,
      live.spendCap,
    );
  }
}

const nameTold = ({ name }: Batch, live: GraphAccount): 'applied' | 'not applied' =>
  live.name === name ? 'applied' : 'not applied';
