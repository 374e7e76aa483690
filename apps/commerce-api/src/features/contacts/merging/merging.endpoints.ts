import { area, dataOf, type Endpoint } from '@platform/http';
import { rowEndpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { Contact, ofAllChats, type ContactsRoutes } from '../people/public';
import { bulkTag, mergeContacts, setTags } from './merging';
import { BulkTag, BulkTagged, Merge, TagSet } from './merging.dto';

const endpoint = rowEndpoint.withDefaults({ refuses: ['notFound', refusals.abilityMissing] });

/** What is done to several contacts or tags at once. */
export const mergingEndpoints = ({ database, contacts, by }: ContactsRoutes): Endpoint[] => {
  const { touched } = contacts;
  return area({ prefix: '/api/contact', tag: 'Contacts' }, [
    endpoint({
      post: '/merge',
      summary: 'Merge duplicate contacts',
      guard: 'contact.write',
      body: Merge,
      reply: dataOf(Contact, 'Contacts merged'),
      handle: (input) => database.tx((tx) => mergeContacts(tx, by(ofAllChats(input)), touched, input.body)),
    }),
    endpoint({
      post: '/bulk-tag',
      summary: 'Tag or untag many contacts',
      guard: 'contact.write',
      body: BulkTag,
      reply: dataOf(BulkTagged, 'Contacts updated'),
      handle: (input) => database.tx((tx) => bulkTag(tx, by(ofAllChats(input)), touched, input.body)),
    }),
    endpoint({
      put: '/{id}/tags',
      summary: 'Set tags of a contact',
      guard: 'contact.write',
      body: TagSet,
      reply: dataOf(Contact, 'Contact updated'),
      handle: (input) =>
        database.tx((tx) => setTags(tx, by(ofAllChats(input)), touched, [input.params.id, input.body])),
    }),
  ]);
};
