import type { ImportItem } from '../../../imports/public';
import type { ContactCells } from './contact.cells';

/** A contact as its row tells it. */
export interface ContactItem extends ImportItem, Omit<ContactCells, 'tags'> {
  readonly tags: readonly string[];
}
