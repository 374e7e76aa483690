import { dataOf, done, type Endpoint } from '@platform/http';
import { endpoint as ofService } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { PermissionsAnswer, RoleBody, RolesAnswer, RoleView } from './roles.dto';
import * as examples from './roles.examples';
import { permissions, roleRefusals, type RolesService } from './roles.service';

const endpoint = ofService.withDefaults({ tag: 'Team', unknownKeys: 'refuse', refuses: [] });

export const rolesEndpoints = (roles: RolesService): Endpoint[] => [
  endpoint({
    get: '/api/team/roles',
    summary: 'Roles with what they allow: those of every store, then its own',
    guard: 'team.manage',
    reply: RolesAnswer,
    examples: examples.list,
    handle: async ({ caller }) => ({ data: await roles.list(caller.storeId) }),
  }),
  endpoint({
    post: '/api/team/roles',
    summary: 'Create a role of what you may do yourself',
    guard: 'team.manage',
    status: 201,
    body: RoleBody,
    reply: dataOf(RoleView, 'Role created'),
    refuses: [refusals.nameTaken, refusals.grantTooFar, roleRefusals.tooMany],
    examples: examples.create,
    handle: ({ caller, body }) => roles.create(caller, body),
  }),
  endpoint({
    put: '/api/team/roles/{id}',
    summary: 'Change a role; its members may do at once what it says',
    guard: 'team.manage',
    body: RoleBody,
    reply: dataOf(RoleView, 'Role updated'),
    refuses: ['notFound', refusals.nameTaken, refusals.grantTooFar, refusals.systemRole],
    examples: examples.change,
    handle: ({ caller, params, body }) => roles.change(caller, params.id, body),
  }),
  endpoint({
    delete: '/api/team/roles/{id}',
    summary: 'Delete a role that nobody has',
    guard: 'team.manage',
    reply: done('Role deleted'),
    refuses: ['notFound', refusals.roleInUse, refusals.systemRole],
    examples: examples.remove,
    handle: ({ caller, params }) => roles.remove(caller, params.id),
  }),
  endpoint({
    get: '/api/team/permissions',
    summary: 'What a role can allow',
    guard: 'team.manage',
    reply: PermissionsAnswer,
    examples: examples.permissionList,
    handle: () => ({ data: permissions() }),
  }),
];
