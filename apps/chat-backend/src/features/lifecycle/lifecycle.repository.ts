import type { Sql, Transaction } from '@platform/data';
import { uuidv7 } from '@platform/runtime';
import { chatStatuses, escalateStatuses, type ConversationKey } from '../records/public';
import { ANSWER, HOLD, INSTANT, KEEP_WAREHOUSE, KNOWN, NOTIFY, STATE, WRITE } from './lifecycle.sql';
import type { Notified } from '../notifications/public';
import type { ChangeNotes } from './change.notes';
import type { Notice } from './notices';
import type { Actor, Change, ChatRow, ChatState } from './transition';

/** A conversation as it stands, with what an answer needs of it. */
export interface SeenChat extends ChatRow {
  readonly assigneeName: string | null;
}

interface StateRow extends Omit<ChatState, 'status' | 'escalate'> {
  readonly status: number;
  readonly escalate: number;
  readonly assigneeName: string | null;
  readonly toTeam: string | null;
  readonly toUser: string | null;
  readonly requestedBy: string | null;
  readonly reason: string | null;
  readonly isHelped: boolean;
}

/** Whom a call names. */
interface Named {
  readonly team?: string | undefined;
  readonly user?: string | undefined;
  /** Whose helpers are asked for. */
  readonly chat?: string | undefined;
}

interface Known {
  readonly team: boolean;
  readonly user: boolean;
  /** The team that is asked for help when nobody is named. */
  readonly helpers: string | null;
}

const statusCode = (status: ChatState['status']): number => chatStatuses.indexOf(status);
const stored = (state: ChatState) => ({
  ...state,
  status: statusCode(state.status),
  escalate: escalateStatuses.indexOf(state.escalate),
});

const historyRows = (row: ChatRow, { next, events }: Change, actor: Actor, notes: ChangeNotes) =>
  events.map(({ event, from, to }, ord) => {
    const asked = event === 'request_escalate' ? notes.escalation : undefined;
    return {
      ord,
      event,
      from_status: statusCode(from),
      to_status: statusCode(to),
      actor_type: actor.type,
      actor_id: actor.userId,
      team_from: row.team,
      team_to: asked ? asked.toTeam : next.team,
      user_from: row.assignee,
      user_to: asked ? asked.toUser : next.assignee,
      catatan: notes.catatan ?? null,
      lampiran: notes.lampiran ?? [],
    };
  });

/** Statements behind the lifecycle. All of one change run in one transaction, so each takes the `tx` of its caller. */
export class LifecycleRepository {
  async state(tx: Sql, { storeId, conversationId }: ConversationKey): Promise<SeenChat | undefined> {
    const [row] = await tx.prepared<StateRow>('lifecycle_state', STATE, [storeId, conversationId]);
    if (!row) return undefined;
    const { toTeam, toUser, requestedBy, reason, ...chat } = row;
    return {
      ...chat,
      status: chatStatuses[row.status] ?? 'open',
      escalate: escalateStatuses[row.escalate] ?? '',
      escalation: requestedBy === null ? null : { toTeam, toUser, requestedBy, reason },
    };
  }

  /** Lets nobody else change it until this transaction ends. */
  async hold(tx: Transaction, { storeId, conversationId }: ConversationKey): Promise<void> {
    await tx.prepared('lifecycle_hold', HOLD, [storeId, conversationId]);
  }

  /** Ids of the history rows; undefined when the chat no longer is as it was seen, and then nothing was written. */
  async write(
    tx: Sql,
    { storeId, conversationId }: ConversationKey,
    decided: { readonly seen: SeenChat; readonly change: Change; readonly actor: Actor },
    notes: ChangeNotes,
  ): Promise<string[] | undefined> {
    const { seen, change, actor } = decided;
    const events = historyRows(seen, change, actor, notes);
    const [written] = await tx.prepared<{ events: string[] }>('lifecycle_write', WRITE, [
      storeId,
      conversationId,
      JSON.stringify(stored(seen)),
      JSON.stringify({ ...stored(change.next), prioritas: notes.prioritas }),
      change.newEpisode,
      JSON.stringify(events),
      notes.escalation ? JSON.stringify(notes.escalation) : null,
      notes.quietSince ?? null,
    ]);
    return written?.events;
  }

  /** Members of the answer as JSON text: `data`, `history` (the rows named), `handle_gudang`, `customer`. */
  async answer(tx: Sql, { storeId, conversationId }: ConversationKey, events: readonly string[]): Promise<string> {
    const [row] = await tx.prepared<{ body: string }>('lifecycle_answer', ANSWER, [storeId, conversationId, events]);
    if (!row) throw new Error('a chat that was just changed is gone');
    return row.body;
  }

  async keepWarehouse(
    tx: Sql,
    { storeId, conversationId }: ConversationKey,
    warehouse: { readonly id: string; readonly note: string | null },
  ): Promise<void> {
    const values = [storeId, conversationId, uuidv7(), warehouse.id, warehouse.note];
    await tx.prepared('lifecycle_warehouse', KEEP_WAREHOUSE, values);
  }

  /** Writes the notifications; the rows tell whom and what. */
  async notify(
    tx: Sql,
    { storeId, conversationId }: ConversationKey,
    notices: readonly Notice[],
    causedBy: string | null,
  ): Promise<readonly Notified[] | null> {
    if (notices.length === 0) return null;
    const values = [storeId, conversationId, JSON.stringify(notices), causedBy];
    const [row] = await tx.prepared<{ notified: Notified[] | null }>('lifecycle_notify', NOTIFY, values);
    return row?.notified ?? null;
  }

  async known(sql: Sql, storeId: string, { team, user, chat }: Named): Promise<Known> {
    const values = [storeId, team ?? null, user ?? null, chat ?? null];
    const [row] = await sql.prepared<Known>('lifecycle_known', KNOWN, values);
    return row ?? { team: false, user: false, helpers: null };
  }

  /** `YYYY-MM-DD HH:MM` of the store's wall clock as an instant, and whether it lies ahead and within 90 days. */
  async instant(sql: Sql, storeId: string, minute: string): Promise<{ at: string; future: boolean; near: boolean }> {
    const [row] = await sql.prepared<{ at: string; future: boolean; near: boolean }>('lifecycle_instant', INSTANT, [
      storeId,
      minute,
    ]);
    if (!row) throw new Error(`the store ${storeId} is not known here`);
    return row;
  }
}
