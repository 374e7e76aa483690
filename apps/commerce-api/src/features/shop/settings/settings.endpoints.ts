import { CustomBody, Reply, type Endpoint } from '@platform/http';
import { endpoint as ofService } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { SettingsAnswer, VersionOfGroup } from './settings.dto';
import * as examples from './settings.examples';
import type { SettingsService } from './settings.service';

const endpoint = ofService.withDefaults({ tag: 'Settings and reports', refuses: [] });

type Values = Readonly<Record<string, unknown>>;
/** Its rules depend on the group, so the service reads it. */
const groupBody = new CustomBody<Values>(VersionOfGroup, (fields) => fields);
class FlatSettings {}
const flatBody = new CustomBody<Values>(FlatSettings, (fields) => fields);

const DEPRECATED = { headers: { Deprecation: 'true' } };

const groups = (settings: SettingsService): Endpoint[] => [
  endpoint({
    get: '/api/settings',
    summary: 'All groups of settings',
    guard: 'settings.read',
    reply: SettingsAnswer,
    examples: examples.all,
    handle: async ({ caller }) => ({ data: await settings.all(caller.storeId) }),
  }),
  endpoint({
    get: '/api/settings/{group}',
    summary: 'One group of settings',
    guard: 'settings.read',
    reply: SettingsAnswer,
    refuses: ['notFound'],
    examples: examples.one,
    handle: async ({ caller, params }) => ({ data: await settings.one(caller.storeId, params.group) }),
  }),
  endpoint({
    put: '/api/settings/{group}',
    summary: 'Change members of one group',
    guard: 'settings.write',
    body: groupBody,
    reply: SettingsAnswer,
    refuses: ['notFound', refusals.versionConflict],
    examples: examples.groupChange,
    handle: async ({ caller, params, body }) => ({
      message: 'Settings updated',
      data: await settings.change(caller, params.group, body),
    }),
  }),
];

/** The same rows under flat keys, for older clients. */
const flat = (settings: SettingsService): Endpoint[] => [
  endpoint({
    get: '/api/setting',
    summary: 'All settings under flat keys; use `/api/settings`',
    guard: 'settings.read',
    reply: SettingsAnswer,
    examples: examples.flat,
    handle: async ({ caller }) => new Reply({ data: await settings.flat(caller.storeId) }, DEPRECATED),
  }),
  endpoint({
    put: '/api/setting',
    summary: 'Change settings by flat keys; use `/api/settings/{group}`',
    guard: 'settings.write',
    body: flatBody,
    reply: SettingsAnswer,
    examples: examples.flatChange,
    handle: async ({ caller, body }) =>
      new Reply({ message: 'Settings updated', data: await settings.changeFlat(caller, body) }, DEPRECATED),
  }),
];

export const settingsEndpoints = (settings: SettingsService): Endpoint[] => [...groups(settings), ...flat(settings)];
