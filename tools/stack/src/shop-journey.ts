import { uuidv7 } from '@platform/runtime';
import { mailTo } from './mailbox';
import { ShopClient } from './shop-client';

/** Where the journey takes place. */
export interface JourneyPlace {
  readonly commerce: string;
  /** Of the mail sandbox. */
  readonly mailbox: string;
}

interface Order {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly payment_status: string;
  readonly fulfillment_status: string;
  readonly receipt_no: string | null;
  readonly total: number;
}

/** What the steps have come to know; each adds what those after it need. */
interface Journey {
  readonly place: JourneyPlace;
  readonly owner: { readonly name: string; readonly email: string; readonly password: string; readonly phone: string };
  /** Of the owner, once they have signed in. */
  shop: ShopClient;
  /** Of the buyer, who has no login. */
  readonly visitor: ShopClient;
  variantId: string;
  warehouseId: string;
  linkCode: string;
  cart: string;
  total: number;
  order: Order;
  receipt: Buffer;
}

/** A step with what it is called; resolves to what is told of it. Throws when it does not come out as it should. */
interface Step {
  readonly name: string;
  play(journey: Journey): Promise<string>;
}

const SHOP_NAME = 'Kopi Senja';
const PRICE = 85_000;
const PIECES = 20;
const BOUGHT = 2;
const POSTAGE = 18_000;
const BUYER = { name: 'Ani Wijaya', phone: '6280066123456' };
const ADDRESS = {
  ...BUYER,
  line: 'Jl. Melati No. 7',
  district: 'Coblong',
  city: 'Bandung',
  province: 'Jawa Barat',
  postcode: '40132',
};

const rupiah = (amount: number): string => `Rp${amount.toLocaleString('id-ID')}`;

/** Throws unless it is as expected. */
const expectThat = (what: string, found: unknown, expected: unknown): void => {
  if (found !== expected) throw new Error(`${what} is ${String(found)}, not ${String(expected)}.`);
};

const moved = async (journey: Journey, status: string): Promise<Order> =>
  (journey.order = await journey.shop.call<Order>('POST', '/order/change_status', {
    order_id: journey.order.id,
    status,
  }));

const opening: readonly Step[] = [
  {
    name: 'register',
    play: async ({ visitor, owner }) => {
      await visitor.call('POST', '/auth/register', { ...owner, store_name: SHOP_NAME });
      return `${owner.name} opens ${SHOP_NAME}`;
    },
  },
  {
    name: 'verify',
    play: async ({ place, visitor, owner: { email } }) => {
      const [, code = ''] = await mailTo(place.mailbox, email, /: (\S+)/);
      await visitor.call('POST', '/auth/verify', { email, code });
      return 'the code from the mail confirms the address';
    },
  },
  {
    name: 'sign in',
    play: async (journey) => {
      const { email, password } = journey.owner;
      journey.shop = await journey.visitor.login(email, password);
      const { store } = await journey.shop.call<{ store: { name: string } }>('GET', '/auth/me');
      expectThat('The store of the login', store.name, SHOP_NAME);
      return `${journey.owner.name} is the owner of ${store.name}`;
    },
  },
  {
    name: 'product',
    play: async (journey) => {
      const product = { name: 'Kopi Gayo 250 g', price: PRICE, weight_g: 300, status: 'active' };
      const made = await journey.shop.call<{ variants: { id: string }[] }>('POST', '/products', product);
      journey.variantId = made.variants[0]?.id ?? '';
      return `${product.name} for ${rupiah(PRICE)}`;
    },
  },
  {
    name: 'stock',
    play: async (journey) => {
      const [warehouse] = await journey.shop.call<{ id: string; name: string }[]>('GET', '/warehouse');
      journey.warehouseId = warehouse?.id ?? '';
      const lines = [{ variant_id: journey.variantId, counted: PIECES }];
      await journey.shop.call('PUT', `/warehouse/${journey.warehouseId}/stock`, { lines });
      return `${PIECES} are counted in ${warehouse?.name}`;
    },
  },
  {
    name: 'terms',
    play: async ({ shop }) => {
      await shop.call('POST', '/shipping/methods', { kind: 'flat', name: 'Reguler', cost: POSTAGE });
      await shop.call('POST', '/payment/bank-transfer', { bank_code: 'BCA', number: '8800112233', holder: SHOP_NAME });
      return `sent for ${rupiah(POSTAGE)}, paid by transfer to BCA`;
    },
  },
];

const selling: readonly Step[] = [
  {
    name: 'link',
    play: async (journey) => {
      const lines = [{ variant_id: journey.variantId, qty: 1, editable: true }];
      const link = await journey.shop.call<{ code: string }>('POST', '/checkout/links', { name: 'Kopi Gayo', lines });
      journey.linkCode = link.code;
      return `made, with the code ${link.code}`;
    },
  },
  {
    name: 'cart',
    play: async (journey) => {
      const { visitor, variantId, linkCode } = journey;
      const items = [{ variant_id: variantId, qty: BOUGHT }];
      const { token } = await visitor.call<{ token: string }>('POST', '/checkout/session', {
        link_code: linkCode,
        items,
      });
      const cart = `/checkout/session/${token}`;
      await visitor.call('PUT', `${cart}/address`, { buyer: BUYER, address: ADDRESS });
      const [rate] = await visitor.call<{ quote_id: string; option: string }[]>('GET', `${cart}/shipping-rates`);
      const chosen = { quote_id: rate?.quote_id, option: rate?.option };
      const { total } = await visitor.call<{ total: number }>('PUT', `${cart}/shipping`, chosen);
      expectThat('The total of the cart', total, PRICE * BOUGHT + POSTAGE);
      Object.assign(journey, { cart, total });
      return `${BUYER.name} opens the link and takes ${BOUGHT}: ${rupiah(total)} with the shipping`;
    },
  },
  {
    name: 'place',
    play: async (journey) => {
      const { visitor, shop, cart, total } = journey;
      const body = { payment_method: 'transfer', expected_total: total };
      const placed = await visitor.call<{ order_number: string }>('POST', `${cart}/place`, body);
      journey.order = await shop.call<Order>('GET', `/order/number/${placed.order_number}`);
      expectThat('The payment of the order', journey.order.payment_status, 'unpaid');
      return `the order ${placed.order_number} waits for its payment, ${BOUGHT} of ${PIECES} are held for it`;
    },
  },
  {
    name: 'paid by hand',
    play: async (journey) => {
      const { shop, owner, order } = journey;
      const seen = { order_id: order.id, status: 'paid', method: 'transfer' };
      journey.order = await shop.call<Order>('POST', '/order/change_payment_status', seen);
      expectThat('The payment of the order', journey.order.payment_status, 'paid');
      return `${owner.name} sees the transfer: paid, receipt ${journey.order.receipt_no}`;
    },
  },
];

const fulfilling: readonly Step[] = [
  {
    name: 'waybill',
    play: async (journey) => {
      const { id, number } = await moved(journey, 'processing');
      const waybill = `JNE${number.slice(-6)}`;
      const means = { courier: 'JNE', service: 'REG', waybill, notify: false };
      const shipment = await journey.shop.call<{ status: string }>('POST', `/order/${id}/waybill`, means);
      expectThat('The shipment', shipment.status, 'in_transit');
      return `JNE REG ${waybill}: on its way`;
    },
  },
  {
    name: 'completed',
    play: async (journey) => {
      const { status, fulfillment_status: goods } = await moved(journey, 'completed');
      expectThat('The order', `${status}, ${goods}`, 'completed, delivered');
      const [level] = await journey.shop.call<{ on_hand: number; reserved: number }[]>(
        'GET',
        `/warehouse/${journey.warehouseId}/stock`,
      );
      expectThat('What is left', `${level?.on_hand}, ${level?.reserved} held`, `${PIECES - BOUGHT}, 0 held`);
      return `delivered; ${level?.on_hand} of ${PIECES} are left, none is held`;
    },
  },
  {
    name: 'receipt',
    play: async (journey) => {
      const { shop, order } = journey;
      const answer = await shop.answer('GET', `/order/${order.id}/invoice?format=pdf`);
      journey.receipt = Buffer.from(await answer.arrayBuffer());
      expectThat('The beginning of the receipt', journey.receipt.subarray(0, 5).toString(), '%PDF-');
      return `${order.receipt_no} over ${rupiah(order.total)}, a PDF of ${journey.receipt.length} bytes`;
    },
  },
];

/** From nothing to a receipt: the steps that `npm run demo -- shop` shows to people, and that a test takes. */
export const shopJourney: readonly Step[] = [...opening, ...selling, ...fulfilling];

/** Somebody new, so that the journey can be made again. */
export const newOwner = (): Journey['owner'] => {
  const id = uuidv7();
  const digits = String(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).slice(-8);
  return {
    name: 'Budi Santoso',
    email: `budi-${id.slice(-8)}@kopi-senja.example`,
    password: 'kopi-hitam-tanpa-gula',
    phone: `62800${digits}`,
  };
};

export interface JourneyEnd {
  readonly order: Pick<Order, 'number' | 'receipt_no' | 'total'>;
  readonly receipt: Buffer;
  readonly owner: Journey['owner'];
  /** Signed in as the owner. */
  readonly shop: ShopClient;
}

/** Makes the journey as somebody new; `tell` hears of every step when it is done. Throws with the step that failed. */
export const makeJourney = async (
  place: JourneyPlace,
  tell: (name: string, text: string) => void,
): Promise<JourneyEnd> => {
  const visitor = new ShopClient(place.commerce);
  const journey = { place, owner: newOwner(), visitor, shop: visitor } as Journey;
  for (const { name, play } of shopJourney)
    try {
      tell(name, await play(journey));
    } catch (cause) {
      throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
  const { order, receipt, owner, shop } = journey;
  return { order, receipt, owner, shop };
};
