import type { Sql } from '@platform/data';
import { Texts } from '@platform/validation';
import type { Caller } from '../../../abilities';
import { noticeEvents, type NoticeEvent } from '../../../notice.types';
import { ways } from '../notice.events';
import { eventsFor } from '../notices/public';
import { changePreferences, preferencesOf, type Member, type Preferences } from '../preferences/public';

/** What a member may be told of, and by which ways they are. */
export interface WaysShown {
  readonly events: readonly NoticeEvent[];
  readonly preferences: Preferences;
}

/** The form of them: each box that is ticked, `order.paid email`. */
export class WaysEdit {
  @Texts({ optional: true, max: noticeEvents.length * ways.length, maxLength: 40 }) ways?: string[];
}

const memberOf = ({ storeId, actor: userId }: Caller): Member => ({ storeId, userId });

export const waysOf = async (sql: Sql, caller: Caller): Promise<WaysShown> => ({
  events: eventsFor(caller.abilities),
  preferences: await preferencesOf(sql, memberOf(caller)),
});

/** What is not ticked of what a member may be told of is switched off; of what they may not nothing changes. */
export const changeWays = (tx: Sql, caller: Caller, { ways: ticked = [] }: WaysEdit): Promise<Preferences> => {
  const chosen = (event: NoticeEvent) =>
    Object.fromEntries(ways.map((way) => [way, ticked.includes(`${event} ${way}`)]));
  const change = Object.fromEntries(eventsFor(caller.abilities).map((event) => [event, chosen(event)]));
  return changePreferences(tx, memberOf(caller), change);
};
