import { noticeEvents, type NoticeEvent } from '../../notice.types';
import { systemRoles, type SystemRole } from '../../roles';
import { noticeTexts } from './notice.events';

/** A member, and what they may do. */
export interface Listener {
  readonly role: SystemRole | null;
  /** Of a role of the store's own. */
  readonly abilities: readonly string[] | null;
}

const needsOf = (event: NoticeEvent): readonly string[] => {
  const { need, ofCustomer } = noticeTexts[event];
  return [need, ...(ofCustomer ? ['chat.all'] : [])];
};

const abilitiesOf = ({ role, abilities }: Listener): readonly string[] =>
  role === null ? (abilities ?? []) : systemRoles[role];

/** Whether a member may see what an event is about. */
export const mayHear = (listener: Listener, event: NoticeEvent): boolean =>
  needsOf(event).every((each) => abilitiesOf(listener).includes(each));

/** Whether a member sees the chats of every team. */
export const seesAllChats = (listener: Listener): boolean => abilitiesOf(listener).includes('chat.all');

/** What whoever may do this is told of. */
export const eventsFor = (abilities: ReadonlySet<string>): NoticeEvent[] =>
  noticeEvents.filter((event) => needsOf(event).every((each) => abilities.has(each)));
