import type { Database } from '@platform/data';
import { joined, type Area } from './area';
import type { Config } from './config';
import { composeBot } from './features/bot/bot.composition';
import { composeBilling } from './features/billing/billing.composition';
import { billPayments } from './features/billing/tills/public';
import { composeCatalogue } from './features/catalogue/catalogue.composition';
import { ProductsRepository, ProductWriteService } from './features/catalogue/products/public';
import { composeChat } from './features/chat/chat.composition';
import { composeCheckout } from './features/checkout/checkout.composition';
import { composeContacts } from './features/contacts/contacts.composition';
import { composeDemo } from './features/demo/demo.composition';
import { composeDigital } from './features/digital/digital.composition';
import { customerCopies } from './features/contacts/copies/public';
import { Pushes } from './features/identity/access/public';
import { composeGateways, type GatewayNeeds } from './features/gateways/gateways.composition';
import { composeIdentity } from './features/identity/identity.composition';
import { composeMedia } from './features/media/media.composition';
import { composePapers } from './features/papers/papers.composition';
import { composePaying } from './features/paying/paying.composition';
import { composeOperator } from './features/operator/operator.composition';
import { orderCopies, type Tills } from './features/sales/orders/public';
import { composeSales } from './features/sales/sales.composition';
import { OwnChats } from './features/sales/sight/public';
import { composeShipping } from './features/shipping/shipping.composition';
import { storeCopies, StoreStanding } from './features/shop/store/public';
import { composeShop } from './features/shop/shop.composition';
import { composeStock } from './features/stock/stock.composition';
import { memberCopies } from './features/team/members/public';
import { composeTeam } from './features/team/team.composition';
import { composeVerification } from './features/verification/verification.composition';
import { composeImports } from './imports/imports.composition';
import { knowingRows } from './known-rows';
import { payoutClientOf, payoutNotices } from './features/wallet/public';
import { composeWallet, type WalletArea } from './features/wallet/wallet.composition';

type Everything = Omit<Parameters<typeof composeIdentity>[1], 'pushes' | 'media'> & { readonly gateways: GatewayNeeds };

/** What is paid in and out goes through the platform's account at provider B. */
const walletOf = (config: Config, parts: Everything, tills: Tills): WalletArea =>
  composeWallet(config, {
    ...parts,
    ...{
      bills: billPayments(parts.database, tills),
      payouts: payoutClientOf(parts.gateways.slots.b?.platform?.client),
    },
  });

/** Who stands behind a store, and what operators decide on. */
const overseen = (config: Config, parts: Everything, media: ReturnType<typeof composeMedia>, pushes: Pushes) => {
  const verification = composeVerification(config, { ...parts, media: media.library });
  const { kyc, rows: identities } = verification;
  const fileOf = (key: string): string => media.disk.path(key);
  const operator = composeOperator(config, { ...parts, kyc, fileOf, standing: new StoreStanding(pushes) });
  return { areas: [verification, operator], identities };
};

/** What chat-backend has copies of. */
const kinds = { stores: storeCopies, users: memberCopies, customers: customerCopies, orders: orderCopies };

/** Products, for areas that write and list them as the catalogue does. */
const goodsOf = (database: Database) => ({
  products: new ProductWriteService(database),
  listed: new ProductsRepository(database),
});

/** What providers are asked, and what stores pay the platform. */
const moneyAreas = (config: Config, parts: Everything, { area, tills }: ReturnType<typeof composeGateways>): Area[] => [
  area,
  composeBilling(config, { ...parts, payments: billPayments(parts.database, tills) }),
];

/** All areas of the shop together. */
export const composeAreas = (config: Config, parts: Everything): Required<Area> => {
  const media = composeMedia(config, parts);
  const chat = composeChat({ ...parts, chat: parts.siblings.chat, kinds });
  const { database, queue, siblings } = parts;
  const pushes = new Pushes(database, queue, siblings.memberships, chat.copies);
  const contacts = composeContacts(parts, { copies: chat.copies });
  const shipping = composeShipping(parts);
  const gateways = composeGateways(config, parts, { ...parts.gateways, payouts: payoutNotices(database) });
  const { tills, pages } = gateways;
  const { areas, identities } = overseen(config, parts, media, pushes);
  const wallet = walletOf(config, parts, tills);
  const all = joined([
    ...moneyAreas(config, parts, gateways),
    media,
    chat,
    contacts,
    composeCatalogue(config, { ...parts, media: media.library }),
    composeStock(parts),
    composeImports(parts, { contacts: contacts.imports }),
    composeSales(config, parts, {
      ...{ buyers: contacts.buyers, copies: chat.copies, tills, pages },
      accountOf: (storeId, { provider, mode }) => gateways.accounts.clientOf(storeId, provider, mode),
    }),
    composePaying(config, { ...parts, media, gateways: gateways.accounts }),
    composePapers(parts),
    composeDigital(config, { ...parts, media, catalogue: goodsOf(database) }),
    shipping,
    composeCheckout(config, {
      ...parts,
      ...{ messages: parts.siblings.messages, rates: shipping.rates, buyers: contacts.strangers, tills },
    }),
    composeIdentity(config, { ...parts, pushes, media: media.library }),
    composeShop(config, { ...parts, pushes, copies: chat.copies }),
    composeTeam(config, { ...parts, pushes }),
    wallet,
    ...areas,
    composeBot(config, { ...parts, buyers: contacts.buyers, tills }),
    composeDemo(config, { ...parts, media, copies: chat.copies, identities, seedWallet: wallet.seedWallet }),
  ]);
  return { ...all, endpoints: new OwnChats(database, siblings.handled).guarding(knowingRows(database, all.endpoints)) };
};
