import { Failure, type AnyFailure } from '@platform/errors';
import type { Areas } from '../../shipping/areas/public';
import { anonymousBuyer } from '../../shipping/rates/public';
import type { SessionKey } from './session';

export type FoundPlace = Awaited<ReturnType<Areas['search']>>[number];
export type PlaceFinder = Pick<Areas, 'named' | 'search'>;

/** Who knows places does not answer, or was asked too often. */
const AWAY: ReadonlySet<AnyFailure['kind']> = new Set([
  ...(['upstreamFailed', 'upstreamTimedOut', 'unavailable', 'tooMany'] as const),
]);
export const isAway = (failure: unknown): boolean =>
  failure instanceof Failure && AWAY.has((failure as AnyFailure).kind);

/** Fewer letters name no place. */
const SHORTEST = 3;

interface Sought {
  readonly key: SessionKey;
  /** Of the buyer's network. */
  readonly address: string;
  /** As the buyer wrote it. */
  readonly place: string;
}

/** The places that these words may mean: one that is sure, several to choose from, or none where nobody can say. */
export const placesOf = async (areas: PlaceFinder, { key, address, place }: Sought): Promise<readonly FoundPlace[]> => {
  if (place.length < SHORTEST) return [];
  const asker = anonymousBuyer(key.id, address);
  try {
    const sure = await areas.named(key.storeId, [place], asker);
    return sure ? [sure] : await areas.search(key.storeId, place, undefined, asker);
  } catch (failure) {
    if (isAway(failure)) return [];
    throw failure;
  }
};
