import type { InboxRow, InboxView } from './inbox.types';

/** What each view asks chat-backend for. */
export const QUERIES: Readonly<Record<InboxView, object>> = {
  waiting: { filter: { sort: 'waiting' } },
  mine: { status: 'handle', filter: { user_id: 'me' } },
  free: { status: 'open' },
  help: { status: 'escalate' },
  all: {},
  done: { status: 'finish' },
};

type Told = Pick<InboxRow, 'status' | 'assignee' | 'waiting_since' | 'asksHelp'>;

/** Whether a conversation is in a view of this member: what is told of it while the page is open comes or goes by the same rule. */
export const isIn = (
  view: InboxView,
  { status, assignee, waiting_since: waits, asksHelp }: Told,
  userId: string,
): boolean => {
  switch (view) {
    case 'waiting':
      return waits !== null && status !== 'finish';
    case 'mine':
      return status === 'handle' && assignee === userId;
    case 'free':
      return status === 'open';
    case 'help':
      return asksHelp;
    case 'done':
      return status === 'finish';
    case 'all':
      return true;
  }
};

/** Lists are in the falling order of it. */
export const rankIn = (
  view: InboxView,
  { waiting_since: waits, at }: Pick<InboxRow, 'waiting_since' | 'at'>,
): number => (view === 'waiting' && waits !== null ? -Date.parse(waits) / 1000 : at);
