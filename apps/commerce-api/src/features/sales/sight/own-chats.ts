import type { Sql } from '@platform/data';
import { NotFound, Unavailable } from '@platform/errors';
import type { Endpoint, ShowRefusal } from '@platform/http';
import type { Caller } from '../../../abilities';
import type { HandledChats } from '../../../clients/chat.handled';
import { isSeen, type Named } from './sight.sql';
import { refusals } from '../../../refusals';

/** The paths under which customers are met, and what their parameters name: the first that fits counts. */
const PATHS: readonly (readonly [path: string, named?: Readonly<Record<string, Named>>])[] = [
  ['/api/order', { id: 'Order', orderNumber: 'Order by number' }],
  ['/api/payment', { id: 'Payment' }],
  ['/api/pay_a/create-payment'],
  ['/api/pay_c/create-payment'],
  ['/api/pay_a/status', { invoiceNumber: 'Payment by number' }],
  ['/api/pay_c/status', { reference: 'Payment by number' }],
  ['/api/shipping/shipments', { id: 'Shipment' }],
  ['/api/digital-store/deliveries', { id: 'Delivery' }],
  ['/api/checkout/abandoned', { token: 'Abandoned cart' }],
  ['/api/coupon/{id}/usages'],
  ['/api/template-message'],
  ['/api/dashboard'],
  ['/api/report'],
  // Pages
  ['/dashboard'],
  ['/coupons/{id}'],
  ['/orders', { id: 'Order' }],
  ['/shipments', { id: 'Shipment' }],
  ['/abandoned-carts', { token: 'Abandoned cart' }],
];
/** Nobody's numbers are asked for there unless a body names somebody: who sees what else is the owner's to say. */
const OWNED: readonly string[] = ['/api/ticketing-feedback'];
/** What fields of bodies name. */
const FIELDS: Readonly<Record<string, Named>> = { order_id: 'Order', contact_id: 'Contact' };

/** Of a page, the member behind who looks at it. */
type Asking = Caller | { readonly caller: Caller } | undefined;
const callerOf = (asking: Asking): Caller | undefined =>
  asking !== undefined && 'caller' in asking ? asking.caller : asking;
const asIf = (asking: Asking, caller: Caller): Asking =>
  asking !== undefined && 'caller' in asking ? { ...asking, caller } : caller;

type Handler = Endpoint['handle'];
type Values = Readonly<Record<string, unknown>>;
type Names = Readonly<Record<string, Named>>;
type Mentioned = readonly (readonly [Named, string])[];

const namedIn = (values: Values | undefined, names: Names): (readonly [Named, string])[] =>
  Object.entries(names).flatMap(([field, named]) => {
    const value = values?.[field];
    return typeof value === 'string' ? [[named, value] as const] : [];
  });

const NOT_FOUND = 404;
const unseen = (named: Named): Error => {
  if (named === 'Contact') return refusals.notHere('contact_id', 'is not a contact of this store');
  return new NotFound(`${named.replace(' by number', '')} not found`);
};

/**
 * "Without chat.all a member sees only the orders of their own chats" (design 3.7): whose chats those are is asked anew with every request, and
 * nobody's orders are shown while chat-backend does not tell.
 */
export class OwnChats {
  constructor(
    private readonly sql: Sql,
    /** Undefined: there is no chat-backend. */
    private readonly chats: HandledChats | undefined,
  ) {}

  /**
   * The same endpoints, those that meet customers with the eyes of their caller: what a path or body names does not exist for whoever does
   * not see it, and lists find the numbers in `caller.sight`. Who sees all is not asked about. They throw `Unavailable` besides.
   */
  guarding(endpoints: readonly Endpoint[]): Endpoint[] {
    return endpoints.map((endpoint) => {
      const isUnder = (each: string): boolean => `${endpoint.path}/`.startsWith(`${each}/`);
      if (OWNED.some(isUnder)) return { ...endpoint, handle: this.naming(endpoint.handle) };
      const [path, named = {}] = PATHS.find(([each]) => isUnder(each)) ?? [];
      if (path === undefined) return endpoint;
      const { handle, refused } = endpoint;
      return {
        ...endpoint,
        handle: this.seeing(handle, named),
        ...(refused && { refused: this.showing(refused, named) }),
      };
    });
  }

  private naming(handle: Handler): Handler {
    const seeing = this.seeing(handle, {});
    return (input) => (namedIn(input.body as Values | undefined, FIELDS).length > 0 ? seeing : handle)(input);
  }

  private seeing(handle: Handler, names: Names): Handler {
    return async (input) => {
      const asking = input.caller as Asking;
      if (!callerOf(asking)?.sight) return handle(input);
      const mentioned = [...namedIn(input.params, names), ...namedIn(input.body as Values | undefined, FIELDS)];
      const seeing = await this.withEyes(asking, mentioned);
      return handle(Object.create(input, { caller: { value: seeing } }) as typeof input);
    };
  }

  /** A form is refused before its handler is asked, too, as when it is too large: the page of what its sender does not see is not shown for it. */
  private showing(refused: ShowRefusal, names: Names): ShowRefusal {
    return async (failure, asked) => {
      const asking = asked.caller as Asking;
      if (!callerOf(asking)?.sight) return refused(failure, asked);
      try {
        const seeing = await this.withEyes(asking, namedIn(asked.request.params, names));
        return await refused(failure, { ...asked, caller: seeing });
      } catch (hidden) {
        if (hidden instanceof NotFound) return refused(hidden, { ...asked, caller: undefined, status: NOT_FOUND });
        return refused(failure, { ...asked, caller: undefined });
      }
    };
  }

  /** Who asks, with the numbers that they see. Throws where one of these is not theirs to see, and while nobody tells. */
  private async withEyes(asking: Asking, mentioned: Mentioned): Promise<Asking> {
    const caller = callerOf(asking);
    if (!caller?.sight) return asking;
    const seeing = { ...caller, sight: { ...caller.sight, phones: await this.numbersOf(caller) } };
    for (const [named, id] of mentioned) if (!(await isSeen(this.sql, seeing, named, id))) throw unseen(named);
    return asIf(asking, seeing);
  }

  private async numbersOf({ storeId, sight }: Caller): Promise<readonly string[]> {
    if (!this.chats) throw new Unavailable('There is no chat-backend to tell whose chats these are');
    return sight ? this.chats.of(storeId, sight.handledBy) : [];
  }
}
