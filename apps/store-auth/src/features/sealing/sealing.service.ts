import type { SecretBox } from '@platform/auth';
import type { GaugeSource } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns';
import type { SealedRepository, SealedRow } from './sealed.repository';

/** Counting reads whole tables, and the numbers change only with the keys. */
const COUNTED_EVERY_MS = 10 * 60_000;

export interface Resealed {
  readonly resealed: number;
  /** Those whose key is not in the ring: `<table> <id>`. */
  readonly failed: readonly string[];
}

/** Moves stored secrets to the newest key of SIGNING_KEY_SECRET, so that an older one can be removed. */
export class SealingService {
  readonly gauge: GaugeSource = {
    name: 'stale_sealed_boxes',
    help: 'Stored secrets that are sealed with another key than the newest of SIGNING_KEY_SECRET',
    label: 'table',
    read: () => this.staleBoxes(),
  };
  private counted: { readonly at: number; readonly stale: Promise<Record<string, number>> } | undefined;

  constructor(
    private readonly repository: SealedRepository,
    private readonly box: SecretBox,
    private readonly clock: Clock,
  ) {}

  /** Reseals what an older key has sealed; safe to repeat, also while the service runs. */
  async reseal(): Promise<Resealed> {
    const failed: string[] = [];
    let resealed = 0;
    for (const column of SEALED_COLUMNS)
      for await (const row of this.stale(column)) {
        const fresh = this.sealedAnew(column, row);
        if (fresh === undefined) failed.push(`${column.table} ${row.id}`);
        else if (await this.repository.replace(column, row, fresh)) resealed += 1;
      }
    this.counted = undefined;
    return { resealed, failed };
  }

  /** Per table; counted at most once in ten minutes. */
  private async staleBoxes(): Promise<Record<string, number>> {
    const now = this.clock.now().getTime();
    if (!this.counted || now - this.counted.at >= COUNTED_EVERY_MS) this.counted = { at: now, stale: this.count() };
    try {
      return await this.counted.stale;
    } catch {
      this.counted = undefined;
      return {};
    }
  }

  private async *stale(column: SealedColumn): AsyncGenerator<SealedRow> {
    for (let after: string | undefined; ;) {
      const rows = await this.repository.page(column, after);
      yield* rows.filter(({ sealed }) => this.box.isStale(sealed));
      after = rows.at(-1)?.id;
      if (after === undefined) return;
    }
  }

  private sealedAnew({ purposeOf }: SealedColumn, { id, sealed }: SealedRow): string | undefined {
    const purpose = purposeOf(id);
    try {
      return this.box.seal(this.box.open(sealed, purpose), purpose);
    } catch {
      return undefined;
    }
  }

  private async count(): Promise<Record<string, number>> {
    const stale: Record<string, number> = {};
    for (const column of SEALED_COLUMNS) {
      const counts = (await this.repository.counts(column)).filter(({ head }) => this.box.isStale(head));
      stale[column.table] = counts.reduce((sum, { count }) => sum + count, stale[column.table] ?? 0);
    }
    return stale;
  }
}
