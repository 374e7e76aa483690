import type { ChatStatus } from '../records/record.sql';
import { transition, type Action, type Actor, type Change, type ChatRow, type Decision } from './transition';

const agent: Actor = { type: 'user', userId: 'rina', supervises: false, teams: ['3'] };
const outsider: Actor = { ...agent, userId: 'tono', teams: ['4'] };
const supervisor: Actor = { type: 'user', userId: 'boss', supervises: true, teams: undefined };
const bot: Actor = { type: 'bot', userId: null, supervises: false, teams: undefined };
const admin: Actor = { type: 'admin', userId: null, supervises: true, teams: undefined };
const crm: Actor = { type: 'crm', userId: null, supervises: true, teams: undefined };
const system: Actor = { type: 'system', userId: null, supervises: true, teams: undefined };
const customer: Actor = { ...system, type: 'customer' };

const row = (status: ChatStatus, assignee: string | null = null, more: Partial<ChatRow> = {}): ChatRow => ({
  status,
  assignee,
  team: '3',
  gudang: null,
  pendingUntil: null,
  escalate: '',
  ...{ escalation: null, isHelped: false },
  ...more,
});
const open = row('open');
const own = row('handle', 'rina');
const foreign = row('handle', 'siti');
const pending = row('pending', null, { pendingUntil: 'T1' });
const pendingOwn = row('pending', 'rina', { pendingUntil: 'T1' });
const pendingForeign = row('pending', 'siti');
const finished = row('finish');
const finishedForeign = row('finish', 'siti');
const asked = { toTeam: '4', toUser: null, requestedBy: 'rina' };
const escalated = (one: ChatRow): ChatRow => ({ ...one, escalate: 'requested', escalation: asked });
/** Who was asked has it: their own team sees it, they do only while help is asked for. */
const helped = { ...escalated(row('handle', 'tono')), isHelped: true };
const helpedPending = { ...helped, status: 'pending' } as const;
/** The row knows of no seat of theirs; their token says that they sit elsewhere. */
const helpedBySelf = { ...helped, isHelped: false };

/** `handle:rina handle` = status:assignee and the events; `+1` a new episode; anything else is a refusal or no change. */
const shown = (decision: Decision): string => {
  if (typeof decision === 'string') return decision;
  const { next, newEpisode, events } = decision;
  const told = events.map(({ event }) => event);
  return [`${next.status}:${next.assignee ?? '-'}`, ...told, ...(newEpisode ? ['+1'] : [])].join(' ');
};

const take: Action = { kind: 'handle', user: 'rina' };
const force: Action = { kind: 'handle', user: 'boss', force: true };
const give: Action = { kind: 'handle', user: 'rina', force: true };
const move: Action = { kind: 'move', team: '4' };
const moveTo: Action = { kind: 'move', team: '4', user: 'tono' };
const request: Action = { kind: 'requestEscalate', toTeam: '4', toUser: null };
const end: Action = { kind: 'finishEscalate' };
const endAll: Action = { kind: 'finishEscalate', finishChat: true };
const set: Action = { kind: 'pending', until: 'T1' };

type Cell = readonly [row: ChatRow, action: Action, actor: Actor, outcome: string];

const cells: Record<string, readonly Cell[]> = {
  handle_chat: [
    [open, take, agent, 'handle:rina handle'],
    [own, take, agent, 'unchanged'],
    [foreign, take, agent, 'chat_handled'],
    [foreign, { ...give, user: 'rina' }, agent, 'chat_handled'],
    [foreign, { kind: 'handle', user: 'boss' }, supervisor, 'chat_handled'],
    [foreign, force, supervisor, 'handle:boss takeover'],
    [foreign, give, supervisor, 'handle:rina takeover'],
    [foreign, give, admin, 'handle:rina takeover'],
    [row('handle'), take, agent, 'handle:rina handle'],
    [pending, take, agent, 'handle:rina handle'],
    [pendingOwn, take, agent, 'handle:rina handle'],
    [pendingForeign, take, agent, 'chat_handled'],
    [pendingForeign, force, supervisor, 'handle:boss takeover'],
    [finished, take, agent, 'handle:rina reopen handle +1'],
    [finishedForeign, take, agent, 'handle:rina reopen handle +1'],
    [open, { kind: 'handle', user: 'siti' }, agent, 'forbidden'],
    [open, { kind: 'handle', user: 'siti' }, supervisor, 'handle:siti handle'],
    [open, { kind: 'handle', user: 'siti' }, crm, 'handle:siti handle'],
    [open, { kind: 'handle', user: 'tono' }, outsider, 'forbidden'],
    [open, take, bot, 'forbidden'],
  ],
  chat_open: [
    [open, { kind: 'open' }, agent, 'unchanged'],
    [own, { kind: 'open' }, agent, 'open:- release'],
    [foreign, { kind: 'open' }, agent, 'forbidden'],
    [foreign, { kind: 'open' }, supervisor, 'open:- release'],
    [pending, { kind: 'open' }, agent, 'open:- resume'],
    [pendingOwn, { kind: 'open' }, agent, 'open:- resume'],
    [pendingForeign, { kind: 'open' }, agent, 'forbidden'],
    [finished, { kind: 'open' }, agent, 'open:- reopen +1'],
    [finishedForeign, { kind: 'open' }, agent, 'forbidden'],
    [finishedForeign, { kind: 'open' }, supervisor, 'open:- reopen +1'],
    [open, { kind: 'open' }, outsider, 'forbidden'],
    [open, { kind: 'open' }, bot, 'forbidden'],
  ],
  chat_pending: [
    [open, set, agent, 'pending:- pending'],
    [own, set, agent, 'pending:rina pending'],
    [foreign, set, agent, 'pending:siti pending'],
    [pending, set, agent, 'unchanged'],
    [pending, { kind: 'pending', until: 'T2' }, agent, 'pending:-'],
    [finished, set, agent, 'chat_finished'],
    [own, set, bot, 'pending:rina pending'],
    [open, set, outsider, 'forbidden'],
  ],
  chat_finish: [
    [open, { kind: 'finish' }, agent, 'finish:- finish'],
    [own, { kind: 'finish' }, agent, 'finish:rina finish'],
    [foreign, { kind: 'finish' }, agent, 'forbidden'],
    [foreign, { kind: 'finish' }, supervisor, 'finish:siti finish'],
    [foreign, { kind: 'finish' }, bot, 'finish:siti finish'],
    [pending, { kind: 'finish' }, agent, 'finish:- finish'],
    [escalated(own), { kind: 'finish' }, agent, 'finish:rina finish_escalate finish'],
    [helped, { kind: 'finish' }, supervisor, 'finish:- finish_escalate finish'],
    [helped, { kind: 'finish' }, outsider, 'forbidden'],
    [finished, { kind: 'finish' }, agent, 'unchanged'],
    [open, { kind: 'finish' }, outsider, 'forbidden'],
  ],
  chat_move: [
    [open, move, agent, 'open:- move'],
    [own, move, agent, 'open:- move'],
    [foreign, move, agent, 'forbidden'],
    [pendingOwn, move, agent, 'open:- move'],
    [open, moveTo, agent, 'handle:tono move assign'],
    [foreign, moveTo, supervisor, 'handle:tono move assign'],
    [pending, moveTo, agent, 'handle:tono move assign'],
    [row('open', null, { team: '4' }), move, supervisor, 'unchanged'],
    [row('handle', 'tono', { team: '4' }), moveTo, supervisor, 'unchanged'],
    [row('handle', 'siti', { team: '4' }), moveTo, supervisor, 'handle:tono move assign'],
    [open, { ...move, gudang: 'G1' }, agent, 'open:- move gudang'],
    [row('open', null, { team: '4', gudang: 'G1' }), { ...move, gudang: 'G2' }, supervisor, 'open:- gudang'],
    [finished, move, agent, 'chat_finished'],
    [open, move, outsider, 'forbidden'],
    [open, move, bot, 'forbidden'],
  ],
  'request-escalate': [
    [open, request, agent, 'open:- request_escalate'],
    [own, request, agent, 'handle:rina request_escalate'],
    [foreign, request, bot, 'handle:siti request_escalate'],
    [pending, request, agent, 'open:- request_escalate'],
    [pendingOwn, request, agent, 'handle:rina request_escalate'],
    [finished, request, agent, 'chat_finished'],
    [escalated(own), request, agent, 'unchanged'],
    [escalated(own), { ...request, toTeam: '5' }, agent, 'handle:rina request_escalate'],
    [open, request, outsider, 'forbidden'],
    [helped, { ...request, toTeam: '5' }, agent, 'open:- request_escalate release'],
    [helpedPending, { ...request, toTeam: '5' }, agent, 'open:- request_escalate release'],
  ],
  'finish-escalate': [
    ...[open, own, pending].map((one): Cell => [
      escalated(one),
      end,
      agent,
      `${one.status}:${one.assignee ?? '-'} finish_escalate`,
    ]),
    [escalated(foreign), end, outsider, 'handle:siti finish_escalate'],
    [escalated(foreign), endAll, outsider, 'finish:siti finish_escalate finish'],
    [escalated(foreign), end, supervisor, 'handle:siti finish_escalate'],
    [escalated(foreign), end, { ...agent, userId: 'dewi' }, 'forbidden'],
    [
      { ...escalated(open), escalation: { ...asked, toTeam: null, toUser: 'tono' } },
      end,
      { ...outsider, teams: [] },
      'open:- finish_escalate',
    ],
    [{ ...escalated(open), escalation: { ...asked, requestedBy: 'bot' } }, end, bot, 'open:- finish_escalate'],
    [escalated(open), end, bot, 'forbidden'],
    ...[open, own, pending, finished].map((one): Cell => [one, endAll, agent, 'unchanged']),
    // Whoever may end it, the chat goes back to its own team
    ...[agent, outsider, supervisor, admin, crm, system].flatMap((actor): Cell[] => [
      [helped, end, actor, 'open:- finish_escalate release'],
      [helpedPending, end, actor, 'pending:- finish_escalate release'],
      [helped, endAll, actor, 'finish:- finish_escalate finish'],
      [escalated(foreign), end, actor, 'handle:siti finish_escalate'],
    ]),
    [helped, end, { ...agent, userId: 'dewi' }, 'forbidden'],
    [helped, end, { ...outsider, userId: 'vera', teams: ['5'] }, 'forbidden'],
    [helped, end, bot, 'forbidden'],
    [helpedBySelf, end, outsider, 'open:- finish_escalate release'],
    [{ ...helpedBySelf, assignee: 'boss' }, end, supervisor, 'handle:boss finish_escalate'],
  ],
  'a message of the customer': [
    [open, { kind: 'inbound' }, customer, 'unchanged'],
    [own, { kind: 'inbound' }, customer, 'unchanged'],
    [pending, { kind: 'inbound' }, customer, 'open:- resume'],
    [pendingOwn, { kind: 'inbound' }, customer, 'handle:rina resume'],
    [finishedForeign, { kind: 'inbound' }, customer, 'open:- reopen +1'],
    [finishedForeign, { kind: 'inbound', returns: true }, customer, 'handle:siti reopen +1'],
    [finished, { kind: 'inbound', returns: true }, customer, 'open:- reopen +1'],
  ],
  'a message of somebody': [
    [open, { kind: 'send' }, agent, 'handle:rina handle'],
    [own, { kind: 'send' }, agent, 'unchanged'],
    [foreign, { kind: 'send' }, agent, 'unchanged'],
    [pending, { kind: 'send' }, agent, 'handle:rina handle'],
    [pendingForeign, { kind: 'send' }, agent, 'handle:siti handle'],
    [escalated(pendingForeign), { kind: 'send' }, outsider, 'handle:siti handle'],
    [escalated(foreign), { kind: 'send' }, outsider, 'unchanged'],
    [finishedForeign, { kind: 'send' }, agent, 'handle:rina handle +1'],
    ...[bot, system, crm, admin].flatMap((actor) =>
      [open, own, pending, finished].map((one): Cell => [one, { kind: 'send' }, actor, 'unchanged']),
    ),
    [open, { kind: 'send' }, { ...crm, userId: 'rina' }, 'unchanged'],
    [open, { kind: 'send' }, { ...admin, userId: 'rina' }, 'handle:rina handle'],
  ],
  timers: [
    [pending, { kind: 'resume', until: 'T1' }, system, 'open:- resume'],
    [pendingOwn, { kind: 'resume', until: 'T1' }, system, 'handle:rina resume'],
    [pending, { kind: 'resume', until: 'T0' }, system, 'unchanged'],
    ...[open, own, finished].map((one): Cell => [one, { kind: 'resume', until: null }, system, 'unchanged']),
    [open, { kind: 'autoFinish' }, system, 'finish:- auto_finish'],
    [own, { kind: 'autoFinish' }, system, 'finish:rina auto_finish'],
    [pending, { kind: 'autoFinish' }, system, 'finish:- auto_finish'],
    [escalated(own), { kind: 'autoFinish' }, system, 'finish:rina finish_escalate auto_finish'],
    [helped, { kind: 'autoFinish' }, system, 'finish:- finish_escalate auto_finish'],
    [finished, { kind: 'autoFinish' }, system, 'unchanged'],
  ],
};

const nameOf = ([{ status, assignee, escalate }, action, { type, userId }, outcome]: Cell): string =>
  `${status}${assignee ? ` by ${assignee}` : ''}${escalate ? ` ${escalate}` : ''}, ${JSON.stringify(action)} of ${userId ?? type}: ${outcome}`;

describe.each(Object.entries(cells))('%s', (_, table) => {
  it.each(table.map((cell) => [nameOf(cell), cell] as const))('%s', (__, [chat, action, actor, outcome]) =>
    expect(shown(transition(chat, action, actor))).toBe(outcome),
  );
});

describe('a transition', () => {
  it('starts each event where the one before it ended', () =>
    expect(transition(finished, take, agent)).toEqual({
      next: { status: 'handle', assignee: 'rina', team: '3', gudang: null, pendingUntil: null, escalate: '' },
      newEpisode: true,
      events: [
        { event: 'reopen', from: 'finish', to: 'open' },
        { event: 'handle', from: 'open', to: 'handle' },
      ],
    }));

  it('clears pending_until once the chat is no longer pending', () =>
    expect(transition(pendingOwn, { kind: 'open' }, agent)).toMatchObject({ next: { pendingUntil: null } }));

  const repeatable = Object.values(cells)
    .flat()
    .filter(([chat, action, actor]) => typeof transition(chat, action, actor) !== 'string')
    .filter(([, { kind }]) => kind !== 'requestEscalate');
  it.each(repeatable.map((cell) => [nameOf(cell), cell] as const))(
    'wished for twice happens once: %s',
    (_, [chat, action, actor]) => {
      const { next } = transition(chat, action, actor) as Change;
      const escalation = next.escalate === 'requested' ? chat.escalation : null;
      expect(transition({ ...next, escalation, isHelped: false }, action, { ...actor, supervises: true })).toBe(
        'unchanged',
      );
    },
  );
});
