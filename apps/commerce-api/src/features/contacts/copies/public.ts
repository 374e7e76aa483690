export { customerCopies } from './contact.copy';
export { forgotten, touchedBy, type Touched } from './contacts.touched';
