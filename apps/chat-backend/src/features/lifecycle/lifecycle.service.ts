import type { Database } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { OutboundRepository } from '../outbound/public';
import type { ConversationKey } from '../records/public';
import type { ChatAnnouncer } from '../sockets/public';
import { refusals, type ChatFinder, type Scope } from '../tenancy/public';
import { actorOf } from './actor';
import type { ChatTransitions } from './chat.transitions';
import { sendCsat } from './csat.sender';
import type { FinishChat, HandleChat, MoveChat, OpenChat, PendingChat } from './lifecycle.dto';
import type { LifecycleRepository } from './lifecycle.repository';
import type { Actor } from './transition';

const DAY_MS = 24 * 3600 * 1000;
const MOST_PENDING_DAYS = 90;

const invalid = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);
const notAhead = () => invalid('pending_until', 'gt', 'must be greater than the current Date & Time');
const tooFar = () => invalid('pending_until', 'max', `must be at most ${MOST_PENDING_DAYS} days ahead`);

export interface LifecycleDependencies {
  readonly database: Database;
  readonly repository: LifecycleRepository;
  readonly chats: ChatFinder;
  readonly sends: OutboundRepository;
  readonly announcer: ChatAnnouncer;
}

/** The calls that change what state a chat is in; each answers the members of design 2.4 as JSON text. */
export class LifecycleService {
  constructor(
    private readonly transitions: ChatTransitions,
    private readonly needs: LifecycleDependencies,
  ) {}

  async handle(scope: Scope, request: HandleChat): Promise<string> {
    const chat = await this.needs.chats.find(scope, request);
    const user = request.user_id ?? (scope.kind === 'user' ? scope.userId : undefined);
    if (user === undefined && scope.kind === 'bot') throw refusals.forbidden();
    if (user === undefined) throw invalid('user_id', 'required', 'is a required field');
    const force = request.force === true || scope.kind === 'admin';
    return this.done({ chat, action: { kind: 'handle', user, force }, actor: actorOf(scope, request.user_id) });
  }

  async open(scope: Scope, request: OpenChat): Promise<string> {
    const chat = await this.needs.chats.find(scope, request);
    return this.done({ chat, action: { kind: 'open' }, ...this.told(scope, request) });
  }

  async pending(scope: Scope, request: PendingChat): Promise<string> {
    const chat = await this.needs.chats.find(scope, request);
    const until = request.pending_until === undefined ? null : await this.instant(chat, request.pending_until);
    return this.done({ chat, action: { kind: 'pending', until }, ...this.told(scope, request) });
  }

  async finish(scope: Scope, request: FinishChat): Promise<string> {
    const chat = await this.needs.chats.find(scope, request);
    const catatan = [request.alasan, request.catatan].filter((text) => text !== undefined).join(': ') || null;
    const told = { ...this.told(scope, request), catatan };
    const also = request.kirim_csat ? { also: sendCsat(this.needs, chat) } : {};
    return this.done({ chat, action: { kind: 'finish' }, ...told, ...also });
  }

  async move(scope: Scope, request: MoveChat): Promise<string> {
    const { to_team: team, user_id: user, gudang_id: gudang, catatan = null } = request;
    const chat = await this.needs.chats.find(scope, request);
    const known = await this.needs.repository.known(this.needs.database, chat.storeId, { team });
    if (!known.team) throw refusals.teamNotFound();
    return this.done({
      chat,
      action: { kind: 'move', team, ...(user ? { user } : {}), ...(gudang ? { gudang } : {}) },
      actor: actorOf(scope),
      catatan,
      ...(gudang ? { also: (tx) => this.needs.repository.keepWarehouse(tx, chat, { id: gudang, note: catatan }) } : {}),
    });
  }

  private async done(wish: Parameters<ChatTransitions['apply']>[0]): Promise<string> {
    return (await this.transitions.apply(wish)).body;
  }

  private told(scope: Scope, request: OpenChat): { actor: Actor; catatan: string | null } {
    return { actor: actorOf(scope, request.user_id), catatan: request.catatan ?? null };
  }

  private async instant({ storeId }: ConversationKey, minute: string): Promise<string> {
    // Coarse enough for every time zone; also keeps out years that PostgreSQL does not know
    const ahead = Date.parse(`${minute.replace(' ', 'T')}:00Z`) - Date.now();
    if (ahead < -DAY_MS) throw notAhead();
    if (ahead > (MOST_PENDING_DAYS + 1) * DAY_MS) throw tooFar();
    const { at, future, near } = await this.needs.repository.instant(this.needs.database, storeId, minute);
    if (!future) throw notAhead();
    if (!near) throw tooFar();
    return at;
  }
}
