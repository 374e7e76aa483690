import type { JobQueue } from '@platform/jobs';
import type { Logger } from '@platform/runtime';
import type { ChatJobs } from '../../chat.jobs';
import type { CommerceClient } from '../../clients/commerce.client';
import type { CommerceEventPayload } from './commerce-event.payload';
import { CONTACT_ATTEMPTS } from './contact.payload';

/** SQL that queues an event for commerce-api within the statement that makes it: payload and key are SQL too. */
export type EventExpression = (payload: string, key: string) => string;

/** Tried as long as a contact is told: seven days. */
export const eventExpression =
  (queue: Pick<JobQueue<ChatJobs>, 'expression'>): EventExpression =>
  (payload, key) =>
    queue.expression('commerce.event', { payload, key, maxAttempts: CONTACT_ATTEMPTS });

interface Needs {
  /** Undefined: there is no commerce-api to tell. */
  readonly commerce: Pick<CommerceClient, 'tellEvent'> | undefined;
  readonly logger: Logger;
}

/** Tells commerce-api what happened, off the message path; the queue repeats what fails, and the event's id makes a repeat harmless. */
export const commerceEventJob =
  ({ commerce, logger }: Needs) =>
  async ({ storeId, event }: CommerceEventPayload): Promise<void> => {
    if (!commerce) return;
    const isTaken = await commerce.tellEvent(storeId, event);
    if (!isTaken) logger.error('commerce-api does not take an event', { storeId, event: event.id, kind: event.kind });
  };
