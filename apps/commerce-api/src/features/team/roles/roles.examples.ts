import type { Example } from '@platform/http';
import { abilities, knownAbilities } from '../../../abilities';
import { noToken, refused, succeeded } from '../../../examples';
import { systemRoleNames, systemRoles } from '../../../roles';

const wanted = { name: 'Kasir', abilities: ['order.read', 'order.write'] };
const missing = { message: 'Role not found', code: 'not_found' };

export const list: readonly Example[] = [
  succeeded(
    systemRoleNames.map((name) => ({
      id: name,
      name,
      system: true,
      abilities: systemRoles[name],
      members: name === 'owner' ? 1 : 0,
    })),
  ),
  noToken(),
];

export const create: readonly Example[] = [
  succeeded(
    { id: '<id>', ...wanted, system: false, members: 0 },
    { request: wanted, status: 201, message: 'Role created' },
  ),
  refused('the name is taken', wanted, 409, { message: 'The name is taken', code: 'name_taken' }),
  noToken(wanted),
];

export const change: readonly Example[] = [refused('one that nobody has', wanted, 404, missing), noToken(wanted)];

export const remove: readonly Example[] = [refused('one that nobody has', undefined, 404, missing), noToken()];

export const permissionList: readonly Example[] = [
  succeeded(knownAbilities.map((ability) => ({ ability, area: ability.split('.')[0], text: abilities[ability] }))),
  noToken(),
];
