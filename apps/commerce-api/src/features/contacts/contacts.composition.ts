import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { Siblings } from '../../siblings.composition';
import type { ImportKind } from '../../imports/public';
import { contactsAbilities } from './contacts.abilities';
import { contactBuyers, type Buyers } from './buyers/public';
import { detailsEndpoints } from './details/details.endpoints';
import { contactsFilePages } from './exports/contacts.file.pages';
import { exportsEndpoints } from './exports/exports.endpoints';
import { contactImport } from './imports/public';
import { mergingEndpoints } from './merging/merging.endpoints';
import { contactsEndpoints } from './people/contacts.endpoints';
import { ContactsService, type ContactsParts } from './people/contacts.service';
import { contactsPages } from './pages/contacts.pages';
import { chatsWith, InboxDesk } from '../inbox/desk/public';
import { OrdersQuery, orderListing } from '../sales/orders/public';
import { contactOrdersEndpoints } from './orders/contact-orders.endpoints';
import { tellContacts } from './tags/public';
import { crmEndpoint, tagsEndpoints } from './tags/tags.endpoints';
import { tagsPages } from './tags/tags.pages';

type ContactsArea = Area & {
  /** As the staff writes them down. */
  readonly buyers: Buyers;
  /** As anybody types them. */
  readonly strangers: Buyers;
  readonly imports: ImportKind;
};

/** Orders that the page of a contact shows. */
const LATEST = 5;

/** People whom a shop knows, their tags, and what they have bought. */
export const composeContacts = (
  { database, clock, queue, siblings: { glance } }: AreaParts & { readonly siblings: Pick<Siblings, 'glance'> },
  { copies }: Pick<ContactsParts, 'copies'>,
): ContactsArea => {
  const [contacts, by] = [new ContactsService({ database, copies }), byOf(clock)];
  const routes = { database, contacts, by };
  const ordersOf = async (storeId: string, contact_id: string) => {
    const query = Object.assign(new OrdersQuery(), { contact_id, per_page: LATEST, seen: undefined });
    return (await orderListing.page(database, storeId, query)).rows;
  };
  const chatsOf = glance && chatsWith(new InboxDesk({ database, chat: glance, chatFiles: undefined }));
  const tellTagged = tellContacts(database, clock, contacts.touched);
  return {
    buyers: contactBuyers(contacts, true),
    strangers: contactBuyers(contacts, false),
    imports: contactImport(contacts.touched),
    endpoints: [
      ...exportsEndpoints(database),
      ...mergingEndpoints(routes),
      ...contactsEndpoints(routes),
      ...contactOrdersEndpoints(routes),
      ...detailsEndpoints(routes),
      ...tagsEndpoints(database, queue, by),
      crmEndpoint,
    ],
    pages: [
      contactsFilePages(database),
      tagsPages({ database, clock, queue }),
      contactsPages({ database, clock, copies, ordersOf, chatsOf }),
    ],
    components: [],
    abilities: contactsAbilities,
    // The same again changes nothing
    jobs: { 'tag.changed': { effect: 'inside', run: (tag, { signal }) => tellTagged(tag, signal) } },
  };
};
