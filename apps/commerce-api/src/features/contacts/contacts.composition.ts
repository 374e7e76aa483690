import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import type { ImportKind } from '../../imports/public';
import { contactsAbilities } from './contacts.abilities';
import { contactBuyers, type Buyers } from './buyers/public';
import { detailsEndpoints } from './details/details.endpoints';
import { exportsEndpoints } from './exports/exports.endpoints';
import { contactImport } from './imports/public';
import { mergingEndpoints } from './merging/merging.endpoints';
import { contactsEndpoints } from './people/contacts.endpoints';
import { ContactsService, type ContactsParts } from './people/contacts.service';
import { contactOrdersEndpoints } from './orders/contact-orders.endpoints';
import { crmEndpoint, tagsEndpoints } from './tags/tags.endpoints';

type ContactsArea = Area & { readonly buyers: Buyers; readonly imports: ImportKind };

/** People whom a shop knows, their tags, and what they have bought. */
export const composeContacts = (
  { database, clock }: AreaParts,
  { copies }: Pick<ContactsParts, 'copies'>,
): ContactsArea => {
  const [contacts, by] = [new ContactsService({ database, copies }), byOf(clock)];
  const routes = { database, contacts, by };
  return {
    buyers: contactBuyers(contacts),
    imports: contactImport(contacts.touched),
    endpoints: [
      ...exportsEndpoints(database),
      ...mergingEndpoints(routes),
      ...contactsEndpoints(routes),
      ...contactOrdersEndpoints(routes),
      ...detailsEndpoints(routes),
      ...tagsEndpoints(database, contacts.touched, by),
      crmEndpoint,
    ],
    components: [],
    abilities: contactsAbilities,
  };
};
