import type { Example } from '@platform/http';
import { invalid, noToken, refused, succeeded } from '../../../examples';
import { settingGroupNames, settingGroups } from './settings.dto';

const defaults = Object.fromEntries(
  settingGroupNames.map((name) => [name, { ...settingGroups[name].defaults, version: 0 }]),
);
const flatDefaults = Object.fromEntries(
  settingGroupNames.flatMap((name) =>
    Object.entries(settingGroups[name].defaults).map(([member, value]) => [`${name}.${member}`, value as unknown]),
  ),
);
const change = { cancel_unpaid_hours: 48, version: 0 };
const changed = { cancel_unpaid_hours: 48, auto_complete_days: 3, version: 1 };

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

export const flat: readonly Example[] = [succeeded({ ...flatDefaults, 'order.cancel_unpaid_hours': 48 }), noToken()];

const flatRequest = { 'order.cancel_unpaid_hours': 24 };
export const flatChange: readonly Example[] = [
  succeeded(flatDefaults, { request: flatRequest, message: 'Settings updated' }),
  invalid(
    'a key that nobody knows',
    { 'order.cancel_hours': 1 },
    'order.cancel_hours',
    'order.cancel_hours is not a known field',
  ),
  noToken(flatRequest),
];
