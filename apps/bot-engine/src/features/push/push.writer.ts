import type { Sql } from '@platform/data';
import { enqueueRows } from '@platform/outbox';
import { storable } from '@platform/runtime';
import { laneEnd, PUSH_TARGET, type PushRow } from './push.rows';

/**
 * Writes rows of one conversation to the outbox, in the caller's transaction and in their order; what is written already is
 * not written again. Those to one chat are sent one after the other, with whatever its turns push.
 */
export const writePushes = async (tx: Sql, conversationId: string, rows: readonly PushRow[]): Promise<void> => {
  await enqueueRows(
    tx,
    rows.map(({ kind, dedupeKey, payload }) => ({
      ...{ lane: conversationId + laneEnd(payload), target: PUSH_TARGET(payload.storeId), kind, dedupeKey },
      payload: storable(structuredClone(payload)),
    })),
  );
};
