import type { Contact } from './contact.dto';

/** What people set of a contact in its form. */
export const editableOf = ({ name, phone, email, birthday, opted_out }: Contact): object => ({
  ...{ name, phone, email, birthday, opted_out },
});
