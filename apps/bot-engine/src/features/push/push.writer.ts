import type { Sql } from '@platform/data';
import { enqueueRows } from '@platform/outbox';
import { storable } from '@platform/runtime';
import { PUSH_TARGET, type PushRow } from './push.rows';

/**
 * Writes rows of one conversation to the outbox, in the caller's transaction and in their order; what is written already is
 * not written again. They are sent one after the other, with whatever its turns push.
 */
export const writePushes = async (tx: Sql, conversationId: string, rows: readonly PushRow[]): Promise<void> => {
  const lane = conversationId;
  await enqueueRows(
    tx,
    rows.map(({ kind, dedupeKey, payload }) => ({
      ...{ lane, target: PUSH_TARGET(payload.storeId), kind, dedupeKey },
      payload: storable(structuredClone(payload)),
    })),
  );
};
