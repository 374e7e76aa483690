import { foldText, matchRule } from '@platform/contracts';
import { listingOf, type Sql } from '@platform/data';
import { Conflict, InvalidInput, NotFound, type Failure } from '@platform/errors';
import { isUuid, uuidv7 } from '@platform/runtime';
import { audited, type By, type Writer } from '../../../by';
import { refusals } from '../../../refusals';
import { demandSeen } from '../../../web/seen';
import type { ChatCopies } from '../../chat/copies/public';
import { swapFile, type Files } from '../reply.file';
import { RulesQuery, type Rule, type RuleBody, type RuleChange, type RuleOrder, type TriedText } from './rules.dto';

/** Every message is compared with all of them. */
const MOST_RULES = 200;
/** WhatsApp shows no more under a file. */
const LONGEST_CAPTION = 1024;

export const ruleRefusals = {
  tooMany: (): Failure => new Conflict(`A store has at most ${MOST_RULES} rules`, { code: 'too_many_rules' }),
} as const;

const COLUMNS = 'r.id, r.position, r.match, r.keywords, r.reply_text, r.media_id, r.device_ids, r.active';

interface Row extends Omit<Rule, 'reply'> {
  readonly reply_text: string | null;
  readonly media_id: string | null;
}
const read = ({ reply_text: text, media_id, ...row }: Row): Rule => ({ ...row, reply: { text, media_id } });

export const ruleListing = listingOf(RulesQuery, {
  from: 'chatbot_rule r',
  tenant: 'r.store_id',
  select: COLUMNS,
  sort: { position: 'r.position' },
  usualSort: 'position',
  tie: 'r.id',
  where: { active: 'r.active = ?' },
  read,
});

export interface RuleParts {
  readonly copies: Pick<ChatCopies, 'touched'>;
  readonly files: Files;
}

/** One who changes the rules of a store at a time, so that their order and their number stay true. */
const turn = (tx: Sql, storeId: string): Promise<unknown> =>
  tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('rules ' || $1, 0))`, [storeId]);

const BY_ID = `SELECT ${COLUMNS} FROM chatbot_rule r WHERE r.store_id = $1 AND r.id = $2`;
const ruleById = async (tx: Sql, storeId: string, id: string): Promise<Rule> => {
  const [row] = await tx.query<Row>(BY_ID, [storeId, id]);
  if (row) return read(row);
  throw new NotFound('Rule not found');
};

const refuse = (field: string, tag: string, message: string): never => {
  throw new InvalidInput([{ field, tag, message: `${field} ${message}` }]);
};

const demandSense = ({ keywords, reply: { text, media_id } }: RuleBody): void => {
  const empty = keywords.findIndex((keyword) => foldText(keyword) === '');
  if (empty >= 0) refuse(`keywords[${empty}]`, 'required', 'must hold more than spaces');
  if (text === undefined && media_id === undefined) refuse('reply.text', 'required', 'is a required field');
  if (media_id !== undefined && (text ?? '').length > LONGEST_CAPTION)
    refuse('reply.text', 'max', `must be a maximum of ${LONGEST_CAPTION} characters in length with a file`);
};

const DEVICES = 'SELECT id FROM device WHERE store_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id FOR KEY SHARE';
const knownDevices = async (tx: Sql, storeId: string, ids: readonly string[], field: string): Promise<string[]> => {
  if (ids.length === 0) return [];
  const rows = await tx.query<{ id: string }>(DEVICES, [storeId, ids.filter(isUuid)]);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(`${field}[${unknown}]`, 'is not a device of this store');
  return [...known];
};

/** The devices that are named, before the turn is taken: whoever removes a device holds it, and waits for the turn. */
const devicesOf = async (tx: Sql, { storeId }: By, body: RuleBody): Promise<string[] | undefined> => {
  demandSense(body);
  return body.device_ids && knownDevices(tx, storeId, body.device_ids, 'device_ids');
};

const complete = (body: RuleBody, devices: string[] | undefined, before?: Rule): Omit<Rule, 'id' | 'position'> => {
  const { match, keywords, reply, active = before?.active ?? true } = body;
  const answer = { text: reply.text ?? null, media_id: reply.media_id ?? null };
  return { match, keywords, reply: answer, device_ids: devices ?? before?.device_ids ?? [], active };
};

const valuesOf = ({ id, match, keywords, reply, device_ids, active }: Omit<Rule, 'position'>) => [
  ...[id, match, keywords, reply.text, reply.media_id, device_ids, active],
];
const mediaOf = (rule?: Pick<Rule, 'reply'>): string | null => rule?.reply.media_id ?? null;

const told = async (tx: Sql, { copies }: RuleParts, by: Writer, before?: Rule, after?: Rule): Promise<void> => {
  const id = (after ?? before)?.id ?? '';
  await audited(tx, by, { action: 'agent.write', type: 'chatbot_rule', id, before, after });
  await copies.touched(tx, by.storeId, 'rules', [id]);
};

const INSERT = `
  INSERT INTO chatbot_rule (store_id, id, match, keywords, reply_text, media_id, device_ids, active, position, created_at, updated_at)
  SELECT $1::varchar, $2::uuid, $3, $4::text[], $5, $6::uuid, $7::uuid[], $8::boolean, coalesce(max(o.position) + 1, 0), $9::timestamptz, $9::timestamptz
  FROM chatbot_rule o WHERE o.store_id = $1 HAVING count(*) < ${MOST_RULES} RETURNING position`;

/** Behind all others. Throws `too_many_rules`, `InvalidInput`, `NotFound` for a device or a file. */
export const createRule = async (tx: Sql, parts: RuleParts, by: Writer, body: RuleBody): Promise<Rule> => {
  const devices = await devicesOf(tx, by, body);
  await turn(tx, by.storeId);
  const rule = { id: uuidv7(), ...complete(body, devices) };
  await swapFile(tx, parts.files, by, { before: null, after: mediaOf(rule), field: 'reply.media_id' });
  const [row] = await tx.query<{ position: number }>(INSERT, [by.storeId, ...valuesOf(rule), by.at]);
  if (!row) throw ruleRefusals.tooMany();
  const made = { ...rule, position: row.position };
  await told(tx, parts, by, undefined, made);
  return made;
};

/** What people change of a rule. */
export const editableOf = ({ match, keywords, reply, device_ids, active }: Rule) => ({
  ...{ match, keywords, text: reply.text, media: reply.media_id, device_ids, active },
});

const UPDATE = `
  UPDATE chatbot_rule SET match = $3, keywords = $4, reply_text = $5, media_id = $6, device_ids = $7, active = $8, updated_at = $9
  WHERE store_id = $1 AND id = $2`;

/**
 * Its devices and whether it is active stay as they are unless they are given. Throws `version_conflict` when it is not any more what was
 * `seen` of it.
 */
export const changeRule = async (
  tx: Sql,
  parts: RuleParts,
  by: Writer,
  [id, body]: readonly [string, RuleChange],
  seen?: string,
): Promise<Rule> => {
  // Whoever asks for a rule that is not theirs hears of nothing else
  await ruleById(tx, by.storeId, id);
  const devices = await devicesOf(tx, by, body);
  await turn(tx, by.storeId);
  const before = await ruleById(tx, by.storeId, id);
  demandSeen(seen, editableOf(before));
  const after = { ...before, ...complete(body, devices, before) };
  await swapFile(tx, parts.files, by, { before: mediaOf(before), after: mediaOf(after), field: 'reply.media_id' });
  await tx.query(UPDATE, [by.storeId, ...valuesOf(after), by.at]);
  await told(tx, parts, by, before, after);
  return after;
};

export const deleteRule = async (tx: Sql, parts: RuleParts, by: Writer, id: string): Promise<void> => {
  await turn(tx, by.storeId);
  const before = await ruleById(tx, by.storeId, id);
  await tx.query('DELETE FROM chatbot_rule WHERE store_id = $1 AND id = $2', [by.storeId, id]);
  await swapFile(tx, parts.files, by, { before: mediaOf(before), after: null, field: 'reply.media_id' });
  await told(tx, parts, by, before, undefined);
};

export const ALL_RULES = `SELECT ${COLUMNS} FROM chatbot_rule r WHERE r.store_id = $1 ORDER BY r.position, r.id`;
const allRules = async (sql: Sql, storeId: string): Promise<Rule[]> =>
  (await sql.query<Row>(ALL_RULES, [storeId])).map(read);

const PLACE = `
  UPDATE chatbot_rule r SET position = i.place - 1, updated_at = $3 FROM unnest($2::uuid[]) WITH ORDINALITY AS i (id, place)
  WHERE r.store_id = $1 AND r.id = i.id AND r.position <> i.place - 1 RETURNING r.id`;

/** Resolves to all of them. Throws `NotFound` for the first that is not of the store. */
export const orderRules = async (tx: Sql, parts: RuleParts, by: Writer, { ids }: RuleOrder): Promise<Rule[]> => {
  await turn(tx, by.storeId);
  const before = (await allRules(tx, by.storeId)).map(({ id }) => id);
  const named = [...new Set(ids.map((id) => id.toLowerCase()))];
  const unknown = ids.findIndex((id) => !before.includes(id.toLowerCase()));
  if (unknown >= 0) throw refusals.notHere(`ids[${unknown}]`, 'is not a rule of this store');
  const after = [...named, ...before.filter((id) => !named.includes(id))];
  const moved = await tx.query<{ id: string }>(PLACE, [by.storeId, after, by.at]);
  const written = { action: 'agent.write', type: 'chatbot_rule', id: 'order' };
  await audited(tx, by, { ...written, before: { order: before }, after: { order: after } });
  await parts.copies.touched(
    tx,
    by.storeId,
    'rules',
    moved.map(({ id }) => id),
  );
  return allRules(tx, by.storeId);
};

/** One place up or down; the first and the last stay. Throws `NotFound`. */
export const moveRule = async (
  tx: Sql,
  parts: RuleParts,
  by: Writer,
  [id, step]: readonly [string, -1 | 1],
): Promise<void> => {
  await turn(tx, by.storeId);
  const { id: moved } = await ruleById(tx, by.storeId, id);
  const ids = (await allRules(tx, by.storeId)).map((rule) => rule.id);
  const at = ids.indexOf(moved);
  const other = ids[at + step];
  if (other === undefined) return;
  [ids[at], ids[at + step]] = [other, moved];
  await orderRules(tx, parts, by, { ids });
};

/** The rule that answers a text, by the function of the message path. Throws `NotFound` for a device that the store has not. */
export const ruleFor = async (sql: Sql, storeId: string, { text, device_id }: TriedText): Promise<Rule | null> => {
  if (device_id !== undefined) {
    const known = await sql.query('SELECT 1 FROM device WHERE store_id = $1 AND id = $2', [storeId, device_id]);
    if (known.length === 0) throw refusals.notHere('device_id', 'is not a device of this store');
  }
  const rules = (await allRules(sql, storeId)).map((rule) => ({ ...rule, instances: rule.device_ids }));
  const fitting = matchRule(rules, { text, ...(device_id !== undefined && { instance: device_id.toLowerCase() }) });
  if (!fitting) return null;
  const { instances: _devices, ...rule } = fitting;
  return rule;
};

const WITHOUT = `
  UPDATE chatbot_rule SET device_ids = array_remove(device_ids, $2::uuid), active = active AND cardinality(device_ids) > 1, updated_at = $3
  WHERE store_id = $1 AND $2::uuid = ANY (device_ids) RETURNING id`;

/** A device is gone: what answered on it alone is off, and does not answer everywhere instead. */
export const forgetDevice =
  ({ copies }: Pick<RuleParts, 'copies'>) =>
  async (tx: Sql, { storeId, at }: By, deviceId: string): Promise<void> => {
    await turn(tx, storeId);
    const changed = await tx.query<{ id: string }>(WITHOUT, [storeId, deviceId, at]);
    await copies.touched(
      tx,
      storeId,
      'rules',
      changed.map(({ id }) => id),
    );
  };
