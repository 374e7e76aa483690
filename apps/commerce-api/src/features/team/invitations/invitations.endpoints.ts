import { dataOf, done, uuid, type Endpoint } from '@platform/http';
import { endpoint as ofService } from '../../../endpoint';
import { refusals } from '../../../refusals';
import type { MembersService } from '../members/public';
import { InvitationBody, InvitationView, Team } from './invitations.dto';
import * as examples from './invitations.examples';
import type { InvitationsService } from './invitations.service';

const endpoint = ofService.withDefaults({ tag: 'Team', unknownKeys: 'refuse', params: { id: uuid }, refuses: [] });

/** Messages to strangers, also by inviting and withdrawing in turn. */
export const INVITING_RATE = { requests: 60, perSeconds: 3600, by: 'caller' } as const;

export const invitationsEndpoints = (members: MembersService, invitations: InvitationsService): Endpoint[] => [
  endpoint({
    get: '/api/team',
    summary: 'Who works in the store, and who is invited',
    guard: 'team.manage',
    reply: dataOf(Team),
    examples: examples.list,
    handle: async ({ caller: { storeId } }) => {
      const [staff, invited] = await Promise.all([members.list(storeId), invitations.list(storeId)]);
      return { members: staff, invitations: invited };
    },
  }),
  endpoint({
    post: '/api/team/invite',
    summary: 'Send somebody a link, good for seven days, to work in the store',
    guard: 'team.manage',
    status: 201,
    body: InvitationBody,
    reply: dataOf(InvitationView, 'Invitation created'),
    refuses: ['notFound', refusals.planLimit, refusals.alreadyMember, refusals.alreadyInvited, refusals.grantTooFar],
    rate: INVITING_RATE,
    examples: examples.invite,
    handle: ({ caller, body }) => invitations.invite(caller, body),
  }),
  endpoint({
    post: '/api/team/invitation/{id}/resend',
    summary: 'Another link for seven days, at most one message a minute; the one before it is void',
    guard: 'team.manage',
    reply: dataOf(InvitationView, 'Invitation updated'),
    refuses: ['notFound', refusals.grantTooFar],
    rate: INVITING_RATE,
    examples: examples.resend,
    handle: ({ caller, params }) => invitations.resend(caller, params.id),
  }),
  endpoint({
    delete: '/api/team/invitation/{id}',
    summary: 'Withdraw an invitation; its link opens nothing any more',
    guard: 'team.manage',
    reply: done('Invitation deleted'),
    refuses: ['notFound'],
    examples: examples.withdraw,
    handle: ({ caller, params }) => invitations.withdraw(caller, params.id),
  }),
];
