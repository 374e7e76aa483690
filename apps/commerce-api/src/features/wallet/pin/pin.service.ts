import type { Database, Sql } from '@platform/data';
import type { Caller } from '../../../abilities';
import { audited, type Writer } from '../../../by';
import type { AccountsClient } from '../../../clients/store-auth.accounts';
import type { NewPin, PinChange, PinReset } from './pin.dto';
import type { PinCodes } from './pin.codes';
import type { PinKeeper } from './pin.keeper';
import { HOLD_HOURS, pinRefusals, PIN_TRIES, refuseSimple, wrongCode, wrongPassword } from './pin.rules';

const FIRST = `
  INSERT INTO wallet AS w (store_id, pin_hash, created_at, updated_at) VALUES ($1, $2, $3, $3)
  ON CONFLICT (store_id) DO UPDATE SET pin_hash = excluded.pin_hash, pin_attempts = 0, pin_locked_until = NULL, updated_at = $3
    WHERE w.pin_hash IS NULL
  RETURNING w.store_id`;
const CHANGE =
  'UPDATE wallet SET pin_hash = $3, updated_at = $4 WHERE store_id = $1 AND pin_hash = $2 RETURNING store_id';
const RESET = `UPDATE wallet SET pin_hash = $2, pin_attempts = 0, pin_locked_until = NULL, updated_at = $3,
    hold_until = $3::timestamptz + interval '${HOLD_HOURS} hours'
  WHERE store_id = $1 RETURNING hold_until`;

/** That it changed, and never what it is. */
const told = (tx: Sql, by: Writer, before: object, after: object): Promise<void> =>
  audited(tx, by, { action: 'wallet.withdraw', type: 'wallet', id: by.storeId, before, after });

export interface PinParts {
  readonly database: Database;
  readonly keeper: PinKeeper;
  readonly codes: PinCodes;
  readonly accounts: Pick<AccountsClient, 'provePassword'>;
}

/** The PIN of a wallet: who knows it may let money out. */
export class PinService {
  constructor(private readonly parts: PinParts) {}

  /** Throws `pin_set`, and `InvalidInput` for a simple PIN and for a password that is not the caller's. */
  async set(caller: Caller, by: Writer, { pin, password }: NewPin): Promise<void> {
    const { keeper, accounts, database } = this.parts;
    refuseSimple(pin);
    if ((await keeper.state(by.storeId)).pin_hash !== null) throw pinRefusals.isSet();
    if (!(await accounts.provePassword(caller.actor, password, { ip: caller.address }))) throw wrongPassword();
    const hash = await keeper.hash(pin);
    await database.tx(async (tx) => {
      const set = await tx.query(FIRST, [by.storeId, hash, by.at]);
      if (set.length === 0) throw pinRefusals.isSet();
      await told(tx, by, { pin_set: false }, { pin_set: true });
    });
  }

  /** Throws as `PinKeeper.prove` does, and `InvalidInput` for a simple PIN. */
  async change(by: Writer, { current_pin, pin }: PinChange): Promise<void> {
    const { keeper, database } = this.parts;
    refuseSimple(pin);
    const proven = await keeper.prove(by.storeId, { pin: current_pin, field: 'current_pin' });
    const hash = await keeper.hash(pin);
    await database.tx(async (tx) => {
      const changed = await tx.query(CHANGE, [by.storeId, proven.hash, hash, by.at]);
      // Somebody else was faster: what was right a moment ago is wrong now
      if (changed.length === 0) throw pinRefusals.wrong('current_pin', PIN_TRIES);
      await told(tx, by, { pin: 'one' }, { pin: 'another' });
    });
  }

  /** Has a code sent to the caller. Throws `pin_not_set`. */
  async forget(by: Writer): Promise<void> {
    if ((await this.parts.keeper.state(by.storeId)).pin_hash === null) throw pinRefusals.notSet();
    await this.parts.codes.request(by.storeId, by.actor);
  }

  /** With the code that the caller was sent last; for a day nothing is withdrawn then. Throws `pin_not_set`, `InvalidInput`. */
  async reset(by: Writer, { code, pin }: PinReset): Promise<void> {
    const { keeper, codes, database } = this.parts;
    refuseSimple(pin);
    const proven = await codes.prove(by.storeId, by.actor, code);
    if (!proven) throw wrongCode();
    const hash = await keeper.hash(pin);
    await database.tx(async (tx) => {
      if (!(await codes.use(tx, by.storeId, by.actor, proven))) throw wrongCode();
      const [held] = await tx.query<{ hold_until: Date }>(RESET, [by.storeId, hash, by.at]);
      if (!held) throw pinRefusals.notSet();
      await told(tx, by, { pin: 'one' }, { pin: 'another', hold_until: held.hold_until });
    });
  }
}
