/** At most so many devices connect at the same time: a first connection makes 812 keys (design 3.1). */
export class ConnectGate {
  private inside = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly width: number) {}

  /** Resolves when there is room, to the function that makes room again; calling it twice does no harm. */
  async enter(): Promise<() => void> {
    if (this.inside >= this.width) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const next = this.queue.shift();
      if (next) next();
      else this.inside -= 1;
    };
  }
}
