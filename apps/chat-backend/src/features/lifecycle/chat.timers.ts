import type { Sql } from '@platform/data';
import { Failure } from '@platform/errors';
import { systemClock, type Clock, type Logger } from '@platform/runtime';
import { chatIdOf, chatStatuses, type ConversationKey, type ChatStatus } from '../records/public';
import { systemActor } from './actor';
import type { ChatTransitions, Wish } from './chat.transitions';
import { DUE, IDLE } from './timers.sql';

const BATCH = 200;
const MOST_BATCHES = 50;
const MINUTE_MS = 60_000;

export interface TimerOptions {
  /** Minutes without anything happening after which open and handled chats end (AUTO_FINISH_MIN); undefined: never. */
  readonly autoFinishMinutes: number | undefined;
  /** The same for pending chats that wait for no time (PENDING_FINISH_MIN); the two are independent. */
  readonly pendingFinishMinutes: number | undefined;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** What happens to chats by the passing of time (design 3.6). Each chat is a transition of its own, so a replica's repeat is harmless. */
export class ChatTimers {
  constructor(
    private readonly sql: Sql,
    private readonly transitions: Pick<ChatTransitions, 'apply'>,
    private readonly options: TimerOptions,
  ) {}

  async run(): Promise<void> {
    const { autoFinishMinutes, pendingFinishMinutes } = this.options;
    await this.resumeDue();
    await this.finishIdle(['open', 'handle'], autoFinishMinutes);
    await this.finishIdle(['pending'], pendingFinishMinutes);
  }

  private resumeDue(): Promise<void> {
    const now = this.now();
    return this.inBatches(
      () => this.sql.prepared<ConversationKey & { until: string }>('timers_due', DUE, [now, BATCH]),
      ({ until, ...chat }) => ({ chat, action: { kind: 'resume', until }, actor: systemActor }),
    );
  }

  private async finishIdle(statuses: readonly ChatStatus[], minutes: number | undefined): Promise<void> {
    if (minutes === undefined) return;
    const quietSince = new Date(this.now().getTime() - minutes * MINUTE_MS);
    const codes = statuses.map((status) => chatStatuses.indexOf(status));
    await this.inBatches(
      () => this.sql.prepared<ConversationKey>('timers_idle', IDLE, [quietSince, BATCH, codes]),
      (chat) => ({ chat, action: { kind: 'autoFinish' }, actor: systemActor, quietSince }),
    );
  }

  /** Goes on until a batch is not full, or changes nothing. */
  private async inBatches<Row extends ConversationKey>(
    next: () => Promise<Row[]>,
    wish: (row: Row) => Wish,
  ): Promise<void> {
    for (let batch = 0; batch < MOST_BATCHES; batch++) {
      const rows = await next();
      let changed = 0;
      for (const row of rows) if (await this.apply(wish(row))) changed++;
      if (rows.length < BATCH || changed === 0) return;
    }
  }

  private async apply(wish: Wish): Promise<boolean> {
    try {
      return (await this.transitions.apply(wish)).changed;
    } catch (failure) {
      // One busy chat must not keep the others waiting; the next minute finds it again
      if (!(failure instanceof Failure) || failure.code === undefined) throw failure;
      this.options.logger.warn('a timer left a chat for the next minute', {
        chatId: chatIdOf(wish.chat),
        reason: failure.code,
      });
      return false;
    }
  }

  private now(): Date {
    return (this.options.clock ?? systemClock).now();
  }
}
