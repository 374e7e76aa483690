import type { Jid } from '../engine.types';
import type { IdentityStore } from '../identity.store';

export const isLid = (jid: string): boolean => jid.endsWith('@lid');
export const isGroup = (jid: string): boolean => jid.endsWith('@g.us');
const isNumber = (jid: string): boolean => jid.endsWith('@s.whatsapp.net');

/** Without the device part: `628…:12@s.whatsapp.net` and `628…_1@…` are `628…@s.whatsapp.net`. */
export const bare = (jid: string): Jid => jid.replace(/[:_]\d+(?=@)/, '').replace(/@c\.us$/, '@s.whatsapp.net');

export const sameUser = (one: string, other: string | undefined): boolean =>
  other !== undefined && bare(one) === bare(other);

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
}

/** Who is meant: WhatsApp names people by number or by LID, our callbacks by number whenever it is known (design 3.2). */
export class People {
  constructor(private readonly options: PeopleOptions) {}

  /** `alternative`: the other form, which WhatsApp often sends along. */
  async person(address: string, alternative?: string): Promise<Person> {
    const jid = bare(address);
    const other = alternative === undefined ? undefined : bare(alternative);
    if (!isLid(jid)) {
      if (other === undefined || !isLid(other) || !isNumber(jid)) return { jid };
      await this.learn(other, jid);
      return { jid, lid: other };
    }
    const number = other !== undefined && isNumber(other) ? other : await this.numberOf(jid);
    if (number === undefined) return { jid, lid: jid };
    await this.learn(jid, number);
    return { jid: number, lid: jid };
  }

  async learn(lid: string, number: string): Promise<void> {
    const [from, to] = [bare(lid), bare(number)];
    if (await this.options.identities.learn(from, to)) this.options.news(from, to);
  }

  private async numberOf(lid: Jid): Promise<Jid | undefined> {
    const known = await this.options.identities.numberOf(lid);
    if (known !== undefined) return known;
    const mapped = await this.options.mapped(lid);
    // The library keeps what a LID was once
    return mapped === null || (await this.options.identities.isTaken(bare(mapped))) ? undefined : bare(mapped);
  }
}
