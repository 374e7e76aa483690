import type { Claims } from '@platform/contracts';
import type { catalogueAbilities } from './features/catalogue/catalogue.abilities';

/** What a role or an API token may allow, `area.verb` (design section 6), and how `/team/permissions` tells it to people. */
export const abilities = {
  'product.read': 'See products and their stock',
  'product.write': 'Create, change and archive products',
  'product.cost': 'See and set what products cost the shop',
  'stock.write': 'Correct, count and move stock',
  'category.write': 'Arrange the categories',
  'order.read': 'See orders',
  'order.write': 'Create, change and cancel orders',
  'order.refund': 'Give money back',
  'order.export': 'Download orders',
  'payment.read': 'See payments',
  'payment.record': 'Record payments that were made outside',
  'payment.settings': 'Set how customers can pay',
  'digital.write': 'Manage downloads and licence keys',
  'coupon.write': 'Manage coupons',
  'checkout.write': 'Manage checkout links and abandoned carts',
  'contact.read': 'See contacts',
  'contact.write': 'Create, change and merge contacts',
  'contact.export': 'Download contacts',
  'ticket.write': 'Answer and assign tickets',
  'chat.reply': 'Answer chats',
  'chat.all': 'See the chats, orders and contacts of everybody',
  'device.write': 'Connect WhatsApp numbers',
  'agent.write': 'Set up AI agents and automatic replies',
  'template.write': 'Write templates and quick replies',
  'broadcast.send': 'Send broadcasts',
  'wa.send': 'Send single messages over WhatsApp',
  'wallet.read': 'See the wallet',
  'wallet.topup': 'Top the wallet up',
  'wallet.withdraw': 'Withdraw money',
  'billing.write': 'Choose and pay the plan',
  'shipping.write': 'Manage shipping and shipments',
  'warehouse.write': 'Manage warehouses',
  'marketing.write': 'Manage bio links and short links',
  'pixel.write': 'Manage advertising pixels',
  'domain.write': "Manage the shop's addresses",
  'report.read': 'See reports',
  'logs.read': 'See what was done by whom',
  'logs.replay': 'Process stored webhooks again',
  'settings.read': 'See the settings',
  'settings.write': 'Change the settings and the shop',
  'token.write': 'Create and revoke API tokens',
  'team.manage': 'Manage staff, roles and chat teams',
  'kyc.write': 'Send in the identity check',
  'upload.write': 'Upload files',
} as const;

type Known = keyof typeof abilities;
/** The areas name the abilities that guard their routes; a feature outside the design brings its own. */
export type Ability = Known | (typeof catalogueAbilities)[number] | ServicesOnly;
/** What only the platform's own services may, whoever owns the store. */
type ServicesOnly = 'wallet.charge' | 'chat.tell';
/** What a token route asks for: an ability, or only that the caller belongs to the store. */
export type Need = Ability | 'member';

export const knownAbilities = Object.keys(abilities) as Known[];

/** A person decides these by signing in: an API token, which may lie in a script, can hold none of them (design section 6). */
export const forPeopleOnly: ReadonlySet<Need> = new Set<Known>(['team.manage', 'token.write', 'wallet.withdraw']);

/** What a store whose plan is unpaid can still do: pay. */
export const forPaying: ReadonlySet<Need> = new Set<Known>(['billing.write', 'wallet.topup']);

/** What a store whose plan has ended unpaid cannot do. */
export const forSending: ReadonlySet<Need> = new Set<Known>(['broadcast.send', 'wa.send']);
/** No role and no API token holds these. */
export const forServicesOnly: ReadonlySet<Need> = new Set<ServicesOnly>(['wallet.charge', 'chat.tell']);

/** What moves money out, or opens a door that stays open: a login that was revoked must not do it, not even while nobody tells us (design section 6). */
export const askedEveryTime: ReadonlySet<Need> = new Set<Known>(['wallet.withdraw', 'order.refund', 'token.write']);

/** What a person who signed in may read, and no API token that has the same ability. */
export const readByPeople = ['wallet.read'] as const satisfies readonly Known[];
type ReadByPeople = (typeof readByPeople)[number];
export type PersonalNeed = `person:${ReadByPeople}`;
export const personally = <N extends ReadByPeople>(need: N): `person:${N}` => `person:${need}`;

/** Whose customers are all that a caller sees: those whose chats this user handles. */
export interface Sight {
  readonly handledBy: string;
  /** Their numbers. None before `OwnChats` has asked: a route that forgets it shows nobody. */
  readonly phones: readonly string[];
}

/** Somebody with a token, acting in one store. */
export interface Caller {
  readonly storeId: string;
  /** User id, `svc:<client>`, or the id of an API token. */
  readonly actor: string;
  /** For the audit log. */
  readonly name: string;
  readonly kind: 'user' | 'service' | 'token';
  readonly isService: boolean;
  readonly abilities: ReadonlySet<Need>;
  /** Of a member without `chat.all`, and of the API tokens that such a member made. Undefined: everybody's customers are seen. */
  readonly sight?: Sight | undefined;
  /** The token with which a user came, for the owners of what faces show; a function, so that no log writes it. */
  readonly bearer?: () => string;
  /** The login of a user. */
  readonly sid?: string;
  /** Where the request came from. */
  readonly address: string;
}

/** A user with a login, not a service or an API token: may do what concerns the login itself. */
export interface SignedIn {
  readonly token: string;
  readonly claims: Claims;
  readonly address: string;
}

/** What a guard has found: of a page, the member behind who looks at it. */
const actingIn = (found: unknown): Partial<Caller & SignedIn> => {
  const { caller } = (found ?? {}) as { readonly caller?: Caller };
  return caller ?? (found as Partial<Caller & SignedIn> | undefined) ?? {};
};

/** The store that a caller acts in; undefined for who has no token, or acts on an account of their own. */
export const storeOfCaller = (caller: unknown): string | undefined => actingIn(caller).storeId;

/** Whose requests share a limit; undefined for who has no token. */
export const callerKey = (caller: unknown): string | undefined => {
  const { storeId, actor, claims } = actingIn(caller);
  return storeId ? `${storeId} ${actor}` : claims?.sub;
};

/** What a caller may see of an answer. */
export const groupsOf = (caller: unknown): ReadonlySet<string> => actingIn(caller).abilities ?? new Set();
