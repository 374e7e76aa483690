import { InvalidInput, NotFound } from '@platform/errors';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

export const unknownUser = (): NotFound => new NotFound('pengguna tidak ditemukan', { code: 'user_not_found' });

export const isUuid = (text: string): boolean => UUID.test(text);

/** What cannot be an id of a user belongs to nobody. */
export const userIdOf = (id: string): string => {
  if (isUuid(id)) return id.toLowerCase();
  throw unknownUser();
};

/** Stores are made when they are first heard of, so their ids have to be usable ones. */
export const storeIdOf = (id: string): string => {
  if (/^[\w.:-]{1,36}$/.test(id)) return id;
  const message = 'store_id must be 1 to 36 letters, digits or . : _ -';
  throw new InvalidInput([{ field: 'store_id', tag: 'format', message }]);
};
