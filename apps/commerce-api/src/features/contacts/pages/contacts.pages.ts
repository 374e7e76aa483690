import { Text } from '@platform/validation';
import type { Caller } from '../../../abilities';
import type { AreaParts } from '../../../area';
import { byOf } from '../../../by';
import { ifTold } from '../../../web/away';
import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { Seen } from '../../../web/seen';
import { action, actions, form, page } from '../../../web/page';
import { within } from '../../../web/within';
import { ContactDetails, NewNote } from '../details/public';
import {
  ContactChange,
  contactById,
  contactListing,
  ContactsService,
  NewContact,
  SegmentQuery,
  type ContactsParts,
} from '../people/public';
import { ContactPage, type ChatWith, type Ordered } from './contact.view';
import { contactTexts } from './contacts.texts';
import { contactName, ContactList, ContactsView, ContactTools } from './contacts.view';

interface Parts extends Pick<AreaParts, 'database' | 'clock'>, Pick<ContactsParts, 'copies'> {
  /** The latest orders of a contact. */
  readonly ordersOf: (storeId: string, contactId: string) => Promise<readonly Ordered[]>;
  /** Chats with a number that the caller sees; undefined: there is no chat. */
  readonly chatsOf: ((caller: Caller, phone: string) => Promise<readonly ChatWith[] | undefined>) | undefined;
}

/** The form of a contact. */
class ContactEdit extends ContactChange {
  @Seen() seen!: string;
}

/** Its form tells by its name whether it blocks. */
class Blocking {
  @Text({ optional: true, max: 200, trim: true }) reason?: string;
}

const labels = (t: Reader) => {
  const say = contactTexts(t);
  return {
    ...{ name: say.name, phone: say.phone, email: say.email, birthday: say.birthday, opted_out: say.wishes },
    ...{ text: say.addNote, reason: say.reason },
  };
};
const conflicts = {
  phone_taken: { field: 'phone', text: (t: Reader) => contactTexts(t).phoneTaken },
};
const shared = { labels, conflicts };

const READ = 'contact.read+chat.all';
const WRITE = 'contact.write+chat.all';

const listPage = ({ database }: Parts) =>
  page({
    get: '/contacts',
    ability: READ,
    query: SegmentQuery,
    title: ({ t }) => t.nav.places.contacts,
    load: ({ viewer: { caller }, query }) => contactListing.page(database, caller.storeId, query),
    view: ContactsView,
    fragments: { list: ContactList },
    tools: ContactTools,
    ...shared,
  });

const onePage = ({ database, ordersOf, chatsOf }: Parts) =>
  page({
    get: '/contacts/{id}',
    ability: READ,
    back: '/contacts',
    title: ({ data }) => contactName(data.contact),
    load: async ({ viewer: { caller }, params }) => {
      const contact = await contactById(database, caller.storeId, params.id ?? '');
      const [orders, chats] = await Promise.all([
        ordersOf(caller.storeId, contact.id),
        chatsOf && caller.abilities.has('chat.reply') ? ifTold(chatsOf(caller, contact.phone)) : undefined,
      ]);
      return { contact, orders, chats };
    },
    view: ContactPage,
    ...shared,
  });

const to = (id = ''): string => `/contacts/${id}`;

/** What one contact's forms do. */
const changes = ({ clock, copies }: Parts, of: ReturnType<typeof onePage>): Pages => {
  const by = byOf(clock);
  const people = (tx: Parameters<typeof within>[0]) => new ContactsService({ database: within(tx), copies });
  const blocking = (blocked: boolean) =>
    action({
      body: Blocking,
      run: ({ viewer, params, body, tx }) => people(tx).block(by(viewer), params.id ?? '', blocked, body.reason),
      done: (contact, { t }) => {
        const [say, name] = [contactTexts(t), contactName(contact)];
        return { to: to(contact.id), flash: blocked ? say.blockedNow({ name }) : say.unblockedNow({ name }) };
      },
    });
  return actions({
    ...{ post: '/contacts/{id}', ability: WRITE, of },
    on: {
      save: action({
        body: ContactEdit,
        run: ({ viewer, params, body: { seen, ...change }, tx }) =>
          people(tx).change(by(viewer), params.id ?? '', change, seen),
        done: (contact, { t }) => ({
          ...{ to: to(contact.id), flash: contactTexts(t).saved({ name: contactName(contact) }) },
        }),
      }),
      note: action({
        body: NewNote,
        run: ({ viewer: { caller }, params, body, tx }) => {
          const note = { text: body.text, author: caller.name };
          return new ContactDetails(people(tx).touched).addNote(tx, by({ caller }), params.id ?? '', note);
        },
        done: (_, { t, params }) => ({ to: to(params.id), flash: contactTexts(t).noteAdded }),
      }),
      block: blocking(true),
      unblock: blocking(false),
    },
  });
};

/** What the API's contacts are to people. Who sees only the customers of their own chats is refused, as there. */
export const contactsPages = (parts: Parts): Pages => {
  const [all, single] = [listPage(parts), onePage(parts)];
  const created = form({
    ...{ post: '/contacts', ability: WRITE, of: all },
    body: NewContact,
    run: ({ viewer, body, tx }) =>
      new ContactsService({ database: within(tx), copies: parts.copies }).create(byOf(parts.clock)(viewer), body),
    done: (contact, { t }) => ({
      ...{ to: to(contact.id), flash: contactTexts(t).created({ name: contactName(contact) }) },
    }),
  });
  return (kit) => [all, created, single, changes(parts, single)].flatMap((pages) => pages(kit));
};
