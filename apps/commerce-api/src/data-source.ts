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
import { ChatEvents1763910300000 } from './migrations/1763910300000-chat-events';
import { LivechatWidget1763910310000 } from './migrations/1763910310000-livechat-widget';
import { PlanClaims1763910400000 } from './migrations/1763910400000-plan-claims';
import { CountedBroadcasts1763910400001 } from './migrations/1763910400001-counted-broadcasts';
import { ArrivedOrders1763910820000 } from './migrations/1763910820000-arrived-orders';
import { ProductDaily1763921000000 } from './migrations/1763921000000-product-daily';
import { ChecksOfCodes1763926000000 } from './migrations/1763926000000-checks-of-codes';
import { ToldPeople1763925000000 } from './migrations/1763925000000-told-people';
import { PinTries1763929000000 } from './migrations/1763929000000-pin-tries';
import { ProofsToCheck1763950000000 } from './migrations/1763950000000-proofs-to-check';
import { PaymentsPutAside1763951000000 } from './migrations/1763951000000-payments-put-aside';
import { RefundsOfSurplus1763952000000 } from './migrations/1763952000000-refunds-of-surplus';
import { OptionsInSearches1763953000000 } from './migrations/1763953000000-options-in-searches';
import { DigitsOfStores1763954000000 } from './migrations/1763954000000-digits-of-stores';
import { FewAmongMany1763955000000 } from './migrations/1763955000000-few-among-many';
import { JobsThatGo1763956000000 } from './migrations/1763956000000-jobs-that-go';
import { BrowserPushes1763927000000 } from './migrations/1763927000000-browser-pushes';
import { SignOuts1763928000000 } from './migrations/1763928000000-sign-outs';
import { ReportsIndexes1763910800000 } from './migrations/1763910800000-reports-indexes';
import { DashboardIndexes1763910800001 } from './migrations/1763910800001-dashboard-indexes';
import { Marketing1763910600000 } from './migrations/1763910600000-marketing';
import { WebSessions1763920000000 } from './migrations/1763920000000-web-sessions';
import { OrdersOfTrackers1763910610000 } from './migrations/1763910610000-orders-of-trackers';
import { ChatSide1763910200000 } from './migrations/1763910200000-chat-side';
import { ShopEvents1763900000000 } from './migrations/1763900000000-shop-events';
import { Couriers1763910100000 } from './migrations/1763910100000-couriers';
import { CouriersIndexes1763910100001 } from './migrations/1763910100001-couriers-indexes';
import { MessagesAndNotices1763910500000 } from './migrations/1763910500000-messages-and-notices';
import { Outside1763910700000 } from './migrations/1763910700000-outside';
import { OutsideIndexes1763910700001 } from './migrations/1763910700001-outside-indexes';
import { SlowHooksAndGivenUpAddresses1763923000000 } from './migrations/1763923000000-slow-hooks-and-given-up-addresses';
import { GivenUpAddressesIndexes1763923000001 } from './migrations/1763923000001-given-up-addresses-indexes';

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
  ShopEvents1763900000000,
  Couriers1763910100000,
  CouriersIndexes1763910100001,
  ChatSide1763910200000,
  ChatEvents1763910300000,
  LivechatWidget1763910310000,
  PlanClaims1763910400000,
  CountedBroadcasts1763910400001,
  Marketing1763910600000,
  OrdersOfTrackers1763910610000,
  MessagesAndNotices1763910500000,
  Outside1763910700000,
  OutsideIndexes1763910700001,
  ReportsIndexes1763910800000,
  DashboardIndexes1763910800001,
  ArrivedOrders1763910820000,
  WebSessions1763920000000,
  ProductDaily1763921000000,
  SlowHooksAndGivenUpAddresses1763923000000,
  GivenUpAddressesIndexes1763923000001,
  ToldPeople1763925000000,
  ChecksOfCodes1763926000000,
  BrowserPushes1763927000000,
  SignOuts1763928000000,
  PinTries1763929000000,
  ProofsToCheck1763950000000,
  PaymentsPutAside1763951000000,
  RefundsOfSurplus1763952000000,
  OptionsInSearches1763953000000,
  DigitsOfStores1763954000000,
  FewAmongMany1763955000000,
  JobsThatGo1763956000000,
];
