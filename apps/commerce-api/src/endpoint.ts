import { endpointsOf, uuid } from '@platform/http';
import type { Transaction } from '@platform/data';
import type { Ability, Caller, PersonalNeed, SignedIn } from './abilities';

/** A file that was announced and is on its way. */
export interface Arriving {
  readonly storeId: string;
  readonly mediaId: string;
  readonly mime: string;
  /** Exactly. */
  readonly bytes: number;
}

/** A file that a link shows. */
export interface OpenedFile {
  readonly storeId: string;
  readonly key: string;
  readonly mime: string;
  /** Whoever opens it is to keep it, under this name. */
  readonly filename?: string;
}

/** What a client wants of what it was sent. */
export interface Downloading {
  /** It asks only whether there is something. */
  readonly onlyLooks: boolean;
  /** Somebody at a browser: what it is not given is said on a page. */
  readonly isPerson: boolean;
}

/** A call that one of our services has signed. */
export interface SignedCall {
  /** Throws `invalid_signature` unless these are the bytes that were signed, a moment ago and for the first time. */
  prove(body: Buffer): Promise<void>;
}

export interface Callers extends Record<Ability | PersonalNeed, Caller> {
  readonly none: undefined;
  /** Whoever has a link that was sent to them; the service checks it. */
  readonly link: undefined;
  /** Whoever belongs to the store: members, its API tokens, and the services that read stores. */
  readonly member: Caller;
  /** The routes that belong to a login, whose contract guard is `jwt`. */
  readonly login: SignedIn;
  /** What a user does with their own account, in whichever store; the contract guard is `token`. */
  readonly person: SignedIn;
  /** Whoever has a link that takes one file. */
  readonly arriving: Arriving;
  /** Whoever has a link that shows one file. */
  readonly opened: OpenedFile;
  /** One of our own services, without a token. */
  readonly engine: SignedCall;
  /** Who brings requests of the internet to this service, without a token. */
  readonly ingress: SignedCall;
  /** Whoever has a link to what they have bought; the service checks it. */
  readonly download: Downloading;
  /** Providers of payments, whose signatures the service checks over the bytes that they sent. */
  readonly notice: undefined;
  /** Anybody, where no real money is. */
  readonly devOnly: undefined;
  /** A token that may have expired, unverified: store-auth decides (`jwt*`). */
  readonly lapsed: string;
}

/** Token routes are guarded by the ability that they need: `guard: 'product.read'`. */
export const endpoint = endpointsOf<Callers, Transaction>();

/** For a store's own rows: a misspelt field is refused, ids in paths are UUIDs. */
export const rowEndpoint = endpoint.withDefaults({
  unknownKeys: 'refuse',
  params: { id: uuid, imageId: uuid, jobId: uuid, addressId: uuid, linkId: uuid },
});

/** Among whose requests one without a token counts that names a store by its address: the id is not known before it is looked up. */
export const ofSlug = (slug: unknown): string => `slug ${String(slug)}`;
