import { endpoint } from '../../endpoint';
import { callRefusals, refusals } from '../../refusals';
import { GroupChange, GroupChangeReply, GroupQuery, GroupReply, NewGroup, NewGroupReply } from './groups.dto';
import { createExamples, participantsExamples } from './groups.examples';
import type { GroupsService } from './groups.service';

const routes = { tag: 'groups', guard: 'perimeter' } as const;

export const groupEndpoints = (groups: GroupsService) => [
  endpoint({
    ...routes,
    post: '/api/group/create',
    summary: 'Makes a group with the device as its owner',
    body: NewGroup,
    reply: NewGroupReply,
    refuses: callRefusals,
    examples: createExamples,
    handle: async ({ body }) => ({ message: 'group created', data: await groups.create(body) }),
  }),
  endpoint({
    ...routes,
    get: '/api/group/info',
    summary: 'A group that the device is in',
    query: GroupQuery,
    reply: GroupReply,
    refuses: [...callRefusals, refusals.groupNotFound],
    handle: async ({ query }) => ({ message: 'group info', data: await groups.info(query) }),
  }),
  endpoint({
    ...routes,
    post: '/api/group/participants',
    summary: 'Adds, removes, promotes or demotes participants; one that fails does not hold up the others',
    body: GroupChange,
    reply: GroupChangeReply,
    refuses: [...callRefusals, refusals.groupNotFound],
    examples: participantsExamples,
    handle: async ({ body }) => ({ message: 'group participants updated', data: await groups.change(body) }),
  }),
];
