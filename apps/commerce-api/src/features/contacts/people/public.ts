export {
  Contact,
  ContactAddress,
  ContactChange,
  ContactNote,
  NewContact,
  SegmentQuery,
  type ContactRow,
} from './contact.dto';
export { editableOf } from './contact.edit';
export { contactById, contactListing, refuseUnknown } from './contact.sql';
export { ofAllChats } from './contacts.guard';
export { ContactsService, type ContactsParts } from './contacts.service';
export type { ContactsRoutes } from './contacts.endpoints';
export { isForgotten, isUnwanted } from './unwanted';
