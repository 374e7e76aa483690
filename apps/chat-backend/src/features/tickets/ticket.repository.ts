import type { Sql } from '@platform/data';
import type { EventExpression } from '../automation/public';
import type { Notified } from '../notifications/public';
import { ANSWER, changeStatus, FIND } from './ticket.sql';

export interface TicketKey {
  readonly storeId: string;
  readonly ticketId: string;
}

export interface StatusStep {
  readonly from: string;
  readonly to: string;
  readonly note: string | undefined;
  readonly actorType: string;
  readonly actorId: string | null;
}

export interface TicketChanged {
  /** Of the ticket's chat, when it has one. */
  readonly history: { readonly chatId: string } | null;
  readonly notified: readonly Notified[] | null;
}

export class TicketRepository {
  private readonly statement: string;

  /** `event` queues what commerce-api is told; undefined: nobody is. */
  constructor(
    private readonly sql: Sql,
    event: EventExpression | undefined,
  ) {
    this.statement = changeStatus(event);
  }

  /** Undefined when the caller may not see it. */
  async find(
    { storeId, ticketId }: TicketKey,
    sight: readonly string[] | null,
    groups: boolean,
  ): Promise<{ readonly status: string; readonly answerable: boolean } | undefined> {
    const values = [storeId, ticketId, sight, groups];
    const [row] = await this.sql.prepared<{ status: string; answerable: boolean }>('ticket_find', FIND, values);
    return row;
  }

  /** Undefined when its status is not `from` any more: nothing was written. */
  async change({ storeId, ticketId }: TicketKey, step: StatusStep): Promise<TicketChanged | undefined> {
    const { from, to, note, actorType, actorId } = step;
    const values = [storeId, ticketId, from, to, note ?? null, actorType, actorId];
    const [row] = await this.sql.prepared<TicketChanged>('ticket_status', this.statement, values);
    return row;
  }

  /** `data` and `history` of the answer as JSON text. */
  async answer({ storeId, ticketId }: TicketKey): Promise<string> {
    const [row] = await this.sql.prepared<{ body: string }>('ticket_answer', ANSWER, [storeId, ticketId]);
    if (!row) throw new Error('a ticket that was just found is gone');
    return row.body;
  }
}
