import { actorOf } from '../lifecycle/public';
import type { NotificationAnnouncer } from '../notifications/public';
import { parseChatId } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import { refusals, requireStore, seesGroups, sightOf, type AccessRepository, type Scope } from '../tenancy/public';
import type { ChangeTicketStatus } from './ticket.dto';
import type { TicketKey, TicketRepository } from './ticket.repository';

const MOST_DECISIONS = 5;

export interface TicketDependencies {
  readonly access: Pick<AccessRepository, 'demandUser'>;
  readonly announcer: ChatAnnouncer;
  readonly notifications: Pick<NotificationAnnouncer, 'notified'>;
}

/** Whether a step changes anything; a closed ticket only opens again, and only for a supervisor (design 2.7). */
const isChange = (from: string, to: string, supervises: boolean): boolean => {
  if (from === to) return false;
  if (from === 'closed' && to !== 'open') throw refusals.ticketClosed();
  if (from === 'closed' && !supervises) throw refusals.forbidden();
  return true;
};

export class TicketService {
  constructor(
    private readonly repository: TicketRepository,
    private readonly needs: TicketDependencies,
  ) {}

  /** `data` and `history` as JSON text; the same status again changes nothing. */
  async changeStatus(scope: Scope, request: ChangeTicketStatus): Promise<string> {
    const id = parseChatId(request.ticketId);
    const storeId = requireStore(scope, id?.storeId, refusals.ticketNotFound);
    const key = { storeId, ticketId: id?.conversationId ?? '' };
    for (let decisions = 0; decisions < MOST_DECISIONS; decisions++)
      if (await this.decide(scope, key, request)) return this.repository.answer(key);
    throw refusals.chatBusy();
  }

  /** False: somebody changed it meanwhile, decide again. */
  private async decide(
    scope: Scope,
    key: TicketKey,
    { status: to, catatan: note, user_id: named }: ChangeTicketStatus,
  ): Promise<boolean> {
    const ticket = await this.repository.find(key, sightOf(scope), seesGroups(scope));
    if (!ticket) throw refusals.ticketNotFound();
    if (!ticket.answerable) throw refusals.forbidden();
    await this.needs.access.demandUser(scope, key.storeId, named);
    const from = ticket.status;
    const actor = actorOf(scope, named);
    if (!isChange(from, to, actor.supervises)) return true;
    const step = { from, to, note, actorType: actor.type, actorId: actor.userId };
    const changed = await this.repository.change(key, step);
    if (!changed) return false;
    if (changed.history) this.needs.announcer.history(changed.history.chatId, [changed.history]);
    this.needs.notifications.notified(changed.notified);
    return true;
  }
}
