import type { Database } from '@platform/data';
import { joined, type Area } from './area';
import type { Config } from './config';
import { openShipping } from './clients/ship-a';
import { copiedKinds } from './copies.composition';
import { composeBot } from './features/bot/bot.composition';
import { composeBuying } from './features/buying/buying.composition';
import { composeCatalogue } from './features/catalogue/catalogue.composition';
import { ProductsRepository, ProductWriteService } from './features/catalogue/products/public';
import { composeChat } from './features/chat/chat.composition';
import { composeCheckout } from './features/checkout/checkout.composition';
import { composeContacts } from './features/contacts/contacts.composition';
import { composeDemo } from './features/demo/demo.composition';
import { composeDigital } from './features/digital/digital.composition';
import { Pushes } from './features/identity/access/public';
import type { GatewayArea } from './features/gateways/gateways.composition';
import { composeIdentity } from './features/identity/identity.composition';
import { composeMedia } from './features/media/media.composition';
import { settlingFirst } from './features/media/presign/public';
import { shopAt } from './features/outside/outside.composition';
import { composePapers } from './features/papers/papers.composition';
import { composePaying } from './features/paying/paying.composition';
import { composeSales } from './features/sales/sales.composition';
import { OwnChats } from './features/sales/sight/public';
import { composeShipping } from './features/shipping/shipping.composition';
import { composeShop } from './features/shop/shop.composition';
import { openWarehouses } from './features/stock/warehouses/public';
import { composeStock } from './features/stock/stock.composition';
import { composeShopfront } from './features/shopfront/shopfront.composition';
import { composeTeam } from './features/team/team.composition';
import { composeImports } from './imports/imports.composition';
import { knowingRows } from './known-rows';
import { composeMoney, type Everything } from './money.composition';
import { orderDesk } from './order-desk.composition';
import { composeReach } from './reach.composition';
import type { Pages } from './web/kit';

/** Products, for areas that write and list them as the catalogue does. */
const goodsOf = (database: Database) => ({
  products: new ProductWriteService(database),
  listed: new ProductsRepository(database),
});

/** The same, whose routes and pages meet customers with the eyes of their caller, and know the rows that a query names. */
const seen = ({ database, siblings }: Everything, all: Required<Area>): Required<Area> => {
  const own = new OwnChats(database, siblings.handled);
  const pages = all.pages.map((each): Pages => {
    return (kit) => own.guarding(each(kit));
  });
  return { ...all, pages, endpoints: own.guarding(knowingRows(database, all.endpoints)) };
};

interface Beside {
  readonly media: ReturnType<typeof composeMedia>;
  readonly gateways: GatewayArea;
  readonly shipping: ReturnType<typeof composeShipping>['told'];
  readonly strangers: ReturnType<typeof composeContacts>['strangers'];
  readonly goods: ReturnType<typeof orderDesk>['goods'];
}

/** What buyers come by: the shop, the cart, and what they pay and have ordered. */
const composeBuyers = (config: Config, parts: Everything, beside: Beside): Area[] => {
  const { media, gateways, shipping, strangers, goods } = beside;
  const paying = composePaying(config, { ...parts, media, gateways: gateways.accounts });
  const checkout = composeCheckout(config, {
    ...{ ...parts, messages: parts.siblings.messages, ...shipping },
    ...{ buyers: strangers, tills: gateways.tills, goods },
  });
  const { PUBLIC_URL: publicUrl } = config;
  const shop = composeShopfront({ ...parts, publicUrl, sessions: checkout.sessions, shopAt: shopAt(config, parts) });
  return [paying, composeBuying({ ...parts, gateways, proofs: paying.proofs }), checkout, shop];
};

/** All areas of the shop together. */
export const composeAreas = (config: Config, parts: Everything): Required<Area> => {
  const media = composeMedia(config, parts);
  const chat = composeChat({ ...parts, chat: parts.siblings.chat, kinds: copiedKinds(media.library) });
  const { database, queue, siblings } = parts;
  const pushes = new Pushes(database, queue, siblings.memberships, chat.copies);
  const contacts = composeContacts(parts, { copies: chat.copies });
  const shipping = composeShipping({ ...parts, couriers: openShipping(config) });
  const money = composeMoney(config, parts, { media, pushes });
  const papers = composePapers(config, parts);
  const digital = composeDigital(config, { ...parts, media, catalogue: goodsOf(database) });
  const { gateways } = money;
  const desk = orderDesk(database, { media, papers, digital, shipping });
  const all = joined([
    media,
    chat,
    contacts,
    composeCatalogue(config, { ...parts, media: media.library, warehouses: openWarehouses(database) }),
    composeStock({ ...parts, goods: desk.goods }),
    composeImports(parts, { contacts: contacts.imports }),
    composeSales(config, parts, { buyers: contacts.buyers, copies: chat.copies, ...gateways, ...desk }),
    papers,
    digital,
    shipping,
    ...composeBuyers(config, parts, {
      ...{ media, gateways, shipping: shipping.told, strangers: contacts.strangers, goods: desk.goods },
    }),
    composeIdentity(config, { ...parts, pushes, media: media.library }),
    composeShop(config, { ...parts, pushes, copies: chat.copies }),
    composeTeam(config, { ...parts, pushes, copies: chat.copies }),
    ...money.areas,
    ...composeReach(config, parts, { media, copies: chat.copies, pushes }).areas,
    composeBot(config, { ...parts, ...shipping.told, buyers: contacts.buyers, tills: gateways.tills }),
    composeDemo(config, { ...parts, media, copies: chat.copies, ...money.seeds }),
  ]);
  return seen(parts, { ...all, endpoints: settlingFirst(media.library, parts.clock, all.endpoints) });
};
