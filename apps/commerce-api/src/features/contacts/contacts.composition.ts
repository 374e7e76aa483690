import type { Area, AreaParts } from '../../area';
import { byOf } from '../../by';
import { contactsAbilities } from './contacts.abilities';
import { detailsEndpoints } from './details/details.endpoints';
import { exportsEndpoints } from './exports/exports.endpoints';
import { mergingEndpoints } from './merging/merging.endpoints';
import { contactsEndpoints } from './people/contacts.endpoints';
import { ContactsService, type ContactsParts } from './people/contacts.service';
import { crmEndpoint, tagsEndpoints } from './tags/tags.endpoints';

/** People whom a shop knows, and their tags. */
export const composeContacts = ({ database, clock, copies }: AreaParts & Pick<ContactsParts, 'copies'>): Area => {
  const [contacts, by] = [new ContactsService({ database, copies }), byOf(clock)];
  const routes = { database, contacts, by };
  return {
    endpoints: [
      ...exportsEndpoints(database),
      ...mergingEndpoints(routes),
      ...contactsEndpoints(routes),
      ...detailsEndpoints(routes),
      ...tagsEndpoints(database, contacts.touched, by),
      crmEndpoint,
    ],
    components: [],
    abilities: contactsAbilities,
  };
};
