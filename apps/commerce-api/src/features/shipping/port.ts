/** An area in a list: its `id` is good at the provider that told it, and in the lists below it. */
export interface ListedArea {
  readonly id: string;
  readonly name: string;
  readonly postcode: string | null;
}

/** A place that the search found; its `id` is one of the space `search`, and what addresses have as `area_id`. */
export interface FoundArea {
  readonly id: string;
  readonly label: string;
  readonly district: string;
  readonly city: string;
  readonly province: string;
  readonly postcode: string | null;
}

/** Which numbers name a place: those of the lists of districts, or those of the search. They are never mixed. */
export type AreaSpace = 'district' | 'search';

export interface PriceAsked {
  readonly space: AreaSpace;
  readonly origin: string;
  readonly destination: string;
  readonly weightG: number;
  readonly couriers: readonly string[];
}

export interface CourierPrice {
  readonly courier: string;
  readonly service: string;
  readonly description: string;
  readonly cost: number;
  /** Days, `2` or `2-3`; null when it is not told. */
  readonly etd: string | null;
}

export interface WaybillAsked {
  readonly courier: string;
  readonly waybill: string;
  /** The last digits of a phone, which some couriers ask for. */
  readonly phoneLast?: string | undefined;
}

export interface TrackedLine {
  /** ISO 8601. */
  readonly at: string;
  readonly code: string;
  readonly text: string;
  readonly place: string | null;
}

/** What a courier says of a parcel; its lines from the oldest on. */
export interface Tracked {
  readonly status: string;
  readonly delivered: boolean;
  /** It is delivered in so many words: couriers call it delivered also when its sender has it, or nobody. */
  readonly plain: boolean;
  /** The shop has it back: its buyer never got it. */
  readonly returned: boolean;
  readonly receivedBy: string | null;
  /** ISO 8601. */
  readonly receivedAt: string | null;
  readonly events: readonly TrackedLine[];
}

/**
 * The provider of courier prices. Every call rejects with `UpstreamFailed` or `UpstreamTimedOut` when it cannot tell, the quota of the day
 * being used up included.
 */
export interface ShippingProvider {
  /** Of what it tells; another one's ids mean nothing to it. */
  readonly name: string;
  /** Whether anybody can be asked at all. */
  readonly isThere: boolean;
  /** Said beside every price that nobody is bound by. */
  readonly mark: string | null;
  provinces(): Promise<readonly ListedArea[]>;
  cities(provinceId: string): Promise<readonly ListedArea[]>;
  districts(cityId: string): Promise<readonly ListedArea[]>;
  search(text: string, limit: number): Promise<readonly FoundArea[]>;
  prices(asked: PriceAsked): Promise<readonly CourierPrice[]>;
  /** undefined when the courier does not know the waybill. */
  track(asked: WaybillAsked): Promise<Tracked | undefined>;
}
