import type { Jid } from '../engine.types';
import type { IdentityStore, Known } from '../identity.store';

export const isLid = (jid: string): boolean => jid.endsWith('@lid');
export const isGroup = (jid: string): boolean => jid.endsWith('@g.us');
const isNumber = (jid: string): boolean => jid.endsWith('@s.whatsapp.net');

/** Without the device part: `628…:12@s.whatsapp.net` and `628…_1@…` are `628…@s.whatsapp.net`. */
export const bare = (jid: string): Jid => jid.replace(/[:_]\d+(?=@)/, '').replace(/@c\.us$/, '@s.whatsapp.net');

export const sameUser = (one: string, other: string | undefined): boolean =>
  other !== undefined && bare(one) === bare(other);

/** Whoever was told at any time knows better. */
const NOBODY_KNOWS_WHEN = 0;

export interface PeopleOptions {
  readonly identities: IdentityStore;
  /** What the library learned by itself. */
  readonly mapped: (lid: Jid) => Promise<string | null>;
  /** A LID turned out to be this number. */
  readonly news: (lid: Jid, number: Jid) => void;
}

export interface Person {
  readonly jid: Jid;
  /** What WhatsApp names this person by who hides the number, where that is known. */
  readonly lid?: Jid;
  /** Since when the number is known, epoch seconds, where it is only remembered: absent where both are named. */
  readonly lidSince?: number;
}

/** Who is meant: WhatsApp names people by number or by LID, our callbacks by number whenever it is known (design 3.2). */
export class People {
  constructor(private readonly options: PeopleOptions) {}

  /** `alternative`: the other form, which WhatsApp often sends along; `at`: when it did, epoch seconds. */
  async person(address: string, alternative?: string, at?: number): Promise<Person> {
    const jid = bare(address);
    const other = alternative === undefined ? '' : bare(alternative);
    const [lid, number] = isLid(jid) ? [jid, other] : [other, jid];
    if (isLid(lid) && isNumber(number)) {
      await this.learn(lid, number, at);
      return { jid: number, lid };
    }
    if (!isLid(jid)) return { jid };
    const known = await this.numberOf(jid);
    return known ? { jid: known.pn, lid: jid, lidSince: known.since } : { jid, lid: jid };
  }

  async learn(lid: string, number: string, at?: number): Promise<void> {
    const [from, to] = [bare(lid), bare(number)];
    if (await this.options.identities.learn(from, to, at)) this.options.news(from, to);
  }

  private async numberOf(lid: Jid): Promise<Known | undefined> {
    const known = await this.options.identities.numberOf(lid);
    if (known !== undefined) return known;
    const mapped = await this.options.mapped(lid);
    // The library keeps what a LID was once
    if (mapped === null || (await this.options.identities.isTaken(bare(mapped)))) return undefined;
    await this.learn(lid, mapped, NOBODY_KNOWS_WHEN);
    return { pn: bare(mapped), since: NOBODY_KNOWS_WHEN };
  }
}
