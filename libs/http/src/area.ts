import { refusing, type Endpoint } from './endpoint';
import type { Refuses } from './refuses';

/** What the endpoints of one area share: the beginning of their paths and their heading in the documentation. */
export interface AreaOptions {
  /** `/api/coupon`, without parameters: those belong to the endpoint, whose types derive from them. */
  readonly prefix: string;
  readonly tag?: string;
  /** Refusals that each of its endpoints has besides its own. */
  readonly refuses?: Refuses;
}

/** Endpoints under one prefix and one heading; their own paths are appended to it, and may be empty. */
export const area = ({ prefix, tag, refuses }: AreaOptions, endpoints: readonly Endpoint[]): Endpoint[] => {
  if (prefix.includes('{'))
    throw new Error(`the area ${prefix} has a parameter: put it into the paths of its endpoints`);
  return endpoints.map((endpoint) => ({
    ...endpoint,
    ...refusing(refuses, endpoint.refuses),
    tag: endpoint.tag ?? tag,
    path: prefix + endpoint.path,
  }));
};
