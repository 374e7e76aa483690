import { jidOf, parseAddress } from '@platform/contracts';
import { messageIdOf } from '../messages/public';
import {
  fieldsOf,
  fill,
  pickFields,
  type Recipient,
  type RejectedRecipient,
  type NewBroadcast,
} from '../campaigns/public';

type Accepted = NewBroadcast['recipients'][number];

/** The same person in the same broadcast has the same message, whatever happens in between (design 3.6). */
const idOf = (broadcastId: string, chat: string): string => messageIdOf(`${broadcastId}|${chat}`);

export interface Sorting {
  readonly broadcastId: string;
  readonly template: string;
  readonly countryCode: string;
  /** Characters that the text may have once its fields are filled in. */
  readonly longest: number;
}

/** Who can be written to, each once, in the order given; and who cannot, with the reason. */
export const sortRecipients = (
  given: readonly Recipient[],
  { broadcastId, template, countryCode, longest }: Sorting,
): { accepted: Accepted[]; rejected: RejectedRecipient[] } => {
  const names = fieldsOf(template);
  const accepted = new Map<string, Accepted>();
  const rejected: RejectedRecipient[] = [];
  for (const { number, data = {} } of given) {
    const address = parseAddress(number, countryCode);
    // A group is no recipient of a campaign: nobody in it could opt out
    const chat = address && address.kind !== 'group' ? jidOf(address) : undefined;
    const picked = pickFields(names, data);
    if (chat === undefined) rejected.push({ number, message: 'number format not valid' });
    else if (accepted.has(chat)) rejected.push({ number, message: 'number is repeated' });
    else if ('missing' in picked) rejected.push({ number, message: `${picked.missing} is required` });
    else if (fill(template, picked.fields).length > longest) rejected.push({ number, message: 'text is not valid' });
    else accepted.set(chat, { id: idOf(broadcastId, chat), chat, fields: picked.fields });
  }
  return { accepted: [...accepted.values()], rejected };
};
