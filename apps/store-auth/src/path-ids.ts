import { InvalidInput } from '@platform/errors';
import { parameter, uuid } from '@platform/http';
import { refusals } from './refusals';

/** A text that cannot be a user's id is treated as an unknown one. */
export const userId = uuid.refusing(refusals.userNotFound);

const STORE_ID = /^[\w.:-]{1,36}$/;

/** Stores are created on first mention, so a malformed id is refused as invalid input. */
export const storeId = parameter(
  { type: 'string', pattern: STORE_ID.source },
  (raw) => (STORE_ID.test(raw) ? raw : undefined),
  () => {
    const message = 'store_id must be 1 to 36 letters, digits or . : _ -';
    return new InvalidInput([{ field: 'store_id', tag: 'format', message }]);
  },
);
