import type { Database } from '@platform/data';
import type { Caller } from '../../../abilities';
import { answeredDevices } from '../../devices/public';
import type { InboxDesk } from './inbox.desk';
import type { InboxRow } from './inbox.types';

/** Chats in which a customer waits for somebody of the team. */
export interface WaitingChats {
  /** None is known, and there may be more: nobody knows. */
  readonly count: number;
  /** There may be more of them. */
  readonly isMore: boolean;
}

/** What the bot of a number has answered waits for nobody, until it asks for help (ADR 156); of a number that was removed nobody can be answered. */
const isPeoples = ({ asksHelp, status, last_message: last, device_id: device }: InboxRow, bots: ReadonlySet<string>) =>
  device !== null && (asksHelp || status !== 'open' || last?.from_me !== true || !bots.has(device));

/** Of those that their reader sees, as many as one part of the list tells of. */
export const waitingChats =
  (database: Pick<Database, 'prepared'>, desk: InboxDesk) =>
  async (caller: Caller): Promise<WaitingChats> => {
    const [{ rows, isFull = false }, answered] = await Promise.all([
      desk.rows(caller, { view: 'waiting' }),
      answeredDevices(database, caller.storeId),
    ]);
    const bots = new Set(answered.map(({ id }) => id));
    return { count: rows.filter((row) => isPeoples(row, bots)).length, isMore: isFull };
  };
