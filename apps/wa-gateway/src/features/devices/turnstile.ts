/** Lets so many in at a time; the others wait in the order in which they came. */
export class Turnstile {
  private readonly waiting: (() => void)[] = [];
  private inside = 0;

  constructor(private readonly places: number) {}

  /** Resolves to the way out, which may be taken once or several times. */
  async enter(): Promise<() => void> {
    if (this.inside >= this.places) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.waiting.shift();
      if (next) next();
      else this.inside -= 1;
    };
  }
}
