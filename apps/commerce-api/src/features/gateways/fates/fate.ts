import { UpstreamFailed, UpstreamTimedOut } from '@platform/errors';

export type ProviderFailure = UpstreamFailed | UpstreamTimedOut;

export const isProviderFailure = (failure: unknown): failure is ProviderFailure =>
  failure instanceof UpstreamFailed || failure instanceof UpstreamTimedOut;

/**
 * What a failed request for money to leave has come to. `failed`: it surely has not left, and will not. `undone`: the provider never
 * got it, ask again. `contradicted`: refused now, but an earlier request may have been taken: somebody must look. `unknown`: ask again
 * under the same key.
 */
export type Fate = 'failed' | 'undone' | 'contradicted' | 'unknown';

/** `mayHaveIt`: an earlier request may have reached the provider. Only what was refused at the first word has surely not left. */
export const fateOf = ({ outcome }: ProviderFailure, mayHaveIt: boolean): Fate => {
  if (outcome === 'refused') return mayHaveIt ? 'contradicted' : 'failed';
  return outcome === 'undone' && !mayHaveIt ? 'undone' : 'unknown';
};
