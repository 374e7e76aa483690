import { LruCache, type Clock, type Logger } from '@platform/runtime';
import type { Jid, WaEngine } from '../../engines/engine.types';

const DAY_MS = 86_400_000;
/** Addresses kept in memory, those used last. */
const MAX_KEPT = 10_000;
/** Concurrent requests: after an outage a thousand chats write at once, and no picture is worth a rate limit. */
const MAX_ASKING = 4;

interface Kept {
  readonly address: string | undefined;
  readonly until: number;
}

/** Where the pictures of people and groups are: kept for a day, asked for in the background (design 2.6). */
export class ProfilePictures {
  private readonly kept = new LruCache<string, Kept>({ limit: MAX_KEPT });
  private readonly asking = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** The address if it is known. Otherwise it is fetched in the background: nothing waits for a picture. */
  now(instanceId: string, engine: WaEngine, of: Jid): string | undefined {
    if (engine.capabilities.profile_pic !== true) return undefined;
    const key = `${instanceId}|${of}`;
    const known = this.kept.get(key);
    if (!known || known.until <= this.clock.now().getTime()) this.ask(key, engine, of);
    return known?.address;
  }

  private ask(key: string, engine: WaEngine, of: Jid): void {
    if (this.asking.has(key) || this.asking.size >= MAX_ASKING) return;
    this.asking.add(key);
    const failed = (cause: unknown): void => this.logger.debug('a profile picture could not be fetched', { cause });
    engine
      .profilePicture(of)
      .then((address) => this.keep(key, address), failed)
      .finally(() => this.asking.delete(key));
  }

  private keep(key: string, address: string | undefined): void {
    this.kept.set(key, { address, until: this.clock.now().getTime() + DAY_MS });
  }
}
