import { CreateCatalogue1763600000000 } from './migrations/1763600000000-create-catalogue';
import { CreateTenancy1763700000000 } from './migrations/1763700000000-create-tenancy';
import { Goods1763710000000 } from './migrations/1763710000000-goods';
import { GoodsIndexes1763710100000 } from './migrations/1763710100000-goods-indexes';
import { Contacts1763720000000 } from './migrations/1763720000000-contacts';
import { Sales1763730000000 } from './migrations/1763730000000-sales';
import { CreateImports1763740000000 } from './migrations/1763740000000-create-imports';
import { Staff1763750000000 } from './migrations/1763750000000-staff';
import { Payments1763760000000 } from './migrations/1763760000000-payments';
import { PaymentsIndexes1763760100000 } from './migrations/1763760100000-payments-indexes';
import { Paying1763770000000 } from './migrations/1763770000000-paying';
import { Shipping1763780000000 } from './migrations/1763780000000-shipping';
import { Checkout1763790000000 } from './migrations/1763790000000-checkout';
import { People1763800000000 } from './migrations/1763800000000-people';
import { Sought1763810000000 } from './migrations/1763810000000-sought';
import { PricesOfProducts1763810100000 } from './migrations/1763810100000-prices-of-products';
import { CodesOfAnHour1763810200000 } from './migrations/1763810200000-codes-of-an-hour';
import { OrdersOfNumbers1763810300000 } from './migrations/1763810300000-orders-of-numbers';
import { TagsThatGo1763810300001 } from './migrations/1763810300001-tags-that-go';
import { SweptMedia1763810320000 } from './migrations/1763810320000-swept-media';
import { SweptMediaIndexes1763810320001 } from './migrations/1763810320001-swept-media-indexes';
import { Digits1763810350000 } from './migrations/1763810350000-digits';
import { Ledger1763820000000 } from './migrations/1763820000000-ledger';
import { LedgerIndexes1763820100000 } from './migrations/1763820100000-ledger-indexes';
import { Gateways1763830000000 } from './migrations/1763830000000-gateways';
import { GatewaysIndexes1763830100000 } from './migrations/1763830100000-gateways-indexes';
import { Wallet1763840000000 } from './migrations/1763840000000-wallet';
import { Digital1763850000000 } from './migrations/1763850000000-digital';
import { Billing1763860000000 } from './migrations/1763860000000-billing';
import { Verification1763870000000 } from './migrations/1763870000000-verification';
import { BotDoor1763870100000 } from './migrations/1763870100000-bot-door';
import { Refunds1763880000000 } from './migrations/1763880000000-refunds';
import { Signers1763890000000 } from './migrations/1763890000000-signers';
import { AlertsOfRefunds1763890100000 } from './migrations/1763890100000-alerts-of-refunds';

export const schema = 'commerce_api';
export const migrations = [
  CreateCatalogue1763600000000,
  CreateTenancy1763700000000,
  Goods1763710000000,
  GoodsIndexes1763710100000,
  Contacts1763720000000,
  Sales1763730000000,
  CreateImports1763740000000,
  Staff1763750000000,
  Payments1763760000000,
  PaymentsIndexes1763760100000,
  Paying1763770000000,
  Shipping1763780000000,
  Checkout1763790000000,
  People1763800000000,
  Sought1763810000000,
  PricesOfProducts1763810100000,
  CodesOfAnHour1763810200000,
  OrdersOfNumbers1763810300000,
  TagsThatGo1763810300001,
  SweptMedia1763810320000,
  SweptMediaIndexes1763810320001,
  Digits1763810350000,
  Ledger1763820000000,
  LedgerIndexes1763820100000,
  Gateways1763830000000,
  GatewaysIndexes1763830100000,
  Wallet1763840000000,
  Digital1763850000000,
  Billing1763860000000,
  Verification1763870000000,
  BotDoor1763870100000,
  Refunds1763880000000,
  Signers1763890000000,
  AlertsOfRefunds1763890100000,
];
