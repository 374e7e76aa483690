type Read<Found> = () => Promise<Found>;

/** One key's reads: the one under way, and the one after it that those who come meanwhile wait for. */
interface Turns<Found> {
  next: Promise<Found> | undefined;
  readonly under: Promise<unknown>;
}

/**
 * One read for all who ask the same while such a read is under way: who asks first reads at once, and those who come meanwhile share
 * the next, which begins when that one ends. So an answer is always read after it was asked for, never before, and no key waits for another.
 * Who shares a read shares its result, which nobody may change, or its failure.
 */
export const joined = <Found>(): ((key: string, read: Read<Found>) => Promise<Found>) => {
  const all = new Map<string, Turns<Found>>();
  const begin = (key: string, read: Read<Found>): Promise<Found> => {
    const reading = read();
    const ended = reading.then(
      () => undefined,
      () => undefined,
    );
    const turns: Turns<Found> = { next: undefined, under: ended };
    all.set(key, turns);
    void ended.then(() => {
      if (turns.next === undefined) all.delete(key);
    });
    return reading;
  };
  return (key, read) => {
    const turns = all.get(key);
    if (turns === undefined) return begin(key, read);
    return (turns.next ??= turns.under.then(() => begin(key, read)));
  };
};
