import type { Example } from '@platform/http';
import { abilities, knownAbilities } from '../../../abilities';
import { NEW_ID, noToken, refused, succeeded } from '../../../examples';
import { systemRoleNames, systemRoles } from '../../../roles';

const wanted = { name: 'Kasir', abilities: ['order.read', 'order.write'] };
const missing = { message: 'Role not found', code: 'not_found' };

const system = systemRoleNames.map((name) => ({
  id: name,
  name,
  system: true,
  abilities: systemRoles[name],
  members: name === 'owner' || name === 'cs' ? 1 : 0,
}));

export const list: readonly Example[] = [
  succeeded([...system, { id: NEW_ID, name: 'Tamu', system: false, abilities: [], members: 0 }]),
  noToken(),
];

export const create: readonly Example[] = [
  succeeded(
    { id: NEW_ID, ...wanted, system: false, members: 0 },
    { request: wanted, status: 201, message: 'Role created' },
  ),
  refused('the name is taken', wanted, 409, { message: 'The name is taken', code: 'name_taken' }),
  noToken(wanted),
];

export const change: readonly Example[] = [
  succeeded(
    { id: NEW_ID, name: 'Admin toko', abilities: ['order.read'], system: false, members: 0 },
    { request: { name: 'Admin toko', abilities: ['order.read'] }, message: 'Role updated' },
  ),
  refused('one that nobody has', wanted, 404, missing),
  noToken(wanted),
];

export const remove: readonly Example[] = [
  succeeded(null, { message: 'Role deleted' }),
  refused('one that nobody has', undefined, 404, missing),
  noToken(),
];

export const permissionList: readonly Example[] = [
  succeeded(knownAbilities.map((ability) => ({ ability, area: ability.split('.')[0], text: abilities[ability] }))),
  noToken(),
];
