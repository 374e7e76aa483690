/** Figures of one way of doing something, by name and unit: `requests/s`, `CPU µs/request`. */
export type Figures = Readonly<Record<string, number>>;

/** Started for a bench, and stopped at the end of the run. */
export interface Started {
  stop(): Promise<unknown>;
}

/** Where a bench reports results, and what it shares with others. */
export interface Report {
  /** One line for the person who waits. */
  progress(text: string): void;
  /** A table: the ways compared, one row each, with their medians. */
  table(title: string, rows: Readonly<Record<string, Figures>>): void;
  /** A number without a unit that budgets.json may bound by `<bench>.<name>`. */
  ratio(name: string, value: number, meaning: string): void;
  /** A sentence about how it was measured, for the written results. */
  note(text: string): void;
  /** Starts `name` at its first use in a run and gives every bench the same; it is stopped at the end of the run. */
  shared<T extends Started>(name: string, start: () => Promise<T>): Promise<T>;
}

/** One comparison. Every `*.bench.ts` in this folder exports one as `bench`, which is all it takes to be run. */
export interface Bench {
  readonly name: string;
  /** Why it runs only when it is named: it takes long, or needs what only some machines have. */
  readonly onlyNamed?: string;
  run(report: Report): Promise<void>;
}
