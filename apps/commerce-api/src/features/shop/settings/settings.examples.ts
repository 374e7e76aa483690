import type { Example } from '@platform/http';
import { noToken, refused, succeeded } from '../../../examples';
import { settingGroupNames, settingGroups } from './settings.dto';

const defaults = Object.fromEntries(
  settingGroupNames.map((name) => [name, { ...settingGroups[name].defaults, version: 0 }]),
);
const flatDefaults = Object.fromEntries(
  settingGroupNames.flatMap((name) =>
    Object.entries(settingGroups[name].defaults).map(([member, value]) => [`${name}.${member}`, value as unknown]),
  ),
);
/** Beside it, the members that change. */
const change = { version: 0 };
const changed = { ...settingGroups.order.defaults, version: 1 };

export const all: readonly Example[] = [succeeded(defaults), noToken()];

export const one: readonly Example[] = [succeeded({ ...settingGroups.order.defaults, version: 0 }), noToken()];

export const groupChange: readonly Example[] = [
  succeeded(changed, { request: change, message: 'Settings updated' }),
  refused('somebody else was first', change, 409, {
    message: 'Somebody else has changed it since: read it again',
    code: 'version_conflict',
  }),
  noToken(change),
];

export const flat: readonly Example[] = [succeeded(flatDefaults), noToken()];

/** Its members are `group.name`, such as `order.cancel_unpaid_hours`. */
const flatRequest = {};
export const flatChange: readonly Example[] = [
  succeeded(flatDefaults, { request: flatRequest, message: 'Settings updated' }),
  noToken(flatRequest),
];
