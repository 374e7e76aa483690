/** Figures of one way of doing something, by name and unit: `requests/s`, `CPU µs/request`. */
export type Figures = Readonly<Record<string, number>>;

/** Something started for a bench and stopped at the end of the run. */
export interface Started {
  stop(): Promise<unknown>;
}

/** Where a bench reports results, and what it shares with others. */
export interface Report {
  /** Prints one line of progress. */
  progress(text: string): void;
  /** A table with one row of medians for each way. */
  table(title: string, rows: Readonly<Record<string, Figures>>): void;
  /** A number without a unit that budgets.json may bound by `<bench>.<name>`. */
  ratio(name: string, value: number, meaning: string): void;
  /** A sentence about how it was measured, for the written results. */
  note(text: string): void;
  /** Starts `name` on first use and gives every later bench of the run the same one; stopped at the end of the run. */
  shared<T extends Started>(name: string, start: () => Promise<T>): Promise<T>;
}

/** One comparison. Every `*.bench.ts` in this folder exports one as `bench`; no other registration is needed. */
export interface Bench {
  readonly name: string;
  /** Why it runs only when named: it takes long, or has requirements that few machines meet. */
  readonly onlyNamed?: string;
  run(report: Report): Promise<void>;
}
