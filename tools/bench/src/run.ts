import type { Bench, Report, Started } from './bench.types';
import type { Findings } from './findings';

/** What benches share, each started on first use; stopped in reverse order. */
export class SharedThings {
  private readonly things = new Map<string, Promise<Started>>();
  private stopped = false;

  get<T extends Started>(name: string, start: () => Promise<T>): Promise<T> {
    if (this.stopped) return Promise.reject(new Error(`${name} is not started: the run ends`));
    const known = this.things.get(name) as Promise<T> | undefined;
    if (known) return known;
    const begun = start();
    this.things.set(name, begun);
    return begun;
  }

  /** Idempotent; skips what failed to start. */
  async stop(): Promise<void> {
    this.stopped = true;
    const all = [...this.things.values()].reverse();
    this.things.clear();
    for (const thing of all)
      await thing.then(
        (started) => started.stop(),
        () => undefined,
      );
  }
}

/** Runs one bench and collects what it reports. */
export const runBench = async (bench: Bench, shared: SharedThings, say: (text: string) => void): Promise<Findings> => {
  const findings: Findings = { bench: bench.name, tables: [], ratios: [], notes: [] };
  const report: Report = {
    progress: (text) => say(`  ${text}`),
    table: (title, rows) => void findings.tables.push({ title, rows }),
    ratio: (name, value, meaning) => void findings.ratios.push({ name, value, meaning }),
    note: (text) => void findings.notes.push(text),
    shared: (name, start) => shared.get(name, start),
  };
  await bench.run(report);
  return findings;
};
