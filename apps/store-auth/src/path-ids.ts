import { InvalidInput } from '@platform/errors';
import { parameter, uuid } from '@platform/http';
import { refusals } from './refusals';

/** What cannot be an id of a user belongs to nobody. */
export const userId = uuid.refusing(refusals.userNotFound);

const STORE_ID = /^[\w.:-]{1,36}$/;

/** Stores are made when they are first heard of, so an id that cannot name one is refused as an input is. */
export const storeId = parameter(
  { type: 'string', pattern: STORE_ID.source },
  (raw) => (STORE_ID.test(raw) ? raw : undefined),
  () => {
    const message = 'store_id must be 1 to 36 letters, digits or . : _ -';
    return new InvalidInput([{ field: 'store_id', tag: 'format', message }]);
  },
);
