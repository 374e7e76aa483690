import type { ChangeNotes } from './change.notes';
import type { Actor, Change, ChatRow } from './transition';

/** Who is notified of a change: the members of a team, one user, or both; never the user who caused it. */
export interface Notice {
  readonly type: 'assign' | 'move' | 'escalate_request' | 'escalate_finish';
  readonly judul: string;
  /** Null: the customer is named instead. */
  readonly isi: string | null;
  readonly team: string | null;
  readonly user: string | null;
}

/** Notifications of a change (design 2.6, 3.1). */
export const noticesOf = (
  seen: ChatRow,
  { next, events }: Change,
  actor: Actor,
  { catatan: isi = null, escalation }: ChangeNotes,
): Notice[] => {
  const happened = new Set(events.map(({ event }) => event));
  const given = next.assignee !== null && next.assignee !== seen.assignee && next.assignee !== actor.userId;
  const notices: Notice[] = [];
  if (given)
    notices.push({ type: 'assign', judul: 'Chat ditugaskan kepada Anda', isi, team: null, user: next.assignee });
  if (happened.has('move') && next.assignee === null)
    notices.push({ type: 'move', judul: 'Chat dipindahkan ke team Anda', isi, team: next.team, user: null });
  if (escalation)
    notices.push({
      type: 'escalate_request',
      judul: 'Permintaan eskalasi',
      isi,
      team: escalation.toTeam,
      user: escalation.toUser,
    });
  if (happened.has('finish_escalate') && seen.escalation)
    notices.push({
      type: 'escalate_finish',
      judul: 'Eskalasi selesai',
      isi,
      team: null,
      user: seen.escalation.requestedBy,
    });
  return notices;
};
