/** The shop whose past is made up, and when it is now. */
export interface Scene {
  readonly storeId: string;
  readonly currency: string;
  readonly clocks: LocalTime;
  readonly now: Date;
  /** How long it has been open. */
  readonly days: number;
  /** Who works there, the owner first. */
  readonly staff: readonly [Staff, ...Staff[]];
}

export interface Staff {
  readonly id: string;
  readonly name: string;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The clocks of a place. */
export class LocalTime {
  private readonly format: Intl.DateTimeFormat;
  /** By hours since 1970: asking costs. */
  private readonly known = new Map<number, number>();

  constructor(timeZone: string) {
    this.format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  }

  /** How far they are ahead of UTC at that moment. */
  private aheadMs(at: Date): number {
    const hour = Math.floor(at.getTime() / HOUR_MS);
    const ahead = this.known.get(hour) ?? this.asked(at);
    this.known.set(hour, ahead);
    return ahead;
  }

  private asked(at: Date): number {
    const name = this.format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
  }

  /** The last midnight. */
  midnight(at: Date): Date {
    const ahead = this.aheadMs(at);
    return new Date(Math.floor((at.getTime() + ahead) / DAY_MS) * DAY_MS - ahead);
  }

  /** What they show, as the UTC parts of a date. */
  shown(at: Date): Date {
    return new Date(at.getTime() + this.aheadMs(at));
  }
}

export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
