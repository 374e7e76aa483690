import type { Sql } from '@platform/data';
import { Failure, Unavailable } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import { chatIdOf, chatStatuses, type ConversationKey, type ChatStatus } from '../records/public';
import { systemActor } from './actor';
import type { ChatTransitions, Wish } from './chat.transitions';
import { DUE, IDLE } from './timers.sql';

const BATCH = 200;
const MOST_BATCHES = 50;
const MINUTE_MS = 60_000;

/** Chats of a run that stay as they are: nobody behind them waits for them. */
interface Left {
  readonly ids: string[];
  /** Of those for which somebody has to look. */
  readonly causes: unknown[];
}

export interface TimerOptions {
  /** Minutes without anything happening after which open and handled chats end (AUTO_FINISH_MIN); undefined: never. */
  readonly autoFinishMinutes: number | undefined;
  /** The same for pending chats that wait for no time (PENDING_FINISH_MIN); the two are independent. */
  readonly pendingFinishMinutes: number | undefined;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** What happens to chats by the passing of time (design 3.6). Each chat is a transition of its own, so a replica's repeat is harmless. */
export class ChatTimers {
  constructor(
    private readonly sql: Sql,
    private readonly transitions: Pick<ChatTransitions, 'apply'>,
    private readonly options: TimerOptions,
  ) {}

  /** A chat that cannot be changed is left for the next minute; rejects with what the first of them failed with, unless it was busy. */
  async run(): Promise<void> {
    const { autoFinishMinutes, pendingFinishMinutes } = this.options;
    const left: Left = { ids: [], causes: [] };
    await this.resumeDue(left);
    await this.finishIdle(['open', 'handle'], autoFinishMinutes, left);
    await this.finishIdle(['pending'], pendingFinishMinutes, left);
    if (left.causes.length > 0) throw left.causes[0];
  }

  private resumeDue(left: Left): Promise<void> {
    const now = this.now();
    return this.inBatches(
      () => this.sql.prepared<ConversationKey & { until: string }>('timers_due', DUE, [now, BATCH, left.ids]),
      ({ until, ...chat }) => ({ chat, action: { kind: 'resume', until }, actor: systemActor }),
      left,
    );
  }

  private async finishIdle(statuses: readonly ChatStatus[], minutes: number | undefined, left: Left): Promise<void> {
    if (minutes === undefined) return;
    const quietSince = new Date(this.now().getTime() - minutes * MINUTE_MS);
    const codes = statuses.map((status) => chatStatuses.indexOf(status));
    await this.inBatches(
      () => this.sql.prepared<ConversationKey>('timers_idle', IDLE, [quietSince, BATCH, codes, left.ids]),
      (chat) => ({ chat, action: { kind: 'autoFinish' }, actor: systemActor, quietSince }),
      left,
    );
  }

  /** Goes on until a batch is not full: whoever is left is in none of the next ones. */
  private async inBatches<Row extends ConversationKey>(
    next: () => Promise<Row[]>,
    wish: (row: Row) => Wish,
    left: Left,
  ): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const rows = await next();
      for (const row of rows) if (!(await this.apply(wish(row), left))) left.ids.push(row.conversationId);
      if (rows.length < BATCH) return;
    }
  }

  private async apply(wish: Wish, { causes }: Left): Promise<boolean> {
    try {
      return (await this.transitions.apply(wish)).changed;
    } catch (failure) {
      // Without a database all of them would fail alike
      if (failure instanceof Unavailable) throw failure;
      const isBusy = failure instanceof Failure && failure.code !== undefined;
      if (!isBusy) causes.push(failure);
      this.options.logger.warn('a timer left a chat for the next minute', {
        chatId: chatIdOf(wish.chat),
        reason: isBusy ? failure.code : 'failed',
      });
      return false;
    }
  }

  private now(): Date {
    return this.options.clock.now();
  }
}
