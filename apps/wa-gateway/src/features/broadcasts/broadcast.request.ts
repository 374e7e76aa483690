import { InvalidInput, type Violation } from '@platform/errors';
import { bulkDelays, defaultPace, type Recipient, type SendBroadcast, type Pace } from '../campaigns/public';

export const TEXT_LIMIT = 65_536;
export const CAPTION_LIMIT = 1_024;
const FURTHEST_MS = 30 * 24 * 3_600_000;

const missing = (field: string): Violation => ({ field, tag: 'required', message: `${field} is required` });
const wrong = (field: string): Violation => ({ field, tag: 'format', message: `${field} is not valid` });

/** What single fields cannot know: which of them belong together. */
const ofRecipients = ({ numbers, recipients }: SendBroadcast): Violation[] => {
  if (numbers && recipients) return [wrong('recipients')];
  return numbers || recipients ? [] : [missing('numbers')];
};

const ofContent = ({ text, type, url }: SendBroadcast): Violation[] => {
  if (!type && !url) return text === undefined ? [missing('text')] : [];
  if (!type || !url) return [missing(type ? 'url' : 'type')];
  return (text?.length ?? 0) > CAPTION_LIMIT ? [wrong('text')] : [];
};

const ofTime = ({ scheduled_at: at }: SendBroadcast, now: Date): Violation[] =>
  at && new Date(at).getTime() > now.getTime() + FURTHEST_MS ? [wrong('scheduled_at')] : [];

/** A requested broadcast with its defaults filled in. */
export interface WantedBroadcast {
  readonly given: readonly Recipient[];
  readonly pace: Pace;
  readonly startAt: Date;
}

/** Throws InvalidInput with everything that is wrong. */
export const readBroadcast = (body: SendBroadcast, now: Date): WantedBroadcast => {
  const violations = [...ofRecipients(body), ...ofContent(body), ...ofTime(body, now)];
  if (violations.length > 0) throw new InvalidInput(violations);
  const { numbers, recipients, batch_size: batchSize, batch_pause: batchPause, scheduled_at: at } = body;
  const startAt = at === undefined ? now : new Date(Math.max(now.getTime(), new Date(at).getTime()));
  return {
    given: recipients ?? (numbers ?? []).map((number) => ({ number })),
    pace: {
      ...bulkDelays(body),
      batchSize: batchSize ?? defaultPace.batchSize,
      batchPause: batchPause ?? defaultPace.batchPause,
    },
    startAt,
  };
};
