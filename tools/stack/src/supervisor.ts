import type { Running, Unit } from './unit';

/** Reports of the supervisor; texts are for people. */
export interface Reports {
  died(name: string, reason: string, lastLines: string): void;
  restarted(name: string, pid: number): void;
  /** The unit died too often: it is not restarted. */
  gaveUp(name: string): void;
  /** A process has another id now. */
  changed(): void;
}

const DEATHS = 5;
const WITHIN_MS = 60_000;
const FIRST_PAUSE_MS = 200;

/** Grows with each death of the last minute: 0.2, 0.4, 0.8, 1.6 s. */
export const pauseBefore = (deaths: number): number => FIRST_PAUSE_MS * 2 ** (deaths - 1);

/** Keeps units running: restarts one that dies, until it has died five times in a minute. */
export class Supervisor {
  private readonly kept = new Map<string, Kept>();
  private stopping = false;

  constructor(private readonly reports: Reports) {}

  /** Starts a unit and waits until it can be used. A first start that fails is not retried. */
  async start(unit: Unit): Promise<void> {
    if (this.stopping) throw new Error(`${unit.name} is not started: the stack stops`);
    const kept: Kept = { unit, deaths: [] };
    this.kept.set(unit.name, kept);
    try {
      await this.launch(kept);
      await kept.running?.ready;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${unit.name} ${reason}. Its last lines:\n${unit.lastLines()}`, { cause: error });
    }
    void this.watch(kept);
  }

  /** Process ids by unit name. */
  pids(): Record<string, number> {
    return Object.fromEntries(
      [...this.kept.values()].flatMap(({ unit, running }) => (running ? [[unit.name, running.pid]] : [])),
    );
  }

  /** From now on nothing is started again. */
  retire(): void {
    this.stopping = true;
  }

  /** Stops the units named, all at the same time. */
  async stop(names: readonly string[]): Promise<void> {
    this.retire();
    await Promise.all(
      names.map(async (name) => {
        const kept = this.kept.get(name);
        await kept?.starting?.catch(() => undefined);
        await kept?.running?.stop();
      }),
    );
  }

  private async launch(kept: Kept): Promise<Running> {
    kept.running = undefined;
    kept.starting = kept.unit.start();
    kept.running = await kept.starting;
    return kept.running;
  }

  private async watch(kept: Kept): Promise<void> {
    const { unit } = kept;
    for (let reason = await kept.running?.gone; !this.stopping; reason = await this.revive(kept)) {
      const now = Date.now();
      kept.deaths = [...kept.deaths.filter((at) => at > now - WITHIN_MS), now];
      this.reports.died(unit.name, reason ?? 'unknown', unit.lastLines());
      if (kept.deaths.length >= DEATHS) return this.reports.gaveUp(unit.name);
      await new Promise((resolve) => setTimeout(resolve, pauseBefore(kept.deaths.length)));
      if (this.stopping) return;
    }
  }

  /** Runs the unit once; resolves with the reason of its end. */
  private async revive(kept: Kept): Promise<string> {
    try {
      const running = await this.launch(kept);
      this.reports.changed();
      void running.ready.then(
        () => this.stopping || this.reports.restarted(kept.unit.name, running.pid),
        () => undefined,
      );
      return await running.gone;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }
}

interface Kept {
  readonly unit: Unit;
  starting?: Promise<Running>;
  running?: Running;
  deaths: number[];
}
