import { isUniqueViolation, listingOf, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { audited, type By, type Writer } from '../../../by';
import { demandSeen } from '../../../web/seen';
import type { ChatCopies, CopiedRows } from '../../chat/copies/public';
import type { MessageEvent } from './message.events';
import { unknownVariables } from './render';
import { TemplatesQuery, type MessageTemplate, type NewTemplate, type TemplateChange } from './templates.dto';

const MOST = 100;

export const templateRefusals = {
  eventTaken: (): Failure =>
    new Conflict('Another template of this event is active: switch it off first', { code: 'event_taken' }),
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST} templates`, { code: 'too_many_templates' }),
} as const;

type Row = Omit<MessageTemplate, 'created_at'> & { readonly created_at: Date };

const COLUMNS = 't.id, t.event, t.body, t.active, t.created_at';
const read = ({ created_at, ...row }: Row): MessageTemplate => ({ ...row, created_at: created_at.toISOString() });

export const templateListing = listingOf(TemplatesQuery, {
  from: 'message_template t',
  tenant: 't.store_id',
  select: COLUMNS,
  sort: { event: 't.event', created_at: 't.created_at' },
  usualSort: 'event',
  tie: 't.id',
  where: { event: 't.event = ?' },
  read,
});

const refuseUnknown = (event: MessageEvent, body: string): void => {
  const [unknown] = unknownVariables(event, body);
  if (unknown === undefined) return;
  const message = `body names {{${unknown}}}, which ${event} does not have`;
  throw new InvalidInput([{ field: 'body', tag: 'variable', message }]);
};

const written = async (work: Promise<Row[]>): Promise<Row | undefined> => {
  const [row] = await work.catch((cause: unknown) => {
    throw isUniqueViolation(cause, 'message_template_active') ? templateRefusals.eventTaken() : cause;
  });
  return row;
};

/** Throws `NotFound`. */
export const templateById = async (sql: Sql, storeId: string, id: string, lock = ''): Promise<MessageTemplate> => {
  const find = `SELECT ${COLUMNS} FROM message_template t WHERE t.store_id = $1 AND t.id = $2 ${lock}`;
  const [row] = await sql.query<Row>(find, [storeId, id]);
  if (row) return read(row);
  throw new NotFound('Template not found');
};

type Copies = Pick<ChatCopies, 'touched'>;

const told = async (
  tx: Sql,
  copies: Copies,
  by: Writer,
  [id, change]: readonly [string, { before?: object; after?: object }],
): Promise<void> => {
  await audited(tx, by, { action: 'template.write', type: 'message_template', id, ...change });
  await copies.touched(tx, by.storeId, 'templates', [id]);
};
/** What people see of one, and change. */
export const shown = ({ event, body, active }: MessageTemplate) => ({ event, body, active });

/** One at a time, so that the limit holds. */
const TURN = `SELECT pg_advisory_xact_lock(hashtextextended('templates ' || $1, 0))`;
const INSERT = `
  INSERT INTO message_template AS t (store_id, id, event, body, active, created_at, updated_at)
  SELECT $1::varchar, $2, $3, $4, $5, $6, $6
  WHERE (SELECT count(*) FROM message_template o WHERE o.store_id = $1) < ${MOST} RETURNING ${COLUMNS}`;

/** Throws `InvalidInput`, `event_taken`, `too_many_templates`. */
export const addTemplate = async (tx: Sql, copies: Copies, by: Writer, body: NewTemplate): Promise<MessageTemplate> => {
  refuseUnknown(body.event, body.body);
  await tx.query(TURN, [by.storeId]);
  const values = [by.storeId, uuidv7(), body.event, body.body, body.active ?? true, by.at];
  const row = await written(tx.query<Row>(INSERT, values));
  if (!row) throw templateRefusals.tooMany();
  const template = read(row);
  await told(tx, copies, by, [template.id, { after: shown(template) }]);
  return template;
};

const UPDATE = `UPDATE message_template t SET body = $3, active = $4, updated_at = $5 WHERE t.store_id = $1 AND t.id = $2
  RETURNING ${COLUMNS}`;

/** Throws `NotFound`, `InvalidInput`, `event_taken`, and `version_conflict` when it is not any more what was `seen` of it. */
export const changeTemplate = async (
  tx: Sql,
  copies: Copies,
  by: Writer,
  [id, change, seen]: readonly [id: string, change: TemplateChange, seen?: string],
): Promise<MessageTemplate> => {
  const before = await templateById(tx, by.storeId, id, 'FOR UPDATE');
  demandSeen(seen, shown(before));
  const { body = before.body, active = before.active } = change;
  refuseUnknown(before.event, body);
  const row = await written(tx.query<Row>(UPDATE, [by.storeId, id, body, active, by.at]));
  const after = read(row as Row);
  await told(tx, copies, by, [id, { before: shown(before), after: shown(after) }]);
  return after;
};

/** Throws `NotFound`. */
export const deleteTemplate = async (tx: Sql, copies: Copies, by: Writer, id: string): Promise<void> => {
  const before = await templateById(tx, by.storeId, id, 'FOR UPDATE');
  await tx.query('DELETE FROM message_template WHERE store_id = $1 AND id = $2', [by.storeId, id]);
  await told(tx, copies, by, [id, { before: shown(before) }]);
};

const COPIES = `
  SELECT t.id::text AS "rowId", json_build_object('id', t.id, 'nama', t.event, 'type', 'chat', 'isi', t.body, 'aktif', t.active) AS row
  FROM message_template t WHERE t.store_id = $1 AND t.id::text = ANY ($2::text[])`;

/** What chat-backend has copies of, among its `templates`. */
export const messageTemplateCopies: CopiedRows = {
  standing: (sql, storeId, rowIds) => sql.query(COPIES, [storeId, rowIds]),
  keys: (id) => ({ id }),
};

/** Part of the `seed` command: the demo shop's own words. Nothing for a shop that has some already. */
export const seedTemplates = async (
  tx: Sql,
  copies: Pick<ChatCopies, 'touched'>,
  { storeId, at }: Pick<By, 'storeId' | 'at'>,
): Promise<void> => {
  const insert = `INSERT INTO message_template (store_id, id, event, body, active, created_at, updated_at)
    VALUES ($1, $2, $3, $4, true, $5, $5) ON CONFLICT DO NOTHING RETURNING id`;
  const body = 'Hai {{buyer_name}}, paket pesanan {{order_number}} sudah jalan!\nResi {{courier}}: {{waybill}}';
  const made = await tx.query<{ id: string }>(insert, [storeId, uuidv7(), 'order_shipped', body, at]);
  const ids = made.map(({ id }) => id);
  await copies.touched(tx, storeId, 'templates', ids);
};
