/** A command of a service's own, such as `seed`. */
export interface Command {
  /** What it does, in one line. */
  readonly summary: string;
  /** What follows its name, as a usage line shows it: `<shop as JSON>`; nothing when left out. */
  readonly usage?: string;
  /** What it prints for scripts goes to standard output; rejects with a text that says what to do. */
  run(args: readonly string[]): Promise<void>;
}
