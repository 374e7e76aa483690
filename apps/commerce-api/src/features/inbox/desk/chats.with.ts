import type { Caller } from '../../../abilities';
import type { InboxDesk } from './inbox.desk';
import type { InboxRow } from './inbox.types';

/** Chats with a number, by whichever device, as far as their reader sees them; what was written last comes first. Undefined: too many are like it. */
export const chatsWith =
  (desk: Pick<InboxDesk, 'rows'>) =>
  async (caller: Caller, phone: string): Promise<readonly InboxRow[] | undefined> => {
    const { rows, isBroad } = await desk.rows(caller, { view: 'all', q: phone });
    if (isBroad) return undefined;
    // A number is also found where it stands in another one, or in what was said
    return rows.filter(({ contact }) => contact.phone === phone);
  };
