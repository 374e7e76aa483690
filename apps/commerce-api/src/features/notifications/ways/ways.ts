import type { Sql } from '@platform/data';
import { Texts } from '@platform/validation';
import type { Caller } from '../../../abilities';
import { noticeEvents, type NoticeEvent } from '../../../notice.types';
import { eventsFor } from '../notice.audience';
import { ways, waysFor } from '../notice.events';
import { changePreferences, preferencesOf, type EventWays, type Member } from '../preferences/public';
import type { PushShown, Subscriptions } from '../pushes/public';

/** What a member may be told of, and by which ways they are. */
export interface WaysShown {
  readonly events: readonly NoticeEvent[];
  readonly preferences: EventWays;
  /** The browsers that they are told in. */
  readonly push: PushShown;
}

/** The form of them: each box that is ticked, `order.paid email`. */
export class WaysEdit {
  @Texts({ optional: true, max: noticeEvents.length * ways.length, maxLength: 40 }) ways?: string[];
}

const memberOf = ({ storeId, actor: userId }: Caller): Member => ({ storeId, userId });

/** Of what nobody tells them by any way there is no choice. */
const choiceFor = ({ abilities }: Caller, canPush: boolean): NoticeEvent[] =>
  eventsFor(abilities).filter((event) => waysFor(event, canPush).length > 0);

export const waysOf = async (sql: Sql, caller: Caller, browsers: Subscriptions): Promise<WaysShown> => ({
  events: choiceFor(caller, browsers.isOffered),
  preferences: await preferencesOf(sql, memberOf(caller), browsers.isOffered),
  push: await browsers.shown(sql, memberOf(caller)),
});

/** What is not ticked of what a member may be told of is switched off; of what they may not nothing changes. */
export const changeWays = (
  tx: Sql,
  caller: Caller,
  { ways: ticked = [] }: WaysEdit,
  canPush: boolean,
): Promise<EventWays> => {
  const chosen = (event: NoticeEvent) =>
    Object.fromEntries(waysFor(event, canPush).map((way) => [way, ticked.includes(`${event} ${way}`)]));
  const change = Object.fromEntries(choiceFor(caller, canPush).map((event) => [event, chosen(event)]));
  return changePreferences(tx, memberOf(caller), change, canPush);
};
