import { NotFound, Rejected, Unavailable, type Failure } from '@platform/errors';
import type { PeerOptions } from '@platform/http';
import type { RefusalDetails } from './commerce.client';

const MOST_PLACES = 5;

const labelOf = (place: unknown): string[] => {
  const { label } = (place ?? {}) as { label?: unknown };
  return typeof label === 'string' ? [label] : [];
};

/** A refusal with its code and fields. */
export class Refused extends Rejected {
  told(): RefusalDetails {
    const { errors, data } = this.details as { errors?: RefusalDetails['errors']; data?: unknown };
    const places = Array.isArray(data) ? data.flatMap(labelOf).slice(0, MOST_PLACES) : [];
    return { ...(errors && { errors }), ...(places.length > 0 && { places }) };
  }
}

/** Our signature was seen before, or is none. */
export class SignatureRefused extends Rejected {}

/** commerce-api answers this where it has no route; where it has, it names what was not found. */
export const isUnknownRoute = ({ message }: Failure): boolean => message === 'Not found';

export const COMMERCE_REFUSALS: NonNullable<PeerOptions['refusals']> = {
  store_suspended: Refused,
  invalid_signature: SignatureRefused,
  400: Refused,
  402: Refused,
  404: NotFound,
  409: Refused,
  410: Refused,
  422: Refused,
  429: Unavailable,
};
