export const pixelKinds = ['meta', 'tiktok', 'google'] as const;
export type PixelKind = (typeof pixelKinds)[number];

/** What somebody did, as networks are told it. Of a person it holds hashes alone (`hashedFor`). */
export interface PixelFact {
  readonly name: 'Purchase' | 'TestEvent';
  /** The browser's own, by which the network knows that both tell of the same. */
  readonly eventId: string;
  /** ISO 8601. */
  readonly at: string;
  /** SHA-256 in hex. */
  readonly email?: string;
  readonly phone?: string;
  readonly url?: string;
  readonly userAgent?: string;
  readonly order?: {
    readonly number: string;
    /** In the major unit of the currency. */
    readonly value: number;
    readonly currency: string;
    readonly items: readonly { readonly id: string; readonly quantity: number; readonly price: number }[];
  };
}

export interface PixelTarget {
  readonly ref: string;
  readonly token: string;
  /** Shows the event in the network's console for tests, where it counts nothing. */
  readonly testCode?: string | undefined;
}

/** `refused`: it will never be taken as it is. `later`: nobody knows, or not now. */
export type PixelFate = 'taken' | 'refused' | 'later';

export interface PixelAnswer {
  readonly fate: PixelFate;
  /** What the network has said, as far as a person can use it. */
  readonly answer: string;
}

/** An advertising network that takes events from servers. */
export interface PixelNetwork {
  /** Never rejects for what the network does: the answer says it. */
  send(target: PixelTarget, fact: PixelFact, signal?: AbortSignal): Promise<PixelAnswer>;
}
