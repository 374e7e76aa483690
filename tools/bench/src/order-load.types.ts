/** Orders from their lines to paid, over and over, for a load generator in a separate process. Sent to it as one message. */
export interface OrderJob {
  /** Whose calls place it. Default: ours, paid by hand; `gateway`: paid as provider A tells it. */
  readonly at?: 'vendure' | 'gateway';
  /** With which provider A signs. */
  readonly notice?: { readonly clientId: string; readonly secret: string };
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
  readonly seconds: number;
  /** The body of an order; `{key}` becomes a number below `keys`. */
  readonly order: string;
  readonly keys: number;
  readonly keyWidth: number;
}

export interface OrderResult {
  /** Milliseconds of the call that pays alone: half of them, and 99 of 100, took no longer. */
  readonly settle: { readonly p50: number; readonly p99: number };
  readonly orders: number;
  readonly seconds: number;
  /** Milliseconds of one order with its payment. */
  readonly p50: number;
  readonly p99: number;
}
