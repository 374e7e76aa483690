import { Anything } from '@platform/validation';
import type { AreaParts } from '../../../area';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import type { Typed } from '../../../web/sessions/drafts';
import { percentsTyped } from '../../../web/percent';
import { within } from '../../../web/within';
import { SettingsService, type SettingGroup, type SettingsParts } from '../settings/public';
import { StoreService, type StoreParts } from '../store/public';
import { settingsTexts } from './settings.texts';
import { shopActions, shopLabels } from './shop.actions';
import { shopProfileTexts } from './shop.texts';
import { SettingsView, type Settings } from './settings.view';
import { widgetAction, widgetLabels, widgetShown } from './widget.action';
import { widgetTexts } from './widget.texts';

/** Its rules depend on the group, so the service reads it. */
class SettingsEdit {
  @Anything() given!: Typed;
}

const PATH = '/settings/{group}';
const labels = (t: Reader) => ({ ...settingsTexts(t).names, ...shopLabels(t), ...widgetLabels(t) });
const conflicts = { paymentRequired: { text: (t: Reader) => shopProfileTexts(t).full } };

/** What a shop is, and how it works: its profile, and the groups of its settings. */
export const settingsPages = (parts: SettingsParts & StoreParts & Pick<AreaParts, 'database'>): Pages => {
  const settings = new SettingsService(parts);
  const store = new StoreService(parts);
  const one = page({
    ...{ get: PATH, ability: 'settings.read', back: '/dashboard', labels, conflicts },
    title: ({ t, data }) => settingsTexts(t).title({ group: settingsTexts(t).groups[data.group] }),
    rules: (t) => ({ host: widgetTexts(t).host }),
    load: async ({ viewer: { caller }, params: { group = '' } }): Promise<Settings> => {
      if (group === 'shop')
        return { group, store: await store.show(caller.storeId), closedWith: await store.closedWith(caller.storeId) };
      if (group === 'widget') return { group, ...(await widgetShown(parts, await store.show(caller.storeId))) };
      return { group: group as SettingGroup, values: await settings.one(caller.storeId, group) };
    },
    view: SettingsView,
  });
  const posted = actions({
    ...{ post: PATH, ability: 'settings.write', of: one },
    on: {
      ...shopActions(parts),
      widget: widgetAction(parts),
      save: action({
        ...{ body: SettingsEdit, reads: (typed) => ({ given: percentsTyped(typed) }) },
        run: ({ viewer, params: { group = '' }, body: { given }, tx }) =>
          new SettingsService({ ...parts, database: within(tx) }).change(viewer.caller, group, given, 'form'),
        done: (_, { t, params: { group = '' } }) => ({ to: `/settings/${group}`, flash: settingsTexts(t).saved }),
      }),
    },
  });
  return (kit) => [one, posted].flatMap((pages) => pages(kit));
};
