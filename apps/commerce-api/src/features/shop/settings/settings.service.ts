import { diffOf, writeAudit, type Database, type Sql, type Transaction } from '@platform/data';
import { InvalidInput, NotFound } from '@platform/errors';
import type { Clock } from '@platform/runtime';
import { parse } from '@platform/validation';
import type { Caller } from '../../../abilities';
import { auditOf } from '../../../audit';
import { refusals } from '../../../refusals';
import type { ChatCopies } from '../../chat/copies/public';
import { settingGroupNames, settingGroups, VersionOfGroup, type SettingGroup } from './settings.dto';

type Values = Readonly<Record<string, unknown>>;
interface Kept {
  readonly value: Values;
  readonly version: number;
}

const READ = 'SELECT name, value, version FROM setting WHERE store_id = $1';
/** A group that nobody has changed has no row to lock: the key decides between two who are first. */
const MAKE = `
  INSERT INTO setting (store_id, name, value, version, created_at, updated_at) VALUES ($1, $2, '{}', 0, $3, $3)
  ON CONFLICT DO NOTHING`;
const LOCK = 'SELECT value, version FROM setting WHERE store_id = $1 AND name = $2 FOR UPDATE';
const WRITE = `
  UPDATE setting SET value = $3, version = version + 1, updated_at = $4 WHERE store_id = $1 AND name = $2`;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members of an inner object are changed one by one, as those of the group are. */
const merged = (before: Values, change: Values): Values => {
  const entries = Object.entries(change).map(([name, value]): [string, unknown] => {
    const known = before[name];
    return [name, isObject(value) && isObject(known) ? merged(known, value) : value];
  });
  return { ...before, ...Object.fromEntries(entries) };
};

/** The values in force: what was set, on top of the defaults. */
export const inForce = (name: SettingGroup, set: Values = {}): Values =>
  merged(settingGroups[name].defaults as Values, set);

/** Programs send JSON; people type texts. */
type Source = 'json' | 'form';

const checked = (name: SettingGroup, given: Values, from: Source = 'json'): Values => {
  const { value, violations } = parse<object>(settingGroups[name].dto, given, { from, unknownKeys: 'refuse' });
  if (violations) throw new InvalidInput(violations);
  return value as Values;
};

const groupOf = (name: string): SettingGroup => {
  const group = settingGroupNames.find((each) => each === name);
  if (group) return group;
  throw new NotFound('There is no such group of settings');
};

const versionOf = (given: unknown, from: Source): number => {
  const { value, violations } = parse(VersionOfGroup, { version: given }, { from });
  if (violations) throw new InvalidInput(violations);
  return value.version;
};

const unknownKey = (field: string) =>
  new InvalidInput([{ field, tag: 'unknown', message: `${field} is not a known field` }]);

/** `order.cancel_unpaid_hours` by its group and its name there. */
const byGroup = (flat: Values): Map<SettingGroup, Values> => {
  const groups = new Map<SettingGroup, Values>();
  for (const [key, value] of Object.entries(flat)) {
    const [, prefix, name = ''] = /^(\w+)\.(\w+)$/.exec(key) ?? [];
    const group = settingGroupNames.find((each) => each === prefix);
    if (!group || !Object.hasOwn(settingGroups[group].defaults, name)) throw unknownKey(key);
    groups.set(group, { ...groups.get(group), [name]: value });
  }
  return groups;
};

export interface SettingsParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly copies: Pick<ChatCopies, 'touched'>;
}

/** The settings of a store in groups, and the older flat view of the same rows. */
export class SettingsService {
  constructor(private readonly parts: SettingsParts) {}

  async all(storeId: string): Promise<Values> {
    const kept = await this.kept(this.parts.database, storeId);
    const entries = settingGroupNames.map((name) => {
      const { value, version = 0 } = kept.get(name) ?? {};
      return [name, { ...inForce(name, value), version }];
    });
    return Object.fromEntries(entries) as Values;
  }

  /** Throws `NotFound` for a group that does not exist. */
  async one(storeId: string, name: string): Promise<Values> {
    const group = groupOf(name);
    return (await this.all(storeId))[group] as Values;
  }

  /** Changes the given members. Throws `Conflict` when somebody else was first. */
  async change(caller: Caller, name: string, { version, ...given }: Values, from: Source = 'json'): Promise<Values> {
    const group = groupOf(name);
    const wanted = versionOf(version, from);
    const change = checked(group, given, from);
    await this.parts.database.tx((tx) => this.write(tx, caller, group, change, wanted));
    return this.one(caller.storeId, group);
  }

  async flat(storeId: string): Promise<Values> {
    const groups = Object.entries(await this.all(storeId)) as [string, Values][];
    const entries = groups.flatMap(([group, { version: _version, ...values }]) =>
      Object.entries(values).map(([name, value]) => [`${group}.${name}`, value]),
    );
    return Object.fromEntries(entries) as Values;
  }

  /** All or nothing; the last one wins. */
  async changeFlat(caller: Caller, flat: Values): Promise<Values> {
    const changes = [...byGroup(flat)].map(([group, given]) => [group, checked(group, given)] as const);
    // Always in one order, so that two never wait for each other
    const sorted = changes.toSorted(([one], [other]) => one.localeCompare(other));
    await this.parts.database.tx(async (tx) => {
      for (const [group, change] of sorted) await this.write(tx, caller, group, change);
    });
    return this.flat(caller.storeId);
  }

  private async write(
    tx: Transaction,
    caller: Caller,
    group: SettingGroup,
    change: Values,
    version?: number,
  ): Promise<void> {
    const now = this.parts.clock.now();
    await tx.query(MAKE, [caller.storeId, group, now]);
    const [kept] = await tx.query<Kept>(LOCK, [caller.storeId, group]);
    if (!kept || (version !== undefined && kept.version !== version)) throw refusals.versionConflict();
    const value = merged(kept.value, change);
    await tx.query(WRITE, [caller.storeId, group, JSON.stringify(value), now]);
    // chat-backend keeps these with the store
    if (group === 'chat') await this.parts.copies.touched(tx, caller.storeId, 'stores', [caller.storeId]);
    const subject = { type: 'setting', id: group };
    const diff = diffOf(inForce(group, kept.value), inForce(group, value));
    await writeAudit(tx, auditOf(caller, this.parts.clock), { action: 'settings.write', subject, diff });
  }

  private async kept(sql: Sql, storeId: string): Promise<Map<string, Kept>> {
    const rows = await sql.query<Kept & { name: string }>(READ, [storeId]);
    return new Map(rows.map(({ name, ...kept }) => [name, kept]));
  }
}
