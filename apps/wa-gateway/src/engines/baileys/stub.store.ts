import type { Sql } from '@platform/data';
import { storable } from '@platform/runtime';
import type { NeutralMessage } from '../engine.types';
import { openingReadsOn } from './opening.reads';

export interface HeldStub {
  readonly id: string;
  readonly message: NeutralMessage;
  /** Milliseconds until it is to be told. */
  readonly afterMs: number;
}

const SAVE = `
INSERT INTO held_stub (instance_id, id, message, due_at) VALUES ($1, $2, $3, now() + $4 * interval '1 millisecond') ON CONFLICT DO NOTHING`;

const ALL = `
SELECT id, message, greatest(0, extract(epoch FROM due_at - now()) * 1000)::float AS "afterMs" FROM held_stub WHERE instance_id = $1 ORDER BY due_at`;

/** The stubs that a device holds back: a restart forgets none. */
export class StubStore {
  constructor(
    private readonly instanceId: string,
    private readonly sql: Sql,
  ) {}

  async save({ id, message, afterMs }: HeldStub): Promise<void> {
    // Strangers write in it too
    const values = [this.instanceId, id, JSON.stringify(storable(structuredClone(message))), afterMs];
    await this.sql.prepared('held_stub_save', SAVE, values);
  }

  async all(): Promise<HeldStub[]> {
    if (!(await openingReadsOn(this.sql).hasStubs(this.instanceId))) return [];
    return this.sql.prepared<HeldStub>('held_stub_all', ALL, [this.instanceId]);
  }

  async remove(id: string): Promise<void> {
    const sql = 'DELETE FROM held_stub WHERE instance_id = $1 AND id = $2';
    await this.sql.prepared('held_stub_remove', sql, [this.instanceId, id]);
  }
}
