export { Contact, ContactAddress, ContactNote, SegmentQuery, type ContactRow } from './contact.dto';
export { contactById, contactListing, refuseUnknown } from './contact.sql';
export { ofAllChats } from './contacts.guard';
export type { ContactsParts, ContactsService } from './contacts.service';
export type { ContactsRoutes } from './contacts.endpoints';
export { isUnwanted } from './unwanted';
