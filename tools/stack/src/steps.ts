/** Where text for people goes. */
export type Say = (text: string) => void;

/** The numbered steps of a long command: the current one is always on the screen, with the time that each took. */
export class Steps {
  private number = 0;
  /** Whether a line has been begun and waits for its end. */
  private open = false;
  private readonly begun = performance.now();

  constructor(
    private readonly total: number,
    private readonly say: Say,
  ) {}

  /** Prints `[2/6] cache ... <details> 0.1 s`. `work` may report progress; its result ends the line. */
  async run(title: string, work: (progress: Say) => Promise<string | undefined>): Promise<void> {
    const since = performance.now();
    this.number += 1;
    this.say(`[${this.number}/${this.total}] ${title.padEnd(10)}`);
    this.open = true;
    try {
      const details = await work((text) => this.note(text));
      this.note(details ?? '');
      this.end(` ${secondsSince(since)}\n`);
    } catch (error) {
      this.end(' failed\n');
      throw error;
    }
  }

  /** A separate message, even in the middle of a step. */
  line(text: string): void {
    this.end('\n');
    this.say(`${text}\n`);
  }

  elapsed(): string {
    return secondsSince(this.begun);
  }

  private note(text: string): void {
    if (text) this.say(` ${text}`);
  }

  private end(text: string): void {
    if (this.open) this.say(text);
    this.open = false;
  }
}

export const secondsSince = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;
