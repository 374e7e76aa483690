import { Flag, Nested, type DtoClass } from '@platform/validation';
import { noticeEvents, type NoticeEvent } from '../../../notice.types';

/** The ways of one event. */
export class ShownWays {
  @Flag() in_app!: boolean;
  @Flag() email!: boolean;
  @Flag({ description: 'By a WhatsApp device of the store itself' }) whatsapp!: boolean;
  @Flag({ description: 'Always false: browsers are not pushed to' }) push!: boolean;
}

export class ChosenWays {
  @Flag({ optional: true }) in_app?: boolean;
  @Flag({ optional: true }) email?: boolean;
  @Flag({ optional: true }) whatsapp?: boolean;
  @Flag({ optional: true, description: 'Only false is taken' }) push?: boolean;
}

/** One member for every event. */
const byEvent = <T extends object>(name: string, decorator: PropertyDecorator): DtoClass<T> => {
  const made = { [name]: class {} }[name] as DtoClass<object>;
  for (const event of noticeEvents) decorator(made.prototype as object, event);
  return made as DtoClass<T>;
};

export type Preferences = Readonly<Record<NoticeEvent, ShownWays>>;
export const PreferencesView = byEvent<Preferences>(
  'NotificationPreferences',
  Nested(() => ShownWays) as PropertyDecorator,
);

export type PreferencesChange = Readonly<Partial<Record<NoticeEvent, ChosenWays>>>;
export const PreferencesBody = byEvent<PreferencesChange>(
  'NotificationPreferencesChange',
  Nested(() => ChosenWays, { optional: true }) as PropertyDecorator,
);
