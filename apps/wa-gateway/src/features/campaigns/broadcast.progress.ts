import type { Announcer } from '../realtime/public';
import type { BroadcastProgress } from './broadcasts.dto';
import type { BroadcastRow } from './campaigns.repository';

/** The progress of a broadcast, for people. `nextAt` is when its next send is expected. */
export const progressOf = (row: BroadcastRow, now: Date, nextAt: Date | undefined): BroadcastProgress => {
  const { total, sent, failed, skipped, cause, startAt } = row;
  const state = row.state === 'running' && startAt > now ? 'scheduled' : row.state;
  const next = row.state === 'running' && nextAt ? new Date(Math.max(nextAt.getTime(), startAt.getTime())) : undefined;
  return {
    total,
    sent,
    failed,
    skipped,
    state,
    ...(cause === null ? {} : { cause }),
    next_at: next?.toISOString() ?? null,
  };
};

/** Tells sockets the progress of a broadcast. */
export const tellProgress = (
  announcer: Pick<Announcer, 'tell'>,
  { instanceId, broadcastId }: BroadcastRow,
  progress: BroadcastProgress,
): void =>
  announcer.tell(instanceId, 'broadcastProgress', { instanceID: instanceId, broadcast_id: broadcastId, ...progress });
