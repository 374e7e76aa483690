import type { Database, Transaction } from '@platform/data';
import type { MediaLinks } from '../media/public';
import type { NotificationAnnouncer, Notified } from '../notifications/public';
import type { ChatListStruct, ConversationKey } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import { refusals } from '../tenancy/public';
import type { ChangeNotes } from './change.notes';
import type { LifecycleRepository, SeenChat } from './lifecycle.repository';
import { noticesOf, type Notice } from './notices';
import { isOnlyTold, transition, type Action, type Actor, type Change, type Refused } from './transition';

const MOST_DECISIONS = 5;

/** A requested change of a chat. */
export interface Wish extends ChangeNotes {
  readonly chat: ConversationKey;
  readonly action: Action;
  readonly actor: Actor;
  /** Belongs to the change: in its transaction, before the answer is read. */
  readonly also?: (tx: Transaction, change: Change) => Promise<void>;
}

export interface Outcome {
  readonly changed: boolean;
  /** `data`, `history`, `handle_gudang` and `customer` of the answer as JSON text, links signed. */
  readonly body: string;
}

/** A change of a chat, and members who are notified of it. */
export interface ToldChange {
  readonly storeId: string;
  /** Of the event: it is told once. */
  readonly historyId: string;
  readonly notice: Notice;
  readonly users: readonly string[];
  readonly list: ChatListStruct;
}

export interface TransitionDependencies {
  readonly repository: LifecycleRepository;
  readonly announcer: ChatAnnouncer;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
  readonly media: MediaLinks;
  /** Tells of it, in the transaction that changes the chat. */
  readonly told?: (tx: Transaction, change: ToldChange) => Promise<void>;
}

interface Noted {
  readonly notices: readonly Notice[];
  readonly notified: readonly Notified[] | null;
  /** Ids of the history, oldest first. */
  readonly events: readonly string[];
  readonly body: string;
}

const refusal = (refused: Refused, { assignee, assigneeName }: SeenChat): Error => {
  switch (refused) {
    case 'chat_handled':
      return refusals.chatHandled(assigneeName ?? assignee ?? '');
    case 'chat_finished':
      return refusals.chatFinished();
    case 'forbidden':
      return refusals.forbidden();
  }
};

/**
 * Applies the table of `transition` (design 3.1): read, decide, write while the row still is what was decided on; otherwise
 * decide again, at most five times. So twenty agents at once have one winner. Clients hear of it after the commit; a chat
 * that is already where it should be stays as it is and makes no second event.
 */
export class ChatTransitions {
  constructor(
    private readonly database: Database,
    private readonly needs: TransitionDependencies,
  ) {}

  /** Rejects with the refusal of the table, `chat_not_found` or `chat_busy`. */
  apply(wish: Wish): Promise<Outcome> {
    return this.database.tx((tx) => this.decide(tx, wish));
  }

  private async decide(tx: Transaction, wish: Wish): Promise<Outcome> {
    const { repository } = this.needs;
    const { chat, action, actor, quietSince } = wish;
    let isHeld = false;
    for (let decisions = 0; decisions < MOST_DECISIONS; decisions++) {
      const seen = await repository.state(tx, chat);
      if (!seen) throw refusals.chatNotFound();
      const change = transition(seen, action, actor);
      if (!isHeld && isOnlyTold(seen, change)) {
        // Of two of these neither would see the other by what it writes
        await repository.hold(tx, chat);
        isHeld = true;
        continue;
      }
      if (change === 'unchanged') return { changed: false, body: await this.answer(tx, chat, []) };
      if (typeof change === 'string') throw refusal(change, seen);
      const events = await repository.write(tx, chat, { seen, change, actor }, wish);
      if (events) {
        await wish.also?.(tx, change);
        const notices = noticesOf(seen, change, actor, wish);
        const notified = await repository.notify(tx, chat, notices, actor.userId);
        tx.afterCommit(() => this.needs.notifications.notified(notified));
        const body = await this.answer(tx, chat, events);
        await this.tell(tx, chat, { notices, notified, events, body });
        tx.afterCommit(() => this.announce(seen, change, wish, body));
        return { changed: true, body };
      }
      // Something happened in a chat that a timer took for idle
      if (quietSince) return { changed: false, body: await this.answer(tx, chat, []) };
    }
    throw refusals.chatBusy();
  }

  /** Not of groups, which not every member sees. */
  private async tell(tx: Transaction, { storeId }: ConversationKey, noted: Noted): Promise<void> {
    const { notices, notified, events, body } = noted;
    const historyId = events.at(-1);
    if (!this.needs.told || !notified || historyId === undefined) return;
    const { data: list } = JSON.parse(body) as { data: ChatListStruct };
    if (list.is_group) return;
    for (const notice of notices) {
      const users = notified.filter(({ notif }) => notif.type === notice.type).map(({ user }) => user);
      if (users.length > 0) await this.needs.told(tx, { storeId, historyId, notice, users, list });
    }
  }

  private async answer(tx: Transaction, chat: ConversationKey, events: readonly string[]): Promise<string> {
    return this.needs.media.sign(await this.needs.repository.answer(tx, chat, events));
  }

  private announce(seen: SeenChat, { next }: Change, { escalation }: Wish, body: string): void {
    const { announcer } = this.needs;
    const { data, history } = JSON.parse(body) as { data: { chatId: string }; history: object[] };
    announcer.listChanged(data);
    if (history.length > 0) announcer.history(data.chatId, history);
    if (seen.team !== next.team) announcer.movedAway(data, seen.team);
    if (seen.escalation && (escalation || next.escalate !== 'requested'))
      announcer.askedNoMore(data, seen.escalation, escalation);
    if (escalation) announcer.asked(data, escalation);
  }
}
