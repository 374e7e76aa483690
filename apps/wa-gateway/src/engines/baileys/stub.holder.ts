/** Messages that could not be decrypted. The writer's client usually sends them again, with the same id (design 3.2). */
export class StubHolder {
  private readonly held = new Map<string, NodeJS.Timeout>();

  constructor(private readonly holdMs: number) {}

  /** `missed` runs unless the message arrives in time. */
  hold(id: string, missed: () => void): void {
    if (this.held.has(id)) return;
    const timer = setTimeout(() => {
      this.held.delete(id);
      missed();
    }, this.holdMs);
    this.held.set(id, timer.unref());
  }

  arrived(id: string): void {
    clearTimeout(this.held.get(id));
    this.held.delete(id);
  }

  clear(): void {
    for (const id of this.held.keys()) this.arrived(id);
  }
}
