import type { ChatStatus } from '../records/public';

/** The columns of a conversation on which a transition decides. */
export interface ChatState {
  readonly status: ChatStatus;
  readonly assignee: string | null;
  readonly team: string;
  readonly gudang: string | null;
  /** As PostgreSQL prints it: compared, never calculated with. */
  readonly pendingUntil: string | null;
  readonly escalate: '' | 'requested' | 'finished';
}

/** Who was asked for help, and by whom; while it is requested. */
export interface Escalation {
  readonly toTeam: string | null;
  readonly toUser: string | null;
  readonly requestedBy: string;
  /** Why, as it was said last. */
  readonly reason?: string | null;
}

export interface ChatRow extends ChatState {
  readonly escalation: Escalation | null;
  /** The assignee has the chat as one who was asked for help, and will not see it when that ends. */
  readonly isHelped: boolean;
}

export interface Actor {
  readonly type: 'user' | 'bot' | 'system' | 'customer' | 'admin' | 'crm';
  readonly userId: string | null;
  /** Supervisor, admin, owner, and callers that act for the whole store. */
  readonly supervises: boolean;
  /** Teams in which it acts; undefined: all of the store. */
  readonly teams: readonly string[] | undefined;
}

export type Action =
  | { readonly kind: 'handle'; readonly user: string; readonly force?: boolean }
  | { readonly kind: 'open' }
  | { readonly kind: 'pending'; readonly until: string | null }
  | { readonly kind: 'finish' }
  | { readonly kind: 'move'; readonly team: string; readonly user?: string; readonly gudang?: string }
  | {
      readonly kind: 'requestEscalate';
      readonly toTeam: string | null;
      readonly toUser: string | null;
      readonly reason?: string;
    }
  | { readonly kind: 'finishEscalate'; readonly finishChat?: boolean }
  /** A message of the customer; a message of somebody; both are written by single statements that agree with this table. */
  | { readonly kind: 'inbound'; readonly returns?: boolean }
  | { readonly kind: 'send' }
  /** Timers: this `pending_until` was reached; nothing happened for too long. */
  | { readonly kind: 'resume'; readonly until: string | null }
  | { readonly kind: 'autoFinish' };

/** Names of history events (design 3.1). */
export interface TransitionEvent {
  readonly event: string;
  readonly from: ChatStatus;
  readonly to: ChatStatus;
}

export interface Change {
  readonly next: ChatState;
  /** A handle-to-finish cycle begins. */
  readonly newEpisode: boolean;
  readonly events: readonly TransitionEvent[];
}

/** Whether a change leaves the chat itself as it is: by its columns nobody can tell that it has happened. */
export const isOnlyTold = (row: ChatState, change: Decision): change is Change => {
  if (typeof change === 'string') return false;
  const columns = Object.entries(change.next) as [keyof ChatState, ChatState[keyof ChatState]][];
  return columns.every(([name, value]) => row[name] === value);
};

export type Refused = 'chat_handled' | 'chat_finished' | 'forbidden';
export type Decision = Change | 'unchanged' | Refused;

const inTeam = ({ team }: ChatRow, { teams }: Actor): boolean => teams?.includes(team) ?? true;
const isAgent = (row: ChatRow, actor: Actor): boolean =>
  actor.supervises || (actor.type === 'user' && inTeam(row, actor));
/** Assignee and supervisors; any agent of the team while nobody has the chat. */
const mayRelease = (row: ChatRow, actor: Actor): boolean =>
  actor.supervises || (isAgent(row, actor) && (row.assignee === null || row.assignee === actor.userId));

const stateOf = ({ status, assignee, team, gudang, pendingUntil, escalate }: ChatRow): ChatState => ({
  status,
  assignee,
  team,
  gudang,
  pendingUntil,
  escalate,
});

/** The step to `more`, with events named in order; each continues from where the one before it ended. */
const step = (
  row: ChatRow,
  more: Partial<ChatState>,
  ...events: (string | [name: string, to: ChatStatus])[]
): Change => {
  const next = { ...stateOf(row), ...more };
  // Only a pending chat waits for a time
  const settled = next.status === 'pending' ? next : { ...next, pendingUntil: null };
  let from = row.status;
  const told = events.map((event): TransitionEvent => {
    const [name, to] = typeof event === 'string' ? [event, next.status] : event;
    const one = { event: name, from, to };
    from = to;
    return one;
  });
  return { next: settled, newEpisode: row.status === 'finish' && next.status !== 'finish', events: told };
};

/** The state a chat resumes when what it waited for has arrived. */
const resumed = ({ assignee }: ChatRow): ChatStatus => (assignee === null ? 'open' : 'handle');

type Rule<K extends Action['kind']> = (row: ChatRow, action: Extract<Action, { kind: K }>, actor: Actor) => Decision;

const handle: Rule<'handle'> = (row, { user, force }, actor) => {
  if (!isAgent(row, actor) || (user !== actor.userId && !actor.supervises)) return 'forbidden';
  const taken = { status: 'handle', assignee: user } as const;
  if (row.status === 'open') return step(row, taken, 'handle');
  if (row.status === 'finish') return step(row, taken, ['reopen', 'open'], 'handle');
  if (row.assignee === null || row.assignee === user)
    return row.status === 'handle' && row.assignee === user ? 'unchanged' : step(row, taken, 'handle');
  return force && actor.supervises ? step(row, taken, 'takeover') : 'chat_handled';
};

const open: Rule<'open'> = (row, _, actor) => {
  if (!mayRelease(row, actor)) return 'forbidden';
  const event = { open: '', handle: 'release', pending: 'resume', finish: 'reopen' }[row.status];
  return event === '' ? 'unchanged' : step(row, { status: 'open', assignee: null }, event);
};

const pending: Rule<'pending'> = (row, { until }, actor) => {
  if (actor.type !== 'bot' && !isAgent(row, actor)) return 'forbidden';
  if (row.status === 'finish') return 'chat_finished';
  if (row.status !== 'pending') return step(row, { status: 'pending', pendingUntil: until }, 'pending');
  return row.pendingUntil === until ? 'unchanged' : step(row, { pendingUntil: until });
};

/** Whether the chat is nobody's once its help has ended (ADR 163): who helped has it, as the row says or their own token. */
const goesBack = (row: ChatRow, actor: Actor): boolean =>
  row.isHelped || (row.assignee !== null && row.assignee === actor.userId && !isAgent(row, actor));

const finished = (row: ChatRow, event: string, actor: Actor): Change => {
  if (row.escalate !== 'requested') return step(row, { status: 'finish' }, event);
  const assignee = goesBack(row, actor) ? null : row.assignee;
  return step(row, { status: 'finish', assignee, escalate: 'finished' }, ['finish_escalate', row.status], event);
};

const finish: Rule<'finish'> = (row, _, actor) => {
  if (actor.type !== 'bot' && !mayRelease(row, actor)) return 'forbidden';
  return row.status === 'finish' ? 'unchanged' : finished(row, 'finish', actor);
};

/** Moving does not take over a colleague's chat either. */
const move: Rule<'move'> = (row, { team, user = null, gudang = row.gudang }, actor) => {
  if (!mayRelease(row, actor)) return 'forbidden';
  if (row.status === 'finish') return 'chat_finished';
  const status = user === null ? 'open' : 'handle';
  const there = row.team === team && row.status === status && row.assignee === user;
  const sameWarehouse = row.gudang === gudang;
  if (there && sameWarehouse) return 'unchanged';
  const moved: [string, ChatStatus][] = there
    ? []
    : [['move', 'open'], ...(user === null ? [] : [['assign', 'handle'] as [string, ChatStatus]])];
  return step(row, { team, status, assignee: user, gudang }, ...moved, ...(sameWarehouse ? [] : ['gudang']));
};

const requestEscalate: Rule<'requestEscalate'> = (row, { toTeam, toUser, reason }, actor) => {
  if (actor.type !== 'bot' && !isAgent(row, actor)) return 'forbidden';
  if (row.status === 'finish') return 'chat_finished';
  const asked = row.escalation;
  if (asked && asked.toTeam === toTeam && asked.toUser === toUser)
    return reason === undefined || reason === asked.reason ? 'unchanged' : step(row, {}, 'request_escalate');
  // Others are asked now: who helped until then sees it no more
  if (asked && goesBack(row, actor))
    return step(row, { status: 'open', assignee: null }, ['request_escalate', row.status], 'release');
  const status = row.status === 'pending' ? resumed(row) : row.status;
  return step(row, { status, escalate: 'requested' }, 'request_escalate');
};

const isConcerned = ({ toTeam, toUser, requestedBy }: Escalation, { type, userId, teams = [] }: Actor): boolean =>
  requestedBy === (userId ?? type) ||
  (userId !== null && toUser === userId) ||
  (type === 'user' && toTeam !== null && teams.includes(toTeam));

const finishEscalate: Rule<'finishEscalate'> = (row, { finishChat }, actor) => {
  if (!row.escalation) return 'unchanged';
  if (!actor.supervises && !isConcerned(row.escalation, actor)) return 'forbidden';
  if (finishChat) return finished(row, 'finish', actor);
  if (!goesBack(row, actor)) return step(row, { escalate: 'finished' }, 'finish_escalate');
  const status = row.status === 'handle' ? 'open' : row.status;
  return step(row, { status, assignee: null, escalate: 'finished' }, ['finish_escalate', row.status], 'release');
};

/** `returns`: the chat ended so shortly ago that its agent, who is still there, has it again (STICKY_HOURS). */
const inbound: Rule<'inbound'> = (row, { returns = false }) => {
  if (row.status === 'pending') return step(row, { status: resumed(row) }, 'resume');
  if (row.status !== 'finish') return 'unchanged';
  const assignee = returns ? row.assignee : null;
  return step(row, { status: resumed({ ...row, assignee }), assignee }, 'reopen');
};

/** Only people take a chat over by answering, and never a colleague's: one that was set aside goes on with who has it. */
const send: Rule<'send'> = (row, _, { type, userId }) => {
  const person = userId !== null && type !== 'bot' && type !== 'crm';
  if (!person || row.status === 'handle') return 'unchanged';
  const assignee = row.status === 'pending' ? (row.assignee ?? userId) : userId;
  return step(row, { status: 'handle', assignee }, 'handle');
};

const resume: Rule<'resume'> = (row, { until }) =>
  row.status === 'pending' && row.pendingUntil === until ? step(row, { status: resumed(row) }, 'resume') : 'unchanged';

const autoFinish: Rule<'autoFinish'> = (row, _, actor) =>
  row.status === 'finish' ? 'unchanged' : finished(row, 'auto_finish', actor);

const rules: { readonly [K in Action['kind']]: Rule<K> } = {
  handle,
  open,
  pending,
  finish,
  move,
  requestEscalate,
  finishEscalate,
  inbound,
  send,
  resume,
  autoFinish,
};

/**
 * The table of design 3.1, and nothing but the table: what an action does to a chat in this state, or why it may not.
 * Pure: whoever calls it writes the change only while the row still looks as it did here.
 */
export const transition = <A extends Action>(row: ChatRow, action: A, actor: Actor): Decision => {
  const rule = rules[action.kind] as Rule<Action['kind']>;
  return rule(row, action as never, actor);
};
