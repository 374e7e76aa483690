import { createHmac } from 'node:crypto';
import type { SecretHasher } from '@platform/auth/hashing';
import type { Sql } from '@platform/data';
import { Mutex, type Clock } from '@platform/runtime';
import { PIN_LOCK_MINUTES, PIN_TRIES, pinRefusals } from './pin.rules';

/** A lock that is over begins a new count. */
const NTH = '(CASE WHEN pin_locked_until IS NULL THEN pin_attempts + 1 ELSE 1 END)';

/**
 * Counts a try before it is made: $1 store, $2 now. Of many at once each takes the row in turn, and none beyond the fifth gets the hash;
 * the fifth locks, which a right PIN lifts again.
 */
const TRY = `
  UPDATE wallet SET pin_attempts = ${NTH}, updated_at = $2,
    pin_locked_until = CASE WHEN ${NTH} >= ${PIN_TRIES} THEN $2::timestamptz + interval '${PIN_LOCK_MINUTES} minutes' END
  WHERE store_id = $1 AND pin_hash IS NOT NULL AND (pin_locked_until IS NULL OR pin_locked_until <= $2)
  RETURNING pin_hash, pin_attempts`;

const STATE = 'SELECT pin_hash, pin_locked_until, pin_attempts, pin_tried FROM wallet WHERE store_id = $1';
/** A wrong PIN is known again when the same request comes again: $1 store, $2 hash, $3 what was tried. */
const WRONG = 'UPDATE wallet SET pin_tried = $3 WHERE store_id = $1 AND pin_hash = $2';
/** Only for the PIN that was right: another one has a count of its own. */
const RIGHT = 'UPDATE wallet SET pin_attempts = 0, pin_locked_until = NULL WHERE store_id = $1 AND pin_hash = $2';

/** One that was counted and not made, for want of a place to make it in. */
const UNTRIED = `UPDATE wallet SET pin_attempts = pin_attempts - 1, pin_locked_until = NULL
  WHERE store_id = $1 AND pin_hash = $2 AND pin_attempts > 0`;

/** A PIN that was right. Where it takes effect, the wallet must still have this hash. */
export interface ProvenPin {
  readonly hash: string;
}

export interface PinState {
  readonly pin_hash: string | null;
  readonly pin_locked_until: Date | null;
  readonly pin_attempts: number;
  readonly pin_tried: string | null;
}

/** A PIN that somebody types. */
export interface TypedPin {
  readonly pin: string;
  /** Of the input that it was typed in. */
  readonly field: string;
  /** Of the request: however often it is sent, its PIN is one try. Undefined: each is one. */
  readonly key?: string;
}

/**
 * Whether the PIN of a wallet is known to who asks. Never inside of a transaction: a try counts, whatever becomes of it. Those of one store
 * are looked at one after the other: many right ones at once are not taken for many tries.
 */
export class PinKeeper {
  private readonly turns = new Map<string, { readonly mutex: Mutex; waiting: number }>();

  constructor(
    private readonly sql: Sql,
    private readonly hasher: SecretHasher,
    private readonly clock: Clock,
    private readonly pepper: string,
  ) {}

  hash(pin: string): Promise<string> {
    return this.hasher.hash(pin);
  }

  async state(storeId: string, sql: Sql = this.sql): Promise<PinState> {
    const [state] = await sql.query<PinState>(STATE, [storeId]);
    return state ?? { pin_hash: null, pin_locked_until: null, pin_attempts: 0, pin_tried: null };
  }

  /** Throws `pin_not_set`, `pin_locked` with the time to wait, and `InvalidInput` of the field with the tries that are left. */
  async prove(storeId: string, typed: TypedPin): Promise<ProvenPin> {
    const turn = this.turns.get(storeId) ?? { mutex: new Mutex(), waiting: 0 };
    this.turns.set(storeId, turn);
    turn.waiting += 1;
    try {
      return await turn.mutex.run(() => this.tried(storeId, typed));
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) this.turns.delete(storeId);
    }
  }

  private async tried(storeId: string, typed: TypedPin): Promise<ProvenPin> {
    const { pin, field } = typed;
    const now = this.clock.now();
    await this.refuseAgain(storeId, typed);
    const [counted] = await this.sql.query<{ pin_hash: string; pin_attempts: number }>(TRY, [storeId, now]);
    if (!counted) throw await this.refusal(storeId, field, now);
    const { pin_hash: hash, pin_attempts: nth } = counted;
    if (!(await this.matches(storeId, hash, pin))) {
      await this.sql.query(WRONG, [storeId, hash, this.nameOf(hash, typed)]);
      throw pinRefusals.wrong(field, PIN_TRIES - nth);
    }
    await this.sql.query(RIGHT, [storeId, hash]);
    return { hash };
  }

  /** What was wrong a moment ago is so still: whoever sends it again learns nothing, and loses no try. */
  private async refuseAgain(storeId: string, typed: TypedPin): Promise<void> {
    if (typed.key === undefined) return;
    const { pin_hash: hash, pin_tried: tried, pin_attempts: nth, pin_locked_until: locked } = await this.state(storeId);
    // Whoever is locked out is told so, and after that tries anew
    if (locked !== null || hash === null || tried === null || tried !== this.nameOf(hash, typed)) return;
    throw pinRefusals.wrong(typed.field, PIN_TRIES - nth);
  }

  /** Says nothing of the PIN to whoever reads it; undefined for one that comes with no request. */
  private nameOf(hash: string, { pin, key }: TypedPin): string | undefined {
    if (key === undefined) return undefined;
    return createHmac('sha256', this.pepper)
      .update(JSON.stringify([hash, key, pin]))
      .digest('base64url');
  }

  private async matches(storeId: string, hash: string, pin: string): Promise<boolean> {
    try {
      return await this.hasher.matches(hash, pin);
    } catch (busy) {
      await this.sql.query(UNTRIED, [storeId, hash]);
      throw busy;
    }
  }

  private async refusal(storeId: string, field: string, now: Date): Promise<Error> {
    const { pin_hash: hash, pin_locked_until: until } = await this.state(storeId);
    if (hash === null) return pinRefusals.notSet();
    return pinRefusals.locked(field, until ? (until.getTime() - now.getTime()) / 1000 : 1);
  }
}
