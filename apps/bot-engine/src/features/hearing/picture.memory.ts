const MB = 1024 * 1024;

/** Bytes of pictures that turns hold while a model looks at them, of all stores and of one. In a request each takes several times its size. */
const MOST = { all: 48 * MB, store: 20 * MB };
/** The last quarter is for stores that hold none: a few with many pictures never have it all. */
const FREE_FOR_ALL = MOST.all * (3 / 4);

/** Shares the memory for pictures among stores, until their turns are over. */
export class PictureMemory {
  private readonly held = new Map<string, number>();
  private all = 0;

  /** The function that gives the room back, or nothing when there is none. */
  take(storeId: string, bytes: number): (() => void) | undefined {
    const own = this.held.get(storeId) ?? 0;
    if (own + bytes > MOST.store || this.all + bytes > (own > 0 ? FREE_FOR_ALL : MOST.all)) return undefined;
    this.add(storeId, bytes);
    return () => this.add(storeId, -bytes);
  }

  private add(storeId: string, bytes: number): void {
    this.all += bytes;
    const own = (this.held.get(storeId) ?? 0) + bytes;
    if (own > 0) this.held.set(storeId, own);
    else this.held.delete(storeId);
  }
}
