import { openJobQueue, type JobQueue } from '@platform/jobs';
import { SCHEMA } from './schema';

/** One row of a store, as it stands when the job runs. */
export interface RowOfStore {
  readonly storeId: string;
  readonly id: string;
}

/** Every job of this service and what it takes. */
export interface BotJobs {
  /** Takes the text out of a document, cuts it into chunks and makes it findable. */
  readonly 'knowledge.read': RowOfStore;
  /** Embeds the chunks of an agent anew with the model of the settings. */
  readonly 'knowledge.embed': { readonly storeId: string; readonly agentId: string };
  /** Brings the copy of a store's products up to date; `full` also removes what is gone. */
  readonly 'catalogue.copy': { readonly storeId: string; readonly full?: boolean };
  /** The same for a store whose customer waits for what it finds. */
  readonly 'catalogue.first': { readonly storeId: string };
  /** Finds the stores whose copies are due. */
  readonly 'catalogue.due': { readonly full?: boolean };
  /** Repeats the creation of an order whose outcome is unknown; `tries` so far. */
  readonly 'checkout.create': RowOfStore & { readonly tries: number };
  /** Plays the cases of an evaluation. */
  readonly 'eval.run': RowOfStore;
}

export type Queue = JobQueue<BotJobs>;

/** Tables of the jobs. */
export const JOBS_SCHEMA = `${SCHEMA}_jobs`;
export const jobQueue = (): Queue => openJobQueue<BotJobs>(JOBS_SCHEMA);

/** To take and end jobs with: turns have theirs for themselves. */
export const JOB_SESSIONS = 3;
