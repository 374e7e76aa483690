import type { SyncRequest } from './sync.dto';

export type SyncKind = keyof SyncRequest;

interface Column {
  readonly name: string;
  readonly type: string;
  /** SQL for an absent or null value, for columns that must have one; `i` is the pushed row. */
  readonly otherwise?: string;
  /** SQL of the new value of a row that exists (`t`), instead of the pushed one. */
  readonly merged?: string;
}

export interface SyncTable {
  readonly table: string;
  /** Behind store_id. */
  readonly key: readonly string[];
  readonly columns: readonly Column[];
  /** Instead of deleting the row: others refer to it. */
  readonly removal?: string;
}

const text = (name: string, otherwise?: string): Column => ({ name, type: 'text', otherwise });
const flag = (name: string, otherwise: string): Column => ({ name, type: 'boolean', otherwise });
const time = (name: string): Column => ({ name, type: 'timestamptz' });

/** A person's number, chats and messages stay; what the shop wrote down about the person goes. */
const FORGET_CUSTOMER = `
  UPDATE customers t SET nama = NULL, email = NULL, alamat = NULL, kota = NULL, provinsi = NULL, kodepos = NULL, profilepic = NULL, tags = '{}', catatan = NULL,
    custom = '{}', contact_id = NULL`;

/** The tables that commerce-api fills, column by column (design section 4). Other columns of them are this service's. */
export const syncTables: Readonly<Record<SyncKind, SyncTable>> = {
  stores: {
    table: 'stores',
    key: [],
    columns: [
      text('nama', 'i.store_id'),
      text('tz', `'Asia/Jakarta'`),
      { name: 'settings', type: 'jsonb', otherwise: `'{}'` },
    ],
  },
  users: {
    table: 'users',
    key: ['user_id'],
    columns: [text('nama', 'i.user_id'), text('email'), text('role'), flag('aktif', 'true')],
  },
  teams: {
    table: 'teams',
    key: ['id'],
    columns: [
      text('nama', 'i.id'),
      text('kind', `'cs'`),
      flag('private', 'true'),
      text('distribution', `'manual'`),
      { name: 'hours', type: 'jsonb' },
    ],
  },
  team_members: { table: 'team_members', key: ['team_id', 'user_id'], columns: [text('role', `'agent'`)] },
  devices: {
    table: 'devices',
    key: ['instance'],
    columns: [text('nama', 'i.instance'), text('nohp'), text('default_team_id'), text('bot_agent_id')],
  },
  templates: {
    table: 'templates',
    key: ['id'],
    columns: [
      text('nama', 'i.id'),
      text('type', `'chat'`),
      text('isi', `''`),
      { name: 'media', type: 'jsonb' },
      flag('aktif', 'true'),
    ],
  },
  customers: {
    table: 'customers',
    key: ['nohp'],
    columns: [
      { name: 'id', type: 'uuid', otherwise: 'uuidv7()', merged: 't.id' },
      text('contact_id'),
      { ...text('nama'), merged: 'coalesce(excluded.nama, t.nama)' },
      ...['email', 'alamat', 'kota', 'provinsi', 'kodepos'].map((name) => text(name)),
      { ...text('profilepic'), merged: 'coalesce(excluded.profilepic, t.profilepic)' },
      { name: 'tags', type: 'text[]', otherwise: `'{}'` },
      text('catatan'),
      { name: 'custom', type: 'jsonb', otherwise: `'{}'` },
      // The customer's own word outranks what the shop pushes
      { ...flag('opt_out', 'false'), merged: 'excluded.opt_out OR t.opt_out_by_customer' },
      flag('blokir', 'false'),
      { name: 'total_order', type: 'integer', otherwise: '0' },
      { name: 'total_belanja', type: 'bigint', otherwise: '0' },
      time('last_order_at'),
    ],
    removal: FORGET_CUSTOMER,
  },
  orders: {
    table: 'chat_orders',
    key: ['id'],
    columns: [
      text('nohp'),
      text('order_number', 'i.id'),
      text('status', `''`),
      text('payment_status'),
      { name: 'total', type: 'bigint', otherwise: '0' },
      text('currency', `'IDR'`),
      { name: 'items', type: 'jsonb', otherwise: `'[]'` },
      ...['kurir', 'resi', 'gudang_id'].map((name) => text(name)),
      { ...time('created_at'), otherwise: 'i.updated_at' },
      time('updated_at'),
    ],
  },
  handle_gudang: {
    table: 'handle_gudang',
    key: ['id'],
    columns: [
      { name: 'conversation_id', type: 'uuid' },
      text('order_id'),
      text('gudang_id', `''`),
      ...['gudang_nama', 'team_id', 'user_id'].map((name) => text(name)),
      text('status', `'pending'`),
      text('catatan'),
      time('waktu_mulai'),
      time('waktu_selesai'),
    ],
  },
  rules: {
    table: 'rules',
    key: ['id'],
    columns: [
      { name: 'position', type: 'integer', otherwise: '0' },
      text('match', `'exact'`),
      { name: 'keywords', type: 'text[]', otherwise: `'{}'` },
      { name: 'reply', type: 'jsonb', otherwise: `'{}'` },
      { name: 'instances', type: 'text[]', otherwise: `'{}'` },
      flag('aktif', 'true'),
    ],
  },
  welcomes: {
    table: 'welcomes',
    key: [],
    columns: [
      flag('enabled', 'false'),
      text('text', `''`),
      { name: 'once_per_hours', type: 'integer', otherwise: '0' },
    ],
  },
};

/** Parents first, so that a row never points at one that comes later in the same call. */
export const syncKinds = Object.keys(syncTables) as SyncKind[];

const pushed = ({ key, columns }: SyncTable): string =>
  `json_to_recordset($1::json) AS i (${[
    'store_id text',
    ...key.map((name) => `${name} text`),
    ...columns.map(({ name, type }) => `${name} ${type}`),
  ].join(', ')})`;

/** Rows that are new or newer; columns that the table has beside these keep what they hold. $1 rows */
export const putStatement = (table: SyncTable): string => {
  const { key, columns } = table;
  const names = ['store_id', ...key, ...columns.map(({ name }) => name)];
  const values = columns.map(({ name, otherwise }) => (otherwise ? `coalesce(i.${name}, ${otherwise})` : `i.${name}`));
  const changes = columns.map(({ name, merged }) => `${name} = ${merged ?? `excluded.${name}`}`);
  return `
    INSERT INTO ${table.table} AS t (${names.join(', ')})
    SELECT i.store_id, ${[...key.map((name) => `i.${name}`), ...values].join(', ')} FROM ${pushed(table)}
    ON CONFLICT (${['store_id', ...key].join(', ')}) DO UPDATE SET ${changes.join(', ')}`;
};

/** $1 rows */
export const removeStatement = (table: SyncTable): string => {
  const same = ['store_id', ...table.key].map((name) => `t.${name} = i.${name}`).join(' AND ');
  return table.removal
    ? `${table.removal} FROM ${pushed(table)} WHERE ${same}`
    : `DELETE FROM ${table.table} t USING ${pushed(table)} WHERE ${same}`;
};
