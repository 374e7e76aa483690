import { openJobQueue, type JobQueue, type RunnerOptions } from '@platform/jobs';
import { schema } from './data-source';

/** What proves an address; `phone` proves a number. */
export type MailedPurpose = 'verify_email' | 'reset_password';
export type CodePurpose = MailedPurpose | 'phone';

/** An order was paid: what each `order.paid.*` takes, which does its part once for an `eventId`. */
export interface OrderPaid {
  readonly storeId: string;
  readonly orderId: string;
  readonly eventId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly actor: string;
}

/** One payment of a store. */
export interface PaymentOfStore {
  readonly storeId: string;
  readonly paymentId: string;
}

/** A bill was paid, with whatever: what each who waits for one takes, once for an `eventId`. */
export interface InvoicePaid {
  readonly storeId: string;
  readonly invoiceId: string;
  readonly eventId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly actor: string;
}

/** Every job of this service and what it takes. None holds a secret: whoever reads the table learns nothing that opens a door. */
export interface CommerceJobs {
  /** Finishes a registration whose request ended before it was done, or drops it. */
  readonly 'registration.resume': { readonly id: string };
  /** Gets a code from store-auth and sends it; it is written down nowhere. */
  readonly 'code.send': { readonly email: string; readonly purpose: MailedPurpose };
  /** Gets a code from store-auth and sends it to the phone of a user. */
  readonly 'phone.send': { readonly userId: string };
  /** Removes the documents of identity checks that were decided long enough ago. */
  readonly 'kyc.forget': object;
  /** Makes the link of an invitation and sends it; only its hash is kept. */
  readonly 'invitation.send': { readonly storeId: string; readonly id: string };
  /** Tells store-auth what a member is now; `at` is when one that is gone was removed. */
  readonly 'membership.push': { readonly storeId: string; readonly userId: string; readonly at: string };
  /** Tells store-auth the name and the state of a store as they are now. */
  readonly 'store.push': { readonly storeId: string };
  /** Tells chat-backend of the rows of a store that have changed, as they are now. */
  readonly 'chat.sync': { readonly storeId: string };
  /** Does what follows from a change of an order, as it stands when the job runs. */
  readonly 'order.changed': { readonly storeId: string; readonly id: string; readonly former?: string };
  /** Sends the PDF of an order to its buyer. */
  readonly 'invoice.send': { readonly storeId: string; readonly id: string };
  /** Marks the carts that nobody has changed for a while. */
  readonly 'checkout.abandoned': Readonly<Record<never, never>>;
  /** Reminds of a cart; `at` is when somebody asked for it. */
  readonly 'checkout.remind': { readonly storeId: string; readonly id: string; readonly at: string };
  /** Builds anew by what the products of a category are found, which may be all of a store. */
  readonly 'category.renamed': { readonly storeId: string; readonly id: string };
  /** Tells the contacts of a tag, which may be all of a store, that it was renamed or deleted. */
  readonly 'tag.changed': { readonly storeId: string; readonly id: string };
  /** Writes what is left of an import, batch by batch. */
  readonly 'import.commit': { readonly storeId: string; readonly id: string };
  /** Tells the timeline of an order that it is paid; `eventId` is the same at every try. */
  readonly 'order.paid.history': OrderPaid;
  /** Tells the bot engine, once for ever, that what it sold is paid. */
  readonly 'bot.payment-notice': PaymentOfStore;
  /** Has a provider say how a payment stands, makes one there that was begun, ends one whose time is over; `eventId` is the notice that asks for it. */
  readonly 'payment.confirm.a': PaymentOfStore & { readonly eventId?: string };
  readonly 'payment.confirm.b': PaymentOfStore & { readonly eventId?: string };
  readonly 'payment.confirm.c': PaymentOfStore & { readonly eventId?: string };
  /** Finds the payments whose providers are to be asked. */
  readonly 'payment.reconcile': object;
  /** Gives a store what it has paid for by a bill. */
  readonly 'invoice.paid': InvoicePaid;
  /** Has a provider give money back, or asks what has become of it. */
  readonly 'refund.execute': { readonly storeId: string; readonly id: string };
  /** Removes files that nobody needs; `walk`: also looks at every file and every row, going on behind `after`. */
  readonly 'media.sweep': {
    readonly walk?: boolean;
    readonly after?: { readonly storeId: string; readonly id: string };
  };
  /** Cancels the orders of all stores that nobody has paid in time. */
  readonly 'order.cancel-unpaid': object;
}

export type Queue = JobQueue<CommerceJobs>;

/** Tables of the jobs. */
export const JOBS_SCHEMA = `${schema}_jobs`;
export const jobQueue = (): Queue => openJobQueue<CommerceJobs>(JOBS_SCHEMA);

/** Neither a slow mail server, a chat-backend that hangs nor a store that changes or sends much at once keeps anything else waiting. */
export const runners: readonly RunnerOptions<CommerceJobs>[] = [
  { name: 'mail', tasks: ['code.send', 'phone.send', 'invitation.send'], concurrency: 2 },
  { name: 'chat', tasks: ['chat.sync'], concurrency: 2, share: { by: 'storeId', most: 1 } },
  { name: 'messages', tasks: ['checkout.remind'], concurrency: 2, share: { by: 'storeId', most: 1 } },
  // A provider that hangs keeps only its own payments waiting, and of those one a store
  ...(['a', 'b', 'c'] as const).map((code) => ({
    ...{ name: `pay-${code}`, tasks: [`payment.confirm.${code}`] as const },
    ...{ concurrency: 4, share: { by: 'storeId', most: 1 } },
  })),
  { name: 'refunds', tasks: ['refund.execute'], concurrency: 2, share: { by: 'storeId', most: 1 } },
  { name: 'papers', tasks: ['invoice.send'], concurrency: 2, share: { by: 'storeId', most: 1 } },
  {
    name: 'imports',
    tasks: ['import.commit', 'category.renamed', 'tag.changed'],
    concurrency: 2,
    share: { by: 'storeId', most: 1 },
  },
];
/** Places of all other jobs, which are short. */
export const JOBS_AT_ONCE = 3;
/** Of these one store has two, so that what follows from many changes of one leaves a place to the others. */
export const SHARE_OF_A_STORE = { by: 'storeId', most: 2 } as const;
/** To take and end jobs with: requests have theirs for themselves. */
export const JOB_SESSIONS = 3;
