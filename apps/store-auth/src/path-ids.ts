import { InvalidInput, NotFound } from '@platform/errors';
import { parameter, uuid } from '@platform/http';

export const unknownUser = (): NotFound => new NotFound('pengguna tidak ditemukan', { code: 'user_not_found' });

/** What cannot be an id of a user belongs to nobody. */
export const userId = uuid.refusing(unknownUser);

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
