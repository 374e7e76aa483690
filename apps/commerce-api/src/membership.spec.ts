import type { RequestView } from '@platform/http';
import { membershipOf, withMembership, type Membership } from './membership';

const REQUEST: RequestView = {
  method: 'GET',
  path: '/',
  headers: {},
  remoteAddress: '127.0.0.1',
  address: '127.0.0.1',
};
const ROW: Membership = {
  ...{ store_id: 'S1', user_id: 'U1', name: 'Rina', system_role: 'cs', abilities: null },
  ...{ status: 'open', plan_state: null, belongs: true },
};

it('a membership that was read is found of its own user in its own store, of nobody else, and of no request without it', () => {
  const read = withMembership(REQUEST, ROW);
  expect([
    membershipOf(read, 'S1', 'U1'),
    membershipOf(read, 'S1', 'U2'),
    membershipOf(read, 'S2', 'U1'),
    membershipOf(withMembership(REQUEST, undefined), 'S1', 'U1'),
    membershipOf({ ...REQUEST, headers: { membership: 'S1' } }, 'S1', 'U1'),
  ]).toEqual([ROW, undefined, undefined, undefined, undefined]);
});
