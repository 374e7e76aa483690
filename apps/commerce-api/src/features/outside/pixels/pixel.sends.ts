import type { SecretBox } from '@platform/auth';
import type { Database } from '@platform/data';
import type { JobContext } from '@platform/jobs';
import type { Clock, Logger } from '@platform/runtime';
import type { PixelAnswer, PixelFact, PixelKind, PixelNetwork } from '../../../clients/pixel.port';
import type { CommerceJobs, Queue } from '../../../jobs';
import { opened } from '../opened.secret';
import { tokenPurpose } from './pixels.service';

/** Minutes until the next try, by how many there were; networks take what is days old. Longer than a try takes, each. */
const PAUSES = [1, 2, 5, 10, 30, 60, 120, 240, 480];
const PORTION = 20;
const ROUND = 500;

/** The next try, which nobody else makes before its pause is over: $1 store, $2 id, $3 now, $4 minutes by try. */
const BEGIN = `
  UPDATE pixel_event e SET attempts = e.attempts + 1,
    next_at = $3::timestamptz + make_interval(mins => ($4::int[])[least(e.attempts + 1, cardinality($4::int[]))])
  FROM pixel p
  WHERE e.store_id = $1 AND e.id = $2 AND e.status = 'waiting' AND e.next_at <= $3
    AND p.store_id = e.store_id AND p.id = e.pixel_id
  RETURNING e.fact, e.attempts, p.id AS pixel_id, p.kind, p.pixel_ref, p.token_enc`;
const SETTLE = `
  UPDATE pixel_event SET status = $3, answer = $4, done_at = CASE WHEN $3 <> 'waiting' THEN $5::timestamptz END,
    next_at = CASE WHEN $3 = 'waiting' THEN next_at END
  WHERE store_id = $1 AND id = $2 AND status = 'waiting'`;

export const DUE_EVENTS = `
  SELECT due.store_id, due.id FROM store s CROSS JOIN LATERAL (
    SELECT e.store_id, e.id, e.next_at FROM pixel_event e
    WHERE e.store_id = s.store_id AND e.status = 'waiting' AND e.next_at <= $1 ORDER BY e.next_at LIMIT ${PORTION}) due
  ORDER BY due.next_at LIMIT ${ROUND}`;

interface Begun {
  readonly fact: PixelFact;
  readonly attempts: number;
  readonly pixel_id: string;
  readonly kind: PixelKind;
  readonly pixel_ref: string;
  readonly token_enc: string | null;
}

interface Parts {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly logger: Logger;
  readonly box: SecretBox;
  readonly networks: Readonly<Partial<Record<PixelKind, PixelNetwork>>>;
}

type Task = CommerceJobs['pixel.send'];

const statusOf = ({ fate }: PixelAnswer, attempts: number): 'sent' | 'refused' | 'given_up' | 'waiting' => {
  if (fate !== 'later') return fate === 'taken' ? 'sent' : 'refused';
  return attempts > PAUSES.length ? 'given_up' : 'waiting';
};

/** Tells networks what happened, until each has taken or refused it. Told twice it is one event there, by its id. */
export class PixelSends {
  constructor(private readonly parts: Parts) {}

  /** Does `pixel.send`: one try. */
  async send({ storeId, id }: Task, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
    const { database, clock, logger } = this.parts;
    const [begun] = await database.query<Begun>(BEGIN, [storeId, id, clock.now(), PAUSES]);
    if (!begun) return;
    const told = await this.ask(storeId, begun, signal);
    if (told.fate === 'refused') logger.warn('a pixel event was refused', { storeId, event: id, network: begun.kind });
    await database.query(SETTLE, [storeId, id, statusOf(told, begun.attempts), told.answer, clock.now()]);
  }

  /** Does `pixel.due`, every minute. */
  async due(): Promise<void> {
    const { database, clock, queue } = this.parts;
    const due = await database.query<{ store_id: string; id: string }>(DUE_EVENTS, [clock.now()]);
    for (const { store_id: storeId, id } of due)
      await queue.enqueue(database, 'pixel.send', { storeId, id }, { key: `pixel:${id}` });
  }

  private async ask(storeId: string, begun: Begun, signal: AbortSignal): Promise<PixelAnswer> {
    const { box, networks, logger } = this.parts;
    const { kind, pixel_ref: ref, token_enc: sealed, pixel_id: pixelId, fact } = begun;
    const network = networks[kind];
    if (sealed === null) return { fate: 'refused', answer: 'The pixel has no token any more' };
    if (!network) return { fate: 'later', answer: `${kind} is not connected` };
    const token = opened(box, sealed, tokenPurpose(storeId, pixelId));
    if (token !== undefined) return network.send({ ref, token }, fact, signal);
    logger.warn('the token of a pixel cannot be read', { storeId, pixel: pixelId });
    return { fate: 'later', answer: 'The token cannot be read: give it anew' };
  }
}
