export { ContactDetails } from './details';
export { NewNote } from './details.dto';
