import { normaliseNohp } from '@platform/contracts';
import type { Recipient } from './broadcast.dto';
import type { RecipientRow } from './broadcast.repository';

/** A campaign goes to people, not to groups. */
const numberOf = (nohp: string): string | undefined => {
  const number = normaliseNohp(nohp);
  return number?.endsWith('@g.us') ? undefined : number;
};

/** Recipients of one call, each number once with how often it came, in the order of their first appearance. */
export const recipientRows = (recipients: readonly Recipient[]): RecipientRow[] => {
  const rows = new Map<string, RecipientRow>();
  for (const { nohp, nama = null, params = null } of recipients) {
    const number = numberOf(nohp);
    const key = number ?? nohp.trim();
    const known = rows.get(key);
    rows.set(
      key,
      known
        ? { ...known, times: known.times + 1 }
        : { ord: rows.size, nohp: key, valid: number !== undefined, nama, params, times: 1 },
    );
  }
  return [...rows.values()];
};
