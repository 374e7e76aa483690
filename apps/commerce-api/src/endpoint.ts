import { endpointsOf } from '@platform/http';
import type { Ability, Caller } from './abilities';

/** Token routes are guarded by the ability that they need: `guard: 'product.read'`. */
export const endpoint = endpointsOf<{ none: undefined } & Record<Ability, Caller>>();
