import type { Reader } from '../../../web/i18n/reader';
import { action } from '../../../web/page';
import { Seen } from '../../../web/seen';
import type { Typed } from '../../../web/sessions/drafts';
import { within } from '../../../web/within';
import { hoursTyped, hoursTypedAt } from '../hours/public';
import { NewStoreBody, StoreChange, StoreService, StoreStatusChange, type StoreParts } from '../store/public';
import { shopProfileTexts } from './shop.texts';

/** The form of the profile. */
class ProfileEdit extends StoreChange {
  @Seen() seen!: string;
}

const TO = '/settings/shop';
const isEmpty = (value: unknown): boolean => typeof value !== 'string' || value.trim() === '';

/** Without the days that are closed; an address of which nothing is typed is none. */
export const shopTyped = (typed: Typed): Typed => {
  const read = hoursTyped(typed);
  const isPlace = (name: string) => name.startsWith('address[');
  if (Object.keys(read).some((name) => isPlace(name) && !isEmpty(read[name]))) return read;
  const others = Object.entries(read).filter(([name]) => !isPlace(name));
  return { ...Object.fromEntries(others), address: '' };
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
      ...{ body: ProfileEdit, reads: shopTyped, typedAt: hoursTypedAt },
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
