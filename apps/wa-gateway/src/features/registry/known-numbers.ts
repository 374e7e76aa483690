import type { Cache } from '@platform/data';
import type { Jid, WaEngine } from '../../engines/engine.types';

const LIMIT_MS = 3_000;
const DAY_SECONDS = 86_400;

const keyOf = (instanceId: string, number: Jid): string => `exists:${instanceId}:${number}`;

/** Which numbers WhatsApp knows, remembered for a day: asking again and again restricts an account as well (design 3.3). */
export class KnownNumbers {
  constructor(private readonly cache: Cache) {}

  /** Undefined when WhatsApp does not say within 3 s, or its engine cannot ask. Never rejects. */
  async isRegistered(instanceId: string, engine: WaEngine, number: Jid): Promise<boolean | undefined> {
    if (engine.capabilities.exists !== true) return undefined;
    const remembered = await this.remembered(instanceId, number);
    if (remembered !== undefined) return remembered;
    const known = await this.ask(engine, number);
    const key = keyOf(instanceId, number);
    if (known !== undefined) await this.cache.set(key, known ? 'yes' : 'no', DAY_SECONDS).catch(() => undefined);
    return known;
  }

  /** What WhatsApp said within a day; nobody is asked. */
  async remembered(instanceId: string, number: Jid): Promise<boolean | undefined> {
    const known = await this.cache.get(keyOf(instanceId, number)).catch(() => null);
    return known === null ? undefined : known === 'yes';
  }

  private async ask(engine: WaEngine, number: Jid): Promise<boolean | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), LIMIT_MS);
    });
    const answer = engine.exists([number]).then((known) => known.get(number));
    return Promise.race([answer, limit])
      .catch(() => undefined)
      .finally(() => clearTimeout(timer));
  }
}
