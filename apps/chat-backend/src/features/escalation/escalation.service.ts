import type { Database } from '@platform/data';
import type { Upload } from '@platform/http';
import { actorOf, type ChatTransitions, type LifecycleRepository } from '../lifecycle/public';
import type { MediaStore } from '../media/public';
import type { ConversationKey } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import { refusals, type ChatFinder, type Scope } from '../tenancy/public';
import { withAttachments } from './attachments';
import type { FinishEscalate, RequestEscalate } from './escalation.dto';
import { openTicket } from './ticket.opener';

export interface EscalationDependencies {
  readonly database: Database;
  readonly repository: LifecycleRepository;
  readonly chats: ChatFinder;
  readonly files: MediaStore;
  readonly announcer: ChatAnnouncer;
}

/** Asking others for help with one chat, and the end of it (design 2.4, 3.7). */
export class EscalationService {
  constructor(
    private readonly transitions: ChatTransitions,
    private readonly needs: EscalationDependencies,
  ) {}

  /** Those who are asked see and answer the chat from now on; a ticket is opened when none is. */
  async request(scope: Scope, request: RequestEscalate, uploads: readonly Upload[]): Promise<string> {
    const chat = await this.needs.chats.find(scope, request);
    const target = await this.target(scope, chat, request);
    const actor = actorOf(scope);
    const { alasan, prioritas } = request;
    const escalation = { ...target, requestedBy: actor.userId ?? actor.type };
    const { body } = await withAttachments(this.needs.files, uploads, async (lampiran) =>
      this.transitions.apply({
        chat,
        actor,
        action: { kind: 'requestEscalate', ...target, reason: alasan },
        catatan: alasan,
        lampiran,
        escalation,
        ...(prioritas === undefined ? {} : { prioritas }),
        also: async (tx) => openTicket(tx, chat, { reason: alasan, priority: prioritas, actor }),
      }),
    );
    return body;
  }

  async finish(scope: Scope, request: FinishEscalate, uploads: readonly Upload[]): Promise<string> {
    const { hasil = 'selesai', catatan, finish_chat: finishChat = false } = request;
    const chat = await this.needs.chats.find(scope, request);
    const { body } = await withAttachments(this.needs.files, uploads, async (lampiran) =>
      this.transitions.apply({
        chat,
        actor: actorOf(scope, request.user_id),
        action: { kind: 'finishEscalate', finishChat },
        catatan: catatan === undefined ? hasil : `${hasil}: ${catatan}`,
        lampiran,
      }),
    );
    return body;
  }

  /**
   * The team and user that are named; when none is, the supervisors' team, and in a store without one the chat's own for a bot or a service. A
   * person asks another team: their own has the chat already.
   */
  private async target(
    { kind }: Scope,
    { storeId, conversationId }: ConversationKey,
    { to_team: team, user_id: user }: RequestEscalate,
  ): Promise<{ toTeam: string | null; toUser: string | null }> {
    const chat = kind === 'user' ? undefined : conversationId;
    const known = await this.needs.repository.known(this.needs.database, storeId, { team, user, chat });
    if (!known.user) throw refusals.userNotFound();
    const toTeam = team ?? (user === undefined ? known.helpers : null);
    if (!known.team || (toTeam === null && user === undefined)) throw refusals.teamNotFound();
    return { toTeam, toUser: user ?? null };
  }
}
