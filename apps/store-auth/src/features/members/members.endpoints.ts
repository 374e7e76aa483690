import { internalEndpoint } from '../../endpoint';
import { success } from '../../success';
import { refusals } from '../../refusals';
import { DoneReply } from '../web-sessions/public';
import { AppliedReply, MembershipBody, RemoveMembershipBody, StoreBody } from './members.dto';
import { deleteMembersExamples, putMembersExamples, storesExamples } from './members.examples';
import type { MembershipService } from './membership.service';

const PATH = '/internal/memberships/{store_id}/{user_id}';

export const memberEndpoints = (memberships: MembershipService) => [
  internalEndpoint({
    put: '/internal/stores/{store_id}',
    summary: 'Name and state of a store; a suspended one loses its logins',
    guard: 'identity',
    body: StoreBody,
    reply: DoneReply,
    refuses: [],
    examples: storesExamples,
    handle: async ({ params, body: { nama: name, status } }) => {
      await memberships.setStore(params.store_id, { name, status });
      return { status: 'success' as const, message: 'toko disimpan' };
    },
  }),
  internalEndpoint({
    put: PATH,
    summary: 'What a user is in a store; the store is made when it is new',
    guard: 'identity',
    body: MembershipBody,
    reply: AppliedReply,
    refuses: [refusals.userNotFound, refusals.lastOwner],
    examples: putMembersExamples,
    handle: async ({ params, body: { updated_at: updatedAt, ...body } }) => {
      const wanted = { ...body, updatedAt: new Date(updatedAt) };
      const applied = await memberships.put(params.store_id, params.user_id, wanted);
      return success('keanggotaan disimpan', { applied });
    },
  }),
  internalEndpoint({
    delete: PATH,
    summary: 'Takes a user out of a store',
    guard: 'identity',
    body: RemoveMembershipBody,
    reply: AppliedReply,
    refuses: [refusals.lastOwner],
    examples: deleteMembersExamples,
    handle: async ({ params, body: { updated_at: updatedAt } }) => {
      const at = updatedAt === undefined ? undefined : new Date(updatedAt);
      const applied = await memberships.remove(params.store_id, params.user_id, at);
      return success('keanggotaan dihapus', { applied });
    },
  }),
];
