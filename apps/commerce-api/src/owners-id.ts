import { Text } from '@platform/validation';
import { uuidv5, uuidv7 } from '@platform/runtime';
import type { By } from './by';

/** Of a thing that another service will own: who asks again under the same key gets the same thing, however much later. */
export class OwnersKey {
  @Text({
    ...{ optional: true, description: 'Under one key a thing is made once, for ever' },
    ...{ pattern: /^[\x21-\x7e]{1,255}$/, mismatch: { tag: 'format', text: 'must be 1 to 255 printable characters' } },
  })
  'idempotency-key'?: string;
}

const SPACE = '5b3c2f0e-7f52-5a0b-9c1d-6b8f2a4d9e17';

/** The id of a new thing: a key belongs to whoever uses it, in their store, and means one id; without one every thing is another. */
export const ownersId = (
  { storeId, actor }: Pick<By, 'storeId' | 'actor'>,
  kind: string,
  headers: OwnersKey,
): string => {
  const key = headers['idempotency-key'];
  return key === undefined ? uuidv7() : uuidv5(SPACE, JSON.stringify([storeId, actor, kind, key]));
};
