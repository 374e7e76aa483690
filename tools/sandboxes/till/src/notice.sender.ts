import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { timeLimit } from '@platform/runtime';
import type { Journal } from './journal';
import type { NoticeRow, NoticeText, Provider } from './till.types';

export interface SenderOptions {
  /** What the provider calls a minute. */
  readonly minuteMs: number;
  /** How long one try waits for an answer. */
  readonly timeoutMs: number;
}

type Fresh = NoticeText & Pick<NoticeRow, 'about' | 'account' | 'url' | 'damage'>;

const TABLE = 'notices';

/**
 * Posts notices and repeats each by the ladder of the provider until it is answered with 2xx. What is not delivered survives the process.
 */
export class NoticeSender {
  private readonly ending = new AbortController();
  private readonly flights = new Set<Promise<void>>();
  private turning: { left: number; rows: NoticeRow[] } | undefined;
  private count: number;

  constructor(
    private readonly provider: Pick<Provider, 'ladder' | 'sign' | 'tampered' | 'forged'>,
    private readonly journal: Journal,
    private readonly options: SenderOptions,
  ) {
    setMaxListeners(0, this.ending.signal);
    const kept = journal.all<NoticeRow>(TABLE);
    this.count = kept.length;
    for (const row of kept) if (row.dueAt !== null) this.fly(row);
  }

  /** All there were, the oldest first. */
  get rows(): NoticeRow[] {
    return this.journal.all<NoticeRow>(TABLE);
  }

  send(notice: Fresh): NoticeRow {
    this.count += 1;
    const id = `n-${this.count}`;
    const row = this.journal.put<NoticeRow>(TABLE, id, { ...notice, id, dueAt: Date.now(), answers: [] });
    if (this.turning) this.turn(row);
    else this.fly(row);
    return row;
  }

  /** The next notices are held until there are so many, and then go in the opposite order, one after the other. */
  reorder(count: number): void {
    this.turning = { left: count, rows: [] };
  }

  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.flights);
  }

  private turn(row: NoticeRow): void {
    const { turning } = this;
    if (!turning) return;
    turning.rows.unshift(row);
    if (turning.rows.length < turning.left) return;
    this.turning = undefined;
    this.watch(
      turning.rows.reduce<Promise<unknown>>(
        (before, each) => before.then(() => this.attempt(each)).then((tried) => this.fly(tried)),
        Promise.resolve(),
      ),
    );
  }

  private fly(row: NoticeRow): void {
    if (row.dueAt !== null) this.watch(this.deliver(row));
  }

  private watch(flight: Promise<unknown>): void {
    const ended = flight.then(
      () => undefined,
      () => undefined, // told to end
    );
    this.flights.add(ended);
    void ended.then(() => this.flights.delete(ended));
  }

  private async deliver(row: NoticeRow): Promise<void> {
    for (let at = row; at.dueAt !== null; at = await this.attempt(at))
      await pause(Math.max(0, at.dueAt - Date.now()), undefined, { signal: this.ending.signal, ref: false });
  }

  private async attempt(row: NoticeRow): Promise<NoticeRow> {
    const { signal } = this.ending;
    const status = await this.post(row);
    signal.throwIfAborted();
    const minutes = this.provider.ladder[row.answers.length];
    const isTaken = status >= 200 && status < 300;
    const dueAt = isTaken || minutes === undefined ? null : Date.now() + minutes * this.options.minuteMs;
    return this.journal.put(TABLE, row.id, { ...row, dueAt, answers: [...row.answers, status] });
  }

  /** Status of the answer; 0 without one. Redirects are answers like others. */
  private async post(row: NoticeRow): Promise<number> {
    const { provider } = this;
    const headers = { 'content-type': row.type, ...provider.sign(row, row.damage === 'signature' ? 'foreign' : 'own') };
    const body = damaged(provider, row);
    const signal = timeLimit(this.options.timeoutMs, this.ending.signal);
    return fetch(row.url, { method: 'POST', headers, body, signal, redirect: 'manual' }).then(
      (answer) => answer.arrayBuffer().then(() => answer.status),
      () => 0,
    );
  }
}

const damaged = (provider: Pick<Provider, 'tampered' | 'forged'>, { body, damage }: NoticeRow): string => {
  if (damage === 'body') return provider.tampered(body);
  return damage === 'signature' && provider.forged ? provider.forged(body) : body;
};
