/** Heartbeats for which a device may be nobody's before anybody takes it, whatever his share. */
const PATIENT_BEATS = 3;
/** Heartbeats for which nothing is given up after what was given up came back: nobody else can serve it. */
const REST_BEATS = 360;

/** What one process knows at a heartbeat. */
export interface Attendance {
  /** Milliseconds, of any clock. */
  readonly now: number;
  /** How many there are, without those that cannot be served here. */
  readonly devices: number;
  /** How many are alive, this one included. */
  readonly processes: number;
  /** Devices of this process. */
  readonly held: readonly string[];
  /** Devices of nobody. */
  readonly free: readonly string[];
}

export interface Moves {
  readonly take: readonly string[];
  readonly giveUp?: string;
}

/**
 * Shares the devices among the processes that are alive: each takes no more than its part, and who has more gives up one at
 * a time, the next when somebody has taken the one before. What nobody takes is anybody's.
 */
export class LeaseShare {
  /** Since when a device is nobody's. */
  private orphans = new Map<string, number>();
  private readonly given = new Set<string>();
  private givesAgainAt = -Infinity;

  constructor(private readonly beatMs: number) {}

  decide({ now, devices, processes, held, free }: Attendance): Moves {
    // Who is alone has no limit: a device that is new must not wait for the next count
    const share = processes > 1 ? Math.ceil(devices / processes) : Infinity;
    this.orphans = new Map(free.map((id) => [id, this.orphans.get(id) ?? now]));
    const room = Math.max(0, share - held.length);
    const forgotten = free.slice(room).filter((id) => this.isForgotten(id, now));
    if (forgotten.some((id) => this.given.has(id))) this.givesAgainAt = now + REST_BEATS * this.beatMs;
    const take = [...free.slice(0, room), ...forgotten];
    // Somebody is about to take what became free lately; what lies there for longer is nobody's to wait for
    const isMoving = free.some((id) => !this.isForgotten(id, now));
    const giveUp = held.length > share && !isMoving && now >= this.givesAgainAt ? held.at(-1) : undefined;
    if (giveUp === undefined) return { take };
    this.given.add(giveUp);
    this.givesAgainAt = now + this.beatMs;
    return { take, giveUp };
  }

  private isForgotten(id: string, now: number): boolean {
    return now - (this.orphans.get(id) ?? now) >= PATIENT_BEATS * this.beatMs;
  }
}
