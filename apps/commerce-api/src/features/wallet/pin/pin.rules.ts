import { Conflict, InvalidInput, type Failure } from '@platform/errors';

/** So many wrong PINs in a row; the next is not looked at. */
export const PIN_TRIES = 5;
export const PIN_LOCK_MINUTES = 30;
/** Whoever got at a mailbox has not got at the money yet. */
export const HOLD_HOURS = 24;

const wrong = (field: string, tag: string, text: string): InvalidInput =>
  new InvalidInput([{ field, tag, message: `${field} ${text}` }]);

export const pinRefusals = {
  notSet: (): Failure => new Conflict('Set a PIN first', { code: 'pin_not_set' }),
  isSet: (): Failure => new Conflict('There is a PIN already: change or reset it', { code: 'pin_set' }),
  wrong: (field: string, left: number): Failure =>
    new InvalidInput([{ field, tag: 'wrong', message: `${field} is wrong` }], { details: { attempts_left: left } }),
  locked: (field: string, seconds: number): Failure =>
    new InvalidInput([{ field, tag: 'locked', message: `${field} is locked after ${PIN_TRIES} wrong tries` }], {
      ...{ code: 'pin_locked', retryAfterSeconds: seconds },
    }),
} as const;

export const wrongCode = (): InvalidInput => wrong('code', 'invalid', 'is wrong or has expired');
export const wrongPassword = (): InvalidInput => wrong('password', 'invalid', 'is wrong');

/** Every digit is so far from the one before, 9 to 0 too: 111111, 123456, 987654, 890123. */
const isEven = (pin: string): boolean =>
  [0, 1, 9].some((step) =>
    [...pin].every((digit, at) => at === 0 || (Number(pin[at - 1]) + step) % 10 === Number(digit)),
  );

/** Throws `InvalidInput` for a PIN that is among the first that anybody tries. */
export const refuseSimple = (pin: string): void => {
  if (isEven(pin)) throw wrong('pin', 'simple', 'must not be one digit repeated or a run of digits');
};
