import { area, dataOf, done, type Endpoint } from '@platform/http';
import { Address } from '../../../address.dto';
import { rowEndpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { Contact, ContactAddress, ContactNote, ofAllChats, type ContactsRoutes } from '../people/public';
import { ContactDetails, detailRefusals } from './details';
import { Block, NewNote } from './details.dto';

const endpoint = rowEndpoint.withDefaults({ refuses: ['notFound', refusals.abilityMissing] });

const addresses = (details: ContactDetails, { database, by }: ContactsRoutes): Endpoint[] => [
  endpoint({
    post: '/{id}/addresses',
    summary: 'Add address',
    guard: 'contact.write',
    status: 201,
    body: Address,
    reply: dataOf(ContactAddress, 'Address created'),
    refuses: [detailRefusals.tooManyAddresses],
    handle: (input) => database.tx((tx) => details.addAddress(tx, by(ofAllChats(input)), input.params.id, input.body)),
  }),
  endpoint({
    put: '/{id}/addresses/{addressId}',
    summary: 'Update address',
    guard: 'contact.write',
    body: Address,
    reply: dataOf(ContactAddress, 'Address updated'),
    handle: (input) => {
      const { id, addressId } = input.params;
      return database.tx((tx) => details.changeAddress(tx, by(ofAllChats(input)), [id, addressId], input.body));
    },
  }),
  endpoint({
    delete: '/{id}/addresses/{addressId}',
    summary: 'Remove address',
    guard: 'contact.write',
    reply: done('Address deleted'),
    handle: (input) => {
      const { id, addressId } = input.params;
      return database.tx((tx) => details.removeAddress(tx, by(ofAllChats(input)), [id, addressId]));
    },
  }),
];

const about = (details: ContactDetails, { database, by, contacts }: ContactsRoutes): Endpoint[] => [
  endpoint({
    post: '/{id}/notes',
    summary: 'Add note',
    guard: 'contact.write',
    status: 201,
    body: NewNote,
    reply: dataOf(ContactNote, 'Note created'),
    handle: (input) => {
      const note = { text: input.body.text, author: input.caller.name };
      return database.tx((tx) => details.addNote(tx, by(ofAllChats(input)), input.params.id, note));
    },
  }),
  endpoint({
    put: '/{id}/block',
    summary: 'Block or unblock contact',
    guard: 'contact.write',
    body: Block,
    reply: dataOf(Contact, 'Contact updated'),
    handle: (input) => {
      const { blocked, reason } = input.body;
      return contacts.block(by(ofAllChats(input)), input.params.id, blocked, reason);
    },
  }),
];

/** What is written down about a contact. */
export const detailsEndpoints = (routes: ContactsRoutes): Endpoint[] => {
  const details = new ContactDetails(routes.contacts.touched);
  return area({ prefix: '/api/contact', tag: 'Contacts' }, [...addresses(details, routes), ...about(details, routes)]);
};
