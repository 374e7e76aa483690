import { Text } from '@platform/validation';
import { instantOf, LOCAL, localOf } from '../../web/i18n/local.time';
import type { Typed } from '../../web/sessions/drafts';
import { NewBroadcast, type Broadcast } from './broadcasts.dto';

/** The form of a new one: its time is that of the clocks of the store. */
export class BroadcastForm extends NewBroadcast {
  @Text({ optional: true, pattern: LOCAL, mismatch: { tag: 'date', text: 'must be a date and a time' } })
  override schedule_at?: string;
}

/** Made of another one. */
export class NewBroadcastQuery {
  @Text({ optional: true, format: 'uuid' }) from?: string;
}

export const ALL = 'audience[all]';
const LISTS = ['audience[tag_ids]', 'audience[exclude_tag_ids]'];
const BESIDE = new Set(['look']);

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && !value.length);

/** What was typed as the API's DTO reads it: nothing that was left empty, no choices beside "all", no text beside a template. */
export const broadcastTyped = (typed: Typed): Typed => {
  const isAll = typed[ALL] === 'true';
  const isTemplate = !isEmpty(typed['message[template_id]']);
  const fits = (name: string): boolean =>
    !BESIDE.has(name) &&
    !(isAll && name.startsWith('audience[') && name !== ALL) &&
    !(isTemplate && name === 'message[text]');
  const given = Object.entries(typed).filter(([name, value]) => !isEmpty(value) && fits(name));
  // For nobody in particular: the service says so
  if (!given.some(([name]) => name.startsWith('audience['))) given.push([ALL, 'false']);
  return Object.fromEntries(
    given.map(([name, value]) => [name, LISTS.includes(name) ? [value].flat() : value]),
  ) as Typed;
};

/** Whether it is only asked who would get it. */
export const looks = (typed: Typed): boolean => typed.look !== undefined;

/** The body of the API. */
export const bodyOf = (form: BroadcastForm, timeZone: string): NewBroadcast => {
  const { schedule_at: local } = form;
  return Object.assign(new NewBroadcast(), form, {
    ...(local !== undefined && { schedule_at: instantOf(local, timeZone, 'schedule_at') }),
  });
};

/** What is there of another one, by the names of the inputs. */
export const givenBy = (
  { name, device_id, audience, message, schedule_at, rate_per_minute, quiet_hours }: Broadcast,
  timeZone: string,
): Readonly<Record<string, string | readonly string[]>> => {
  const { segment } = audience ?? {};
  const all: Readonly<Record<string, string | number | readonly string[] | null | undefined>> = {
    ...{ name, device_id, [ALL]: audience?.all === true ? 'true' : '', rate_per_minute },
    ...{ 'audience[tag_ids]': audience?.tag_ids, 'audience[exclude_tag_ids]': audience?.exclude_tag_ids },
    'audience[segment][last_order_days]': segment?.last_order_days,
    'audience[segment][min_orders]': segment?.min_orders,
    'audience[segment][city]': segment?.city,
    ...{ 'message[text]': message?.text, 'message[template_id]': message?.template_id },
    schedule_at: schedule_at === null ? undefined : localOf(schedule_at, timeZone),
    ...{ 'quiet_hours[from]': quiet_hours?.from, 'quiet_hours[to]': quiet_hours?.to },
  };
  const known = Object.entries(all).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(
    known.map(([key, value]) => [key, typeof value === 'number' ? String(value) : value]),
  ) as never;
};
