import { addressGroup } from '@platform/http';

/** For whom the provider is asked: none of them uses up what the others need. */
export type Share = 'buyers' | 'staff' | 'tracking';

/** Who asks, as far as their questions are counted. */
export interface Asker {
  readonly share: Share;
  /** What may cause no more than so many requests in a day, besides the share. */
  readonly each: readonly { readonly name: string; readonly most: number }[];
}

/** Of what a store may ask in a day. Nobody knows who buyers are, so that theirs may be used up; the others' is small, and not theirs. */
export const SHARES: Readonly<Record<Share, number>> = { buyers: 0.5, staff: 0.25, tracking: 0.25 };

const OF_A_CART = 20;
/** Many buyers come from one address of a mobile network. */
const OF_AN_ADDRESS = 100;

export const STAFF: Asker = { share: 'staff', each: [] };
export const TRACKING: Asker = { share: 'tracking', each: [] };

/** Somebody with a cart, whom nobody knows. */
export const anonymousBuyer = (cartId: string, address: string): Asker => ({
  share: 'buyers',
  each: [
    { name: `cart ${cartId}`, most: OF_A_CART },
    { name: `address ${addressGroup(address)}`, most: OF_AN_ADDRESS },
  ],
});
