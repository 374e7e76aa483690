import { microBatch, type MicroBatch, type Sql } from '@platform/data';
import type { Clock, Component } from '@platform/runtime';

/** One thing that is counted: a page or a short link, and which part of it. */
export interface Counted {
  readonly storeId: string;
  readonly id: string;
  readonly part?: string;
}

interface TallyParts {
  readonly database: Sql;
  readonly clock: Clock;
}

/** What counts: $1 stores, $2 ids, $3 parts, one of each for every count; $4 when it is. Its rows are written in the order of their keys. */
interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A shop is in one write at a time: where its counter is held for long, the others have the other writer. */
const WRITERS = 2;
const MOST_WAITING = 5000;
/** The part of what is counted as a whole. */
export const NO_PART = '00000000-0000-0000-0000-000000000000';

/**
 * Counters that many raise at once. All who come while one statement is under way share the next, which raises each counter once by as many as
 * there are, so that nobody waits in a row for the same lock; and everybody is told after their own count is committed.
 */
export class Tally implements Component {
  readonly name: string;
  private readonly batch: MicroBatch<Counted, undefined>;

  constructor(
    private readonly parts: TallyParts,
    private readonly statement: Statement,
  ) {
    this.name = statement.name;
    this.batch = microBatch({
      ...{ writers: WRITERS, maxBatch: 500, maxQueue: MOST_WAITING },
      queueOf: ({ storeId }) => storeId,
      write: (rows) => this.write(rows),
    });
  }

  start(): Promise<void> {
    return Promise.resolve();
  }

  stop(): Promise<void> {
    return this.batch.stop();
  }

  /** Resolves once it is counted; throws `Unavailable` where too many wait. */
  async count(counted: Counted): Promise<void> {
    await this.batch.add(counted);
  }

  private async write(rows: readonly Counted[]): Promise<undefined[]> {
    const now = this.parts.clock.now();
    const columns = [rows.map(({ storeId }) => storeId), rows.map(({ id }) => id)];
    const values = [...columns, rows.map(({ part }) => part ?? NO_PART), now];
    await this.parts.database.prepared(this.statement.name, this.statement.text, values);
    return rows.map(() => undefined);
  }
}
