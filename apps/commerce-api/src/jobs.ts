import { openJobQueue, type JobQueue, type RunnerOptions } from '@platform/jobs';
import { schema } from './data-source';
import type { BrowserPush, Notice } from './notice.types';
import type { ShopEvent } from './shop-event.types';

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
  /** Gives a team to stores whose devices have none that would take their chats. */
  readonly 'team.first': object;
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
  /** Hands over the downloads and licence keys of an order, once. */
  readonly 'order.paid.digital': OrderPaid;
  /** The same again for keys that were lacking. */
  readonly 'order.keys.digital': OrderPaid;
  /** Sends the links of one issue to the buyer; `channel` unless the buyer's e-mail address decides. */
  readonly 'download.send': {
    readonly storeId: string;
    readonly orderId: string;
    readonly issue: string;
    readonly channel?: 'whatsapp' | 'email';
  };
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
  /** Tells the buyer, or for an order of the bot whoever is to tell them. */
  readonly 'order.paid.message': OrderPaid;
  /** Bills, renews and ends the plans of all stores whose time has come. */
  readonly 'subscription.renew': object;
  /** Tells the owner of a store, so many days before its end, that the next period of its plan is unpaid. */
  readonly 'subscription.remind': {
    readonly storeId: string;
    readonly id: string;
    readonly periodEnd: string;
    readonly days: number;
    readonly channel: 'mail' | 'whatsapp';
  };
  /** Makes a code with which a forgotten PIN is set anew, and sends it; it is written down nowhere. */
  readonly 'wallet.pin-code': { readonly storeId: string; readonly userId: string };
  /** Takes a withdrawal one step further at its provider. */
  readonly 'withdrawal.payout': { readonly storeId: string; readonly id: string };
  /** Has those withdrawals looked at again whose time has come. */
  readonly 'withdrawal.poll': object;
  /** Lets stores dispose of what they were paid. */
  readonly 'settlement.release': object;
  /** Sums the ledger of every store up again, going on behind `after`. */
  readonly 'ledger.audit': { readonly after?: string };
  /** Has a provider give money back, or asks what has become of it. */
  readonly 'refund.execute': { readonly storeId: string; readonly id: string };
  /** Removes files that nobody needs; `walk`: also looks at every file and every row, going on behind `after`. */
  readonly 'media.sweep': {
    readonly walk?: boolean;
    readonly after?: { readonly storeId: string; readonly id: string };
  };
  /** Ends the session of a device that was not made because the gateway did not answer. */
  readonly 'device.end': { readonly storeId: string; readonly instance: string };
  /** Tells an event of a shop to those who observe it: outgoing webhooks, messages to buyers, notices to members, advertising pixels. */
  readonly 'event.told': ShopEvent;
  /** The same to one of them, who failed to hear it with the others. */
  readonly 'event.hooks': ShopEvent;
  readonly 'event.messages': ShopEvent;
  readonly 'event.notices': ShopEvent;
  readonly 'event.pixels': ShopEvent;
  /** Tells members of a store, each by the ways that they chose. */
  readonly 'notification.send': Notice;
  /** The same to one member by one way. */
  readonly 'notification.mail': { readonly storeId: string; readonly id: string };
  readonly 'notification.chat': { readonly storeId: string; readonly id: string };
  /** The same to one browser of a member, who looks at no page. */
  readonly 'push.send': BrowserPush;
  /** Sends the next news of one outgoing webhook. */
  readonly 'webhook.deliver': { readonly storeId: string; readonly id: string };
  /** The same of one whose last send has failed. */
  readonly 'webhook.again': { readonly storeId: string; readonly id: string };
  /** Finds the webhooks whose next try has come. */
  readonly 'webhook.due': object;
  /** Sends one event to an advertising network. */
  readonly 'pixel.send': { readonly storeId: string; readonly id: string };
  /** Finds the events whose next try has come. */
  readonly 'pixel.due': object;
  /** Asks a customer how the service was, once a ticket. */
  readonly 'feedback.request': { readonly storeId: string; readonly id: string };
  /** Sends one message of the shop to a buyer. */
  readonly 'message.send': { readonly storeId: string; readonly id: string };
  /** Puts the recipients of a broadcast in at chat-backend and starts it there. */
  readonly 'broadcast.send': {
    readonly storeId: string;
    readonly id: string;
    /** ISO 8601: when somebody wanted it sent; who came later is not among its recipients. */
    readonly asked: string;
    /** ISO 8601: when it is to begin; else as it is planned then, or at once. */
    readonly begins?: string | undefined;
    /** It was scheduled and has changed: it is sent only when it still has a time. */
    readonly again?: true;
    readonly actor: string;
  };
  /** Asks bot-engine whether it has an agent that the store's plan counts. */
  readonly 'agent.reconcile': { readonly storeId: string; readonly id: string };
  /** Finds the parcels that couriers are to be asked about. */
  readonly 'shipment.due': object;
  /** Asks the courier of one parcel where it is. */
  readonly 'shipment.track': { readonly storeId: string; readonly id: string };
  /** Completes the orders of all stores that were delivered long enough ago. */
  readonly 'order.autocomplete': object;
  /** Finds the domains that are to be looked up again. */
  readonly 'domain.due': object;
  /** Looks one domain up. */
  readonly 'domain.verify': { readonly storeId: string; readonly id: string };
  /** Writes the file of a report. */
  readonly 'report.file': { readonly storeId: string; readonly id: string };
  /** Sums up what the products of all stores brought on the days that have changed. */
  readonly 'report.days': object;
  /** Tells stores what runs low, once a day each. */
  readonly 'digest.low-stock': object;
  /** Cancels the orders of all stores that nobody has paid in time. */
  readonly 'order.cancel-unpaid': object;
}

export type Queue = JobQueue<CommerceJobs>;

/** Tables of the jobs. */
export const JOBS_SCHEMA = `${schema}_jobs`;
export const jobQueue = (): Queue => openJobQueue<CommerceJobs>(JOBS_SCHEMA);

/** Of the places of a runner a store has one. */
const SOLE = { by: 'storeId', most: 1 } as const;
/** Two, so that what follows from many changes of one leaves a place to the others. */
export const SHARE_OF_A_STORE = { by: 'storeId', most: 2 } as const;

/** Neither a slow mail server, a chat-backend that hangs nor a store that changes or sends much at once keeps anything else waiting. */
export const runners: readonly RunnerOptions<CommerceJobs>[] = [
  { name: 'mail', tasks: ['code.send', 'phone.send', 'invitation.send', 'wallet.pin-code'], concurrency: 2 },
  { name: 'payouts', tasks: ['withdrawal.payout'], concurrency: 3, share: SOLE },
  { name: 'chat', tasks: ['chat.sync'], concurrency: 2, share: SOLE },
  {
    name: 'messages',
    tasks: [
      ...(['checkout.remind', 'order.paid.message', 'subscription.remind', 'message.send'] as const),
      ...(['notification.chat', 'feedback.request'] as const),
    ],
    concurrency: 2,
    share: SOLE,
  },
  // A push service that hangs has its few seconds once, and two places of the six after that (`PushHosts`)
  { name: 'pushes', tasks: ['push.send'], concurrency: 6, share: SHARE_OF_A_STORE },
  { name: 'notices', tasks: ['notification.mail'], concurrency: 2, share: SOLE },
  { name: 'bot', tasks: ['bot.payment-notice'], concurrency: 4, share: SOLE },
  { name: 'broadcasts', tasks: ['broadcast.send'], concurrency: 2, share: SOLE },
  { name: 'agents', tasks: ['agent.reconcile'], concurrency: 2, share: SOLE },
  // A provider that hangs keeps only its own payments waiting, and of those one a store
  ...(['a', 'b', 'c'] as const).map((code) => ({
    ...{ name: `pay-${code}`, tasks: [`payment.confirm.${code}`] as const },
    ...{ concurrency: 4, share: SOLE },
  })),
  { name: 'devices', tasks: ['device.end'], concurrency: 2, share: SOLE },
  // Of a receiver that hangs only its own news wait: one that has failed has its places among such
  { name: 'hooks', tasks: ['webhook.deliver'], concurrency: 8, share: SHARE_OF_A_STORE },
  { name: 'hooks-again', tasks: ['webhook.again'], concurrency: 6, share: SOLE },
  { name: 'pixels', tasks: ['pixel.send'], concurrency: 4, share: SOLE },
  { name: 'domains', tasks: ['domain.verify'], concurrency: 4, share: SOLE },
  { name: 'couriers', tasks: ['shipment.track'], concurrency: 2, share: SOLE },
  { name: 'refunds', tasks: ['refund.execute'], concurrency: 2, share: SOLE },
  { name: 'papers', tasks: ['invoice.send', 'download.send'], concurrency: 2, share: SOLE },
  { name: 'reports', tasks: ['report.file'], concurrency: 2, share: SOLE },
  {
    name: 'imports',
    tasks: ['import.commit', 'category.renamed', 'tag.changed'],
    concurrency: 2,
    share: SOLE,
  },
];
/** Places of all other jobs, which are short. */
export const JOBS_AT_ONCE = 3;
/** To take and end jobs with: requests have theirs for themselves. */
export const JOB_SESSIONS = 3;
