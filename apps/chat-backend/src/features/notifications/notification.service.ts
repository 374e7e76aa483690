import { NEWEST, type PageCursor } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import { parseChatId } from '../records/public';
import { refusals, requireStore, seesGroups, sightOf, type DeviceDirectory, type Scope } from '../tenancy/public';
import type { NotificationAnnouncer } from './notification.announcer';
import type { MarkNotification, NotificationCall, NotificationQuery, ReadAllNotifications } from './notification.dto';
import type { NotificationOwner, NotificationRepository } from './notification.repository';

const DEFAULT_LIMIT = 20;
const MOST = 100;

const required = (field: string): InvalidInput =>
  new InvalidInput([{ field, tag: 'required', message: `${field} is a required field` }]);

export interface NotificationDependencies {
  readonly devices: DeviceDirectory;
  readonly cursor: PageCursor;
  readonly announcer: NotificationAnnouncer;
}

/** A user's own notifications; another's do not exist. */
export class NotificationService {
  constructor(
    private readonly repository: NotificationRepository,
    private readonly needs: NotificationDependencies,
  ) {}

  /** Body of get_notif as JSON text without the envelope. */
  async list(scope: Scope, query: NotificationQuery): Promise<string> {
    const owner = await this.owner(scope, query);
    const limit = Math.min(Number(query.limit ?? 0) || DEFAULT_LIMIT, MOST);
    const binding = JSON.stringify(['notif by time', owner.storeId, owner.userId]);
    const rows = await this.repository.list(owner, {
      before: query.cursor === undefined ? NEWEST : this.needs.cursor.read(binding, query.cursor),
      limit: limit + 1,
      isRead: query.is_read === undefined ? undefined : query.is_read === 'true',
      type: query.type,
      instance: query.instance,
      team: query.team,
    });
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const next = rows.length > limit && last ? this.needs.cursor.write(binding, last) : null;
    const { unread } = await this.counts(owner);
    return `{"data":[${shown.map(({ record }) => record).join(',')}],"unread":${unread},"next_cursor":${JSON.stringify(next)}}`;
  }

  async totals(scope: Scope, call: NotificationCall): Promise<{ total: number; unread: number }> {
    return this.counts(await this.owner(scope, call));
  }

  async markRead(scope: Scope, { notifId, notifIds, ...call }: MarkNotification): Promise<number> {
    const ids = [...new Set([...(notifId === undefined ? [] : [notifId]), ...(notifIds ?? [])])].map(parseChatId);
    const owner = await this.owner(scope, call, ids[0]?.storeId ?? '');
    const own = ids.flatMap((id) => (id?.storeId === owner.storeId ? [id.conversationId] : []));
    const { found, updated } = await this.repository.markRead(owner, own);
    if (found < ids.length) throw refusals.notificationNotFound();
    if (updated > 0) this.needs.announcer.countsChanged(owner.storeId, owner.userId);
    return updated;
  }

  async readAll(scope: Scope, { type, team, ...call }: ReadAllNotifications): Promise<number> {
    const owner = await this.owner(scope, call);
    const updated = await this.repository.readAll(owner, type, team);
    if (updated > 0) this.needs.announcer.countsChanged(owner.storeId, owner.userId);
    return updated;
  }

  /** `data` and `chat_list` as JSON text; marks nothing as read. */
  async detail(scope: Scope, call: NotificationCall, notifId: string): Promise<string> {
    const id = parseChatId(notifId);
    const owner = await this.owner(scope, call, id?.storeId ?? '');
    const body =
      id?.storeId === owner.storeId
        ? await this.repository.detail(owner, id.conversationId, sightOf(scope), seesGroups(scope))
        : undefined;
    if (!body) throw refusals.notificationNotFound();
    return body;
  }

  private async counts({ storeId, userId }: NotificationOwner): Promise<{ total: number; unread: number }> {
    const [row] = await this.repository.totals([{ store: storeId, user: userId }]);
    return { total: row?.total ?? 0, unread: row?.unread ?? 0 };
  }

  /** `named`: the store of a notification that the call names. */
  private async owner(
    scope: Scope,
    { user_id: user, instance }: NotificationCall,
    named?: string,
  ): Promise<NotificationOwner> {
    const userId = scope.userId ?? user;
    if (userId === undefined) throw required('user_id');
    if (scope.storeId !== undefined) return { storeId: scope.storeId, userId };
    if (named !== undefined) return { storeId: named, userId };
    if (instance === undefined) throw required('instance');
    return { storeId: requireStore(scope, (await this.needs.devices.find(instance))?.storeId), userId };
  }
}
