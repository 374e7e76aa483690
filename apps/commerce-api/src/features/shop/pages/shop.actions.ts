import type { Reader } from '../../../web/i18n/reader';
import { action } from '../../../web/page';
import { Seen } from '../../../web/seen';
import type { Typed } from '../../../web/sessions/drafts';
import { within } from '../../../web/within';
import { NewStoreBody, StoreChange, StoreService, StoreStatusChange, type StoreParts } from '../store/public';
import { shopProfileTexts } from './shop.texts';

/** The form of the profile. */
class ProfileEdit extends StoreChange {
  @Seen() seen!: string;
}

const TO = '/settings/shop';
const HOURS = /^hours\[(\d+)\]\[(open|close|day)\]$/;
const isEmpty = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

const rowsIn = (typed: Typed): string[] => {
  const isClosed = (at: string) => isEmpty(typed[`hours[${at}][open]`]) && isEmpty(typed[`hours[${at}][close]`]);
  const rows = new Set(Object.keys(typed).flatMap((name) => HOURS.exec(name)?.[1] ?? []));
  return [...rows].filter((at) => !isClosed(at));
};

/** Days that are closed are not counted in the body, and stand in the form. */
const typedAt = (name: string, typed: Typed): string =>
  name.replace(HOURS, (_, at: string, part: string) => `hours[${rowsIn(typed)[Number(at)] ?? at}][${part}]`);

/** Without the days that are closed; an address of which nothing is typed is none. */
export const shopTyped = (typed: Typed): Typed => {
  const rows = rowsIn(typed);
  const kept = Object.entries(typed).filter(([name]) => {
    const at = HOURS.exec(name)?.[1];
    return at === undefined || rows.includes(at);
  });
  const counted = kept.map(([name, value]) => [
    name.replace(HOURS, (_, at: string, part: string) => `hours[${rows.indexOf(at)}][${part}]`),
    value,
  ]);
  const others = Object.fromEntries(counted) as Record<string, unknown>;
  const places = Object.keys(others).filter((name) => name.startsWith('address['));
  const hasPlace = places.some((name) => !isEmpty(others[name]));
  if (hasPlace) return { ...others, ...(rows.length === 0 && { hours: '' }) };
  for (const name of places) delete others[name];
  return { ...others, address: '', ...(rows.length === 0 && { hours: '' }) };
};

const saidAt =
  (text: (t: Reader) => string) =>
  (_: unknown, { t }: { readonly t: Reader }) => ({
    to: TO,
    flash: text(t),
  });

/** What people do with the shop itself. */
export const shopActions = (parts: StoreParts) => {
  const store = (tx: Parameters<typeof within>[0]) => new StoreService({ ...parts, database: within(tx) });
  return {
    shop: action({
      ...{ body: ProfileEdit, reads: shopTyped, typedAt },
      run: ({ viewer, body: { seen, ...change }, tx }) => store(tx).changeShown(viewer.caller, change, seen),
      done: saidAt((t) => shopProfileTexts(t).saved),
    }),
    status: action({
      body: StoreStatusChange,
      run: ({ viewer, body, tx }) => store(tx).setStatus(viewer.caller, body),
      done: ({ status }, { t }) => ({ to: TO, flash: shopProfileTexts(t)[status === 'open' ? 'opened' : 'closed'] }),
    }),
    another: action({
      body: NewStoreBody,
      run: ({ viewer, body, tx }) => store(tx).open(tx, viewer.caller, body),
      done: ({ name }, { t }) => ({ to: TO, flash: shopProfileTexts(t).made({ name }) }),
    }),
  };
};

/** What the inputs of these forms are called. */
export const shopLabels = (t: Reader): Readonly<Record<string, string>> => {
  const { name, description, phone, line, district, city, province, postcode, hours, status, message } =
    shopProfileTexts(t);
  return {
    ...{ name, description, phone, status, message, 'hours[][open]': hours, 'hours[][close]': hours },
    ...{ 'address[line]': line, 'address[district]': district, 'address[city]': city },
    ...{ 'address[province]': province, 'address[postcode]': postcode },
  };
};
