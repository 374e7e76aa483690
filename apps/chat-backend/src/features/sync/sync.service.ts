import { normaliseNohp } from '@platform/contracts';
import type { Database, Transaction } from '@platform/data';
import { InvalidInput } from '@platform/errors';
import type { JobQueue } from '@platform/jobs';
import { isTimeZone } from '@platform/runtime';
import type { ChatJobs } from '../../chat.jobs';
import { CONTACT_ATTEMPTS } from '../automation/public';
import { parseChatId } from '../records/public';
import { refusals, type Scope } from '../tenancy/public';
import type { PushedRow, SyncRequest } from './sync.dto';
import type { AdoptedChat, SyncRepository, SyncRow } from './sync.repository';
import { syncKinds, syncTables, type SyncKind } from './sync.tables';

export interface SyncDependencies {
  readonly repository: SyncRepository;
  /** Told after the commit, per store whose devices, teams, rules or welcome text may have changed. */
  readonly changed: (storeId: string) => void;
  /** Told after the commit, with the teams of a store that were pushed. */
  readonly teamsChanged: (storeId: string, teams: readonly string[]) => void;
  /** For chats of a team that is gone, where they are many, and for what customers have said. */
  readonly queue: Pick<JobQueue<ChatJobs>, 'enqueue'>;
  /** Whether there is a commerce-api to tell what customers have said. */
  readonly tellsContacts: boolean;
  /** Told after the commit, of chats whose team is gone. */
  readonly chatsAdopted: (chats: readonly AdoptedChat[]) => void;
}

interface Candidate {
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  readonly row: SyncRow;
}

type Fields = PushedRow & Readonly<Record<string, unknown>>;

/** Values that a column cannot take as pushed. Undefined: not usable. */
const shaped: Partial<Record<SyncKind, (item: Fields) => SyncRow | undefined>> = {
  customers: ({ id, nohp, ...rest }) => {
    const phone = normaliseNohp(String(nohp));
    return phone ? { ...rest, nohp: phone, contact_id: id } : undefined;
  },
  orders: ({ nohp, updated_at: version, ...rest }) => {
    const phone = rest.deleted === true ? '' : normaliseNohp(String(nohp ?? ''));
    return phone === undefined ? undefined : { ...rest, nohp: phone, updated_at: new Date(version).toISOString() };
  },
  handle_gudang: ({ chatId, nohp, ...rest }) => {
    const chat = typeof chatId === 'string' ? parseChatId(chatId) : undefined;
    const own = chat?.storeId === rest.store_id ? chat.conversationId : undefined;
    return { ...rest, conversation_id: own, nohp: normaliseNohp(String(nohp ?? '')) };
  },
};

const candidate = (kind: SyncKind, item: Fields): Candidate | undefined => {
  const row = shaped[kind]?.(item) ?? (shaped[kind] ? undefined : item);
  if (!row) return undefined;
  const id = syncTables[kind].key.map((name) => String(row[name])).join('\n');
  return { id, version: item.updated_at, deleted: item.deleted === true, row };
};

/** The newest version of every row; repeats and older ones within one call are passed over, as across calls. */
const newest = (kind: SyncKind, items: readonly Fields[]): Candidate[] => {
  const rows = new Map<string, Candidate>();
  for (const item of items) {
    const one = candidate(kind, item);
    const key = one && `${item.store_id}\n${one.id}`;
    if (key && (rows.get(key)?.version ?? -1) < one.version) rows.set(key, one);
  }
  return [...rows.values()];
};

/** An unknown time zone would break every record of the store. */
const demandTimeZones = ({ stores = [] }: SyncRequest): void => {
  const violations = stores.flatMap(({ tz }, index) => {
    const field = `stores[${index}].tz`;
    return tz === undefined || isTimeZone(tz)
      ? []
      : [{ field, tag: 'timezone', message: `${field} must be a valid time zone` }];
  });
  if (violations.length > 0) throw new InvalidInput(violations);
};

/** Takes over what commerce-api knows (design 2.9). Repeating or reordering calls is harmless. */
export class SyncService {
  constructor(
    private readonly database: Pick<Database, 'tx'>,
    private readonly needs: SyncDependencies,
  ) {}

  async sync(scope: Scope, request: SyncRequest): Promise<{ applied: number; skipped: number }> {
    demandTimeZones(request);
    const all = syncKinds.map((kind) => [kind, (request[kind] ?? []) as readonly unknown[] as Fields[]] as const);
    const stores = new Set(all.flatMap(([, items]) => items.map((item) => item.store_id)));
    if (scope.storeId !== undefined && [...stores].some((store) => store !== scope.storeId)) throw refusals.forbidden();
    const total = all.reduce((sum, [, items]) => sum + items.length, 0);
    const applied = await this.database.tx(async (tx) => {
      let count = 0;
      for (const [kind, items] of all) if (items.length > 0) count += await this.apply(tx, kind, items);
      return count;
    });
    for (const store of stores) this.needs.changed(store);
    for (const store of new Set((request.teams ?? []).map((team) => team.store_id))) {
      const own = (request.teams ?? []).filter((team) => team.store_id === store && team.deleted !== true);
      this.needs.teamsChanged(
        store,
        own.map(({ id }) => id),
      );
    }
    return { applied, skipped: total - applied };
  }

  private async apply(tx: Transaction, kind: SyncKind, items: readonly Fields[]): Promise<number> {
    const repository = this.needs.repository.in(tx);
    const rows = await this.usable(repository, kind, newest(kind, items));
    if (rows.length === 0) return 0;
    const versions = rows.map(({ id, version, row }) => ({ store_id: row.store_id, id, version }));
    const claimed = new Set((await repository.claim(kind, versions)).map(({ store_id, id }) => `${store_id}\n${id}`));
    const won = rows.filter(({ id, row }) => claimed.has(`${row.store_id}\n${id}`));
    const put = won.filter(({ deleted }) => !deleted).map(({ row }) => row);
    const gone = won.filter(({ deleted }) => deleted).map(({ row }) => row);
    await repository.put(kind, put);
    await repository.remove(kind, gone);
    if (kind === 'customers') await this.tellStopped(tx, put);
    if (kind === 'teams') await this.adopt(tx, [...new Set(won.map(({ row }) => row.store_id))]);
    return won.length;
  }

  /** The shop is told of a STOP that it does not know of, or has forgotten with an erased contact. */
  private async tellStopped(tx: Transaction, rows: readonly SyncRow[]): Promise<void> {
    if (!this.needs.tellsContacts || rows.length === 0) return;
    for (const { store_id: storeId, nohp } of await this.needs.repository.in(tx).stopped(rows)) {
      const options = { key: `contact.${storeId}.${nohp}`, maxAttempts: CONTACT_ATTEMPTS };
      await this.needs.queue.enqueue(tx, 'contact', { storeId, nohp }, options);
    }
  }

  /** The first of them here, so that few are there at once; a job takes the rest. */
  private async adopt(tx: Transaction, stores: readonly string[]): Promise<void> {
    const adopted = await this.needs.repository.in(tx).adoptChats(stores);
    tx.afterCommit(() => this.needs.chatsAdopted(adopted));
    // Of a full portion fewer are moved when somebody moves one of them meanwhile: that there were some says that there may be more
    if (adopted.length === 0) return;
    for (const storeId of stores) await this.needs.queue.enqueue(tx, 'adopt', { storeId }, { key: `adopt.${storeId}` });
  }

  private async usable(repository: SyncRepository, kind: SyncKind, rows: Candidate[]): Promise<Candidate[]> {
    if (kind === 'devices') {
      const free = await repository.freeDevices(rows.map(({ row }) => row));
      return rows.filter(({ row }) =>
        free.some(({ store_id, instance }) => store_id === row.store_id && instance === row.instance),
      );
    }
    return kind === 'handle_gudang' ? this.withChats(repository, rows) : rows;
  }

  private async withChats(repository: SyncRepository, rows: Candidate[]): Promise<Candidate[]> {
    const chats = await repository.chatsOf(rows.filter(({ deleted }) => !deleted).map(({ row }) => row));
    return rows.flatMap((one) => {
      const chat = chats.find(({ store_id, id }) => store_id === one.row.store_id && id === one.id);
      if (one.deleted) return [one];
      return chat ? [{ ...one, row: { ...one.row, conversation_id: chat.conversation_id } }] : [];
    });
  }
}
