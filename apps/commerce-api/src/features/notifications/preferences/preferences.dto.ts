import { Flag, Nested, type DtoClass } from '@platform/validation';
import { noticeEvents, type NoticeEvent } from '../../../notice.types';
import { PushShown, PushSubscriptionGiven } from '../pushes/public';

/** The ways of one event. */
export class ShownWays {
  @Flag() in_app!: boolean;
  @Flag() email!: boolean;
  @Flag({ description: 'By a WhatsApp device of the store itself' }) whatsapp!: boolean;
  @Flag({ description: 'By the browsers that its member has named' }) push!: boolean;
}

export class ChosenWays {
  @Flag({ optional: true }) in_app?: boolean;
  @Flag({ optional: true }) email?: boolean;
  @Flag({ optional: true }) whatsapp?: boolean;
  @Flag({ optional: true, description: 'Only false is taken where browsers are not pushed to' }) push?: boolean;
}

/** One member for every event. */
const byEvent = <T extends object>(name: string, decorator: PropertyDecorator): DtoClass<T> => {
  const made = { [name]: class {} }[name] as DtoClass<object>;
  for (const event of noticeEvents) decorator(made.prototype as object, event);
  return made as DtoClass<T>;
};

/** The ways of every event. */
export type EventWays = Readonly<Record<NoticeEvent, ShownWays>>;
export type Preferences = EventWays & { readonly push: PushShown };
export const PreferencesView = byEvent<Preferences>(
  'NotificationPreferences',
  Nested(() => ShownWays) as PropertyDecorator,
);
(Nested(() => PushShown) as PropertyDecorator)(PreferencesView.prototype as object, 'push');

export type WaysChange = Readonly<Partial<Record<NoticeEvent, ChosenWays>>>;
export type PreferencesChange = WaysChange & {
  readonly push_subscription?: PushSubscriptionGiven;
  readonly push_content?: boolean;
};
export const PreferencesBody = byEvent<PreferencesChange>(
  'NotificationPreferencesChange',
  Nested(() => ChosenWays, { optional: true }) as PropertyDecorator,
);
const ofBrowsers: readonly (readonly [name: string, decorator: object])[] = [
  [
    'push_subscription',
    Nested(() => PushSubscriptionGiven, { optional: true, description: 'Adds or removes a browser' }),
  ],
  ['push_content', Flag({ optional: true, description: 'Whether a push shows what was written; first: no' })],
];
for (const [name, decorator] of ofBrowsers) (decorator as PropertyDecorator)(PreferencesBody.prototype as object, name);
