import { Checkouts1763903000000 } from './migrations/1763903000000-checkouts';
import { Agent } from './features/agents/agent.entity';
import { Store } from './features/stores/store.entity';
import { CreateBotTables1763640000000 } from './migrations/1763640000000-create-bot-tables';
import { CompleteTurns1763900000000 } from './migrations/1763900000000-complete-turns';
import { MailboxJournal1763901000000 } from './migrations/1763901000000-mailbox-journal';
import { DoubtedPayments1763903100000 } from './migrations/1763903100000-doubted-payments';
import { FindRuns1763902000000 } from './migrations/1763902000000-find-runs';
import { RepliesOfAStore1763900500000 } from './migrations/1763900500000-replies-of-a-store';
import { CreateCatalogue1763904000000 } from './migrations/1763904000000-create-catalogue';
import { CreateKnowledge1763904100000 } from './migrations/1763904100000-create-knowledge';
import { Records1763905000000 } from './migrations/1763905000000-records';
import { Ages1763905100000 } from './migrations/1763905100000-ages';
import { RecordDetails1763905200000 } from './migrations/1763905200000-record-details';
import { ChatsOfACustomer1763905300000 } from './migrations/1763905300000-chats-of-a-customer';
import { UnusualRuns1763905400000 } from './migrations/1763905400000-unusual-runs';
import { WholeKeys1763905500000 } from './migrations/1763905500000-whole-keys';
import { LanesByKey1763905700000 } from './migrations/1763905700000-lanes-by-key';

export { SCHEMA } from './schema';
export const entities = [Agent, Store];
export const migrations = [
  CreateBotTables1763640000000,
  CompleteTurns1763900000000,
  RepliesOfAStore1763900500000,
  MailboxJournal1763901000000,
  FindRuns1763902000000,
  Checkouts1763903000000,
  DoubtedPayments1763903100000,
  CreateCatalogue1763904000000,
  CreateKnowledge1763904100000,
  Records1763905000000,
  Ages1763905100000,
  RecordDetails1763905200000,
  ChatsOfACustomer1763905300000,
  UnusualRuns1763905400000,
  WholeKeys1763905500000,
  LanesByKey1763905700000,
];
