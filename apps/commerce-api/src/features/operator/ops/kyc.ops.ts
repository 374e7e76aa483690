import { writeAudit, type Database } from '@platform/data';
import { NotFound } from '@platform/errors';
import { isUuid } from '@platform/runtime';
import type { Kyc, KycService } from '../../verification/kyc/public';
import { UsageError, type Operation, type OperatorIn, type Outcome } from './ops.types';

export interface KycOperationParts {
  readonly database: Database;
  readonly kyc: KycService;
  /** Where a file of a store lies. */
  readonly fileOf: (key: string) => string;
}

const WAITING = `SELECT k.store_id, k.id, k.kind, s.name AS store, k.updated_at FROM kyc_submission k
  JOIN store s ON s.store_id = k.store_id WHERE k.status = 'submitted' ORDER BY k.updated_at LIMIT 100`;
const FILES = 'SELECT id, key FROM media WHERE store_id = $1 AND id = ANY ($2::uuid[])';

interface Waiting {
  readonly store_id: string;
  readonly id: string;
  readonly kind: string;
  readonly store: string;
  readonly updated_at: Date;
}

const idOf = (text: string): string => {
  if (isUuid(text)) return text;
  throw new UsageError(`"${text}" is no id of an identity check: ops kyc list shows those that wait`);
};

const list = async ({ database }: KycOperationParts): Promise<Outcome> => {
  const rows = await database.query<Waiting>(WAITING);
  const lines = rows.map(({ store_id, id, kind, store, updated_at }) =>
    [store_id, id, kind, updated_at.toISOString(), store].join('  '),
  );
  return { text: lines.join('\n') || 'nothing waits', data: { waiting: rows } };
};

/** Throws `NotFound`. */
const one = async ({ kyc }: KycOperationParts, storeId: string, id: string): Promise<Kyc> => {
  const found = (await kyc.all(storeId)).find((each) => each.id === id);
  if (found) return found;
  throw new NotFound('Identity check not found');
};

const show = async (
  parts: KycOperationParts,
  by: OperatorIn,
  [storeId = '', given = '']: readonly string[],
): Promise<Outcome> => {
  const { database, fileOf } = parts;
  const check = await one(parts, storeId, idOf(given));
  // Who has looked at an identity is told, too
  const { audit } = by(storeId);
  await writeAudit(database, audit, {
    action: 'kyc.read',
    subject: { type: 'kyc_submission', id: check.id },
    diff: {},
  });
  const ids = check.documents.map(({ media_id }) => media_id);
  const files = new Map(
    (await database.query<{ id: string; key: string }>(FILES, [storeId, ids])).map(({ id, key }) => [id, fileOf(key)]),
  );
  const documents = check.documents.map(({ kind, media_id }) => ({ kind, file: files.get(media_id) ?? null }));
  const lines = [
    `${check.kind}, ${check.status}${check.reason === null ? '' : `: ${check.reason}`}`,
    ...Object.entries(check.data).map(([name, value]) => `  ${name}: ${String(value)}`),
    ...documents.map(({ kind, file }) => `  ${kind}: ${file ?? 'its file is gone'}`),
  ];
  return { text: lines.join('\n'), data: { ...check, documents } };
};

/** Decisions on identity checks; who decides sees them first. */
export const kycOperations = (parts: KycOperationParts, by: OperatorIn): Operation[] => {
  const decide =
    (decision: 'approve' | 'reject') =>
    async ([storeId = '', given = '', reason]: readonly string[]): Promise<Outcome> => {
      const { id, status } = await parts.kyc.decide(by(storeId), idOf(given), decision, reason);
      return { text: `${status} the identity check ${id} of ${storeId}`, data: { store_id: storeId, id, status } };
    };
  return [
    {
      ...{
        name: 'kyc list',
        usage: '',
        words: [0, 0],
        summary: 'Identity checks that wait for a decision, the oldest first.',
      },
      run: () => list(parts),
    },
    {
      ...{ name: 'kyc show', usage: '<store> <id>', words: [2, 2] },
      summary:
        'The data of one, and where its documents lie; the audit log of the store tells that somebody has looked.',
      run: (words) => show(parts, by, words),
    },
    {
      ...{ name: 'kyc approve', usage: '<store> <id>', words: [2, 2] },
      summary: 'The store is who it says; bank accounts of that name can be paid to.',
      run: decide('approve'),
    },
    {
      ...{ name: 'kyc reject', usage: '<store> <id> <reason>', words: [3, 3] },
      summary: 'The store reads the reason, and may correct it.',
      run: decide('reject'),
    },
  ];
};
