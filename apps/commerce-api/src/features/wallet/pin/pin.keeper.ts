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

const STATE = 'SELECT pin_hash, pin_locked_until FROM wallet WHERE store_id = $1';
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
  ) {}

  hash(pin: string): Promise<string> {
    return this.hasher.hash(pin);
  }

  async state(storeId: string, sql: Sql = this.sql): Promise<PinState> {
    const [state] = await sql.query<PinState>(STATE, [storeId]);
    return state ?? { pin_hash: null, pin_locked_until: null };
  }

  /** Throws `pin_not_set`, `pin_locked` with the time to wait, and `InvalidInput` of the field with the tries that are left. */
  async prove(storeId: string, pin: string, field: string): Promise<ProvenPin> {
    const turn = this.turns.get(storeId) ?? { mutex: new Mutex(), waiting: 0 };
    this.turns.set(storeId, turn);
    turn.waiting += 1;
    try {
      return await turn.mutex.run(() => this.tried(storeId, pin, field));
    } finally {
      turn.waiting -= 1;
      if (turn.waiting === 0) this.turns.delete(storeId);
    }
  }

  private async tried(storeId: string, pin: string, field: string): Promise<ProvenPin> {
    const now = this.clock.now();
    const [counted] = await this.sql.query<{ pin_hash: string; pin_attempts: number }>(TRY, [storeId, now]);
    if (!counted) throw await this.refusal(storeId, field, now);
    const { pin_hash: hash, pin_attempts: nth } = counted;
    if (!(await this.matches(storeId, hash, pin))) throw pinRefusals.wrong(field, PIN_TRIES - nth);
    await this.sql.query(RIGHT, [storeId, hash]);
    return { hash };
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
