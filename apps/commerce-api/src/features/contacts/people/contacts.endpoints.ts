import { phoneDigits } from '@platform/validation';
import type { Database } from '@platform/data';
import { NotFound } from '@platform/errors';
import { area, dataOf, done, pageOf, Reply, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { tagRefusals } from '../tags/public';
import { Contact, ContactChange, ContactRow, NewContact, SegmentQuery } from './contact.dto';
import { contactRefusals } from './contact.refusals';
import { contactById, contactByPhone, contactListing } from './contact.sql';
import { ofAllChats } from './contacts.guard';
import type { ContactsService } from './contacts.service';

export interface ContactsRoutes {
  readonly database: Database;
  readonly contacts: ContactsService;
  readonly by: ReturnType<typeof byOf>;
}

const reads = ({ database }: ContactsRoutes): Endpoint[] => [
  endpoint({
    get: '',
    summary: 'List and segment contacts',
    guard: 'contact.read',
    query: SegmentQuery,
    reply: pageOf(ContactRow),
    refuses: [refusals.abilityMissing],
    handle: (input) => contactListing.page(database, ofAllChats(input).caller.storeId, input.query),
  }),
  endpoint({
    get: '/{id}',
    summary: 'Contact with addresses and notes',
    guard: 'contact.read',
    reply: dataOf(Contact),
    refuses: ['notFound', refusals.abilityMissing],
    handle: (input) => contactById(database, ofAllChats(input).caller.storeId, input.params.id),
  }),
  endpoint({
    get: '/phone/{phone}',
    summary: 'Find contact by number',
    description: 'The number in any form that people write; also one of a contact that was merged into this one.',
    guard: 'contact.read',
    reply: dataOf(Contact),
    refuses: ['notFound', refusals.abilityMissing],
    handle: (input) => {
      const phone = phoneDigits(input.params.phone);
      if (phone === undefined) throw new NotFound('Contact not found');
      return contactByPhone(database, ofAllChats(input).caller.storeId, phone);
    },
  }),
];

const writes = ({ contacts, by }: ContactsRoutes): Endpoint[] => [
  endpoint({
    post: '',
    summary: 'Create contact',
    description: 'From a service it is an upsert by number: 200 for one that is known, who keeps their name.',
    guard: 'contact.write',
    status: 201,
    body: NewContact,
    reply: dataOf(Contact, 'Contact created'),
    refuses: [contactRefusals.phoneTaken, tagRefusals.tooMany, refusals.planLimit, refusals.abilityMissing],
    handle: async (input) => {
      if (!input.caller.isService) return contacts.create(by(ofAllChats(input)), input.body);
      const { contact, created } = await contacts.arrived(by(input), input.body);
      return new Reply(contact, { status: created ? 201 : 200 });
    },
  }),
  endpoint({
    put: '/{id}',
    summary: 'Update contact',
    guard: 'contact.write',
    body: ContactChange,
    reply: dataOf(Contact, 'Contact updated'),
    refuses: ['notFound', contactRefusals.phoneTaken, refusals.abilityMissing],
    handle: (input) => contacts.change(by(ofAllChats(input)), input.params.id, input.body),
  }),
  endpoint({
    delete: '/{id}',
    summary: 'Delete contact, keep order snapshots',
    guard: 'contact.write',
    reply: done('Contact deleted'),
    refuses: ['notFound', refusals.abilityMissing],
    handle: (input) => contacts.remove(by(ofAllChats(input)), input.params.id),
  }),
];

export const contactsEndpoints = (routes: ContactsRoutes): Endpoint[] =>
  area({ prefix: '/api/contact', tag: 'Contacts' }, [...reads(routes), ...writes(routes)]);
