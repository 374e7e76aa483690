import { dataOf, done, uuid, type Endpoint } from '@platform/http';
import { endpoint as ofService } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { MemberChange, MemberView } from './members.dto';
import * as examples from './members.examples';
import type { MembersService } from './members.service';

const endpoint = ofService.withDefaults({ tag: 'Team', unknownKeys: 'refuse', params: { id: uuid }, refuses: [] });

export const membersEndpoints = (members: MembersService): Endpoint[] => [
  endpoint({
    put: '/api/team/{id}',
    summary: 'Give a member another role, or disable them',
    guard: 'team.manage',
    body: MemberChange,
    reply: dataOf(MemberView, 'Member updated'),
    refuses: ['notFound', refusals.isOwner, refusals.grantTooFar],
    examples: examples.change,
    handle: ({ caller, params, body }) => members.change(caller, params.id, body),
  }),
  endpoint({
    delete: '/api/team/{id}',
    summary: 'Take a member out of the store',
    guard: 'team.manage',
    reply: done('Member deleted'),
    refuses: ['notFound', refusals.isOwner],
    examples: examples.remove,
    handle: ({ caller, params }) => members.remove(caller, params.id),
  }),
];
