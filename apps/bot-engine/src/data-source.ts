import { Agent } from './features/agents/agent.entity';
import { Store } from './features/stores/store.entity';
import { CreateBotTables1763640000000 } from './migrations/1763640000000-create-bot-tables';
import { CompleteTurns1763900000000 } from './migrations/1763900000000-complete-turns';
import { MailboxJournal1763901000000 } from './migrations/1763901000000-mailbox-journal';

export const SCHEMA = 'bot_engine';
export const entities = [Agent, Store];
export const migrations = [CreateBotTables1763640000000, CompleteTurns1763900000000, MailboxJournal1763901000000];
