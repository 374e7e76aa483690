/** A command of a service's own, such as `seed`. */
export interface Command {
  /** What it does, in one line. */
  readonly summary: string;
  /** Its arguments, as a usage line shows them: `<shop as JSON>`; none by default. */
  readonly usage?: string;
  /** Prints results for scripts to standard output; rejects with a text that says what to do. */
  run(args: readonly string[]): Promise<void>;
}
