import type { IncomingHttpHeaders } from 'node:http';

export type Json = Record<string, unknown>;

export interface Call {
  readonly method: string;
  /** Undecoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal of the provider, in its own words. */
export class Refused extends Error {
  constructor(readonly answer: Answer) {
    super(`refused with ${answer.status}`);
  }
}

/** A control route was called wrongly: 400 with this text. */
export class ControlError extends Error {}

export type PaymentStatus = 'pending' | 'paid' | 'failed' | 'expired';

/** One payment as the buyer's page shows it; what else the provider was told is in `asked`. */
export interface TillPayment {
  readonly id: string;
  /** The merchant's account. */
  readonly account: string;
  /** In the words of the merchant. */
  readonly invoice: string;
  /** In major units of the currency. */
  readonly amount: number;
  readonly currency: string;
  readonly description: string;
  readonly status: PaymentStatus;
  readonly paidAmount: number | null;
  readonly channel: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
  /** Where its notices go; null: nowhere. */
  readonly noticeUrl: string | null;
  /** Where the buyer goes afterwards. */
  readonly returnUrl: string | null;
  readonly asked: Json;
}

/** What the merchant is told, before it is signed. */
export interface NoticeText {
  readonly type: string;
  readonly body: string;
}

export interface NoticeRow extends NoticeText {
  readonly id: string;
  /** The payment or payout that it is about. */
  readonly about: string;
  readonly account: string;
  readonly url: string;
  /** `body`: changed after it was signed; `signature`: signed by somebody else. */
  readonly damage?: 'body' | 'signature';
  /** When it is tried again, epoch ms; null: never. */
  readonly dueAt: number | null;
  /** Status of each try; 0: no answer. */
  readonly answers: readonly number[];
}

/** One provider: its wire format on a till. */
export interface Provider {
  /** `DOKU`, as pages and the start line say it. */
  readonly name: string;
  /** Minutes from one try of a notice to the next; after the last one it is given up. */
  readonly ladder: readonly number[];
  /** Undefined: it has no such route. Throws `Refused`. */
  serve(call: Call): Answer | undefined;
  /** What the merchant is told of a payment as it stands; undefined: nothing. */
  notice(payment: TillPayment): NoticeText | undefined;
  /** The headers of one try, signed over the body and our merchant's address. */
  sign(notice: NoticeRow, secret: 'own' | 'foreign'): Record<string, string>;
  /** The same notice with another content, as somebody in between would change it. */
  tampered(body: string): string;
  /** The same notice signed by somebody else, where the signature is in the body. */
  forged?(body: string): string;
  /** Orders of a developer beyond those of every till. Undefined: it has no such verb. */
  control?(verb: string, body: Json): unknown;
}
