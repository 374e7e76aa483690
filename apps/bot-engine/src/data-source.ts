import { Agent } from './features/agents/agent.entity';
import { Store } from './features/stores/store.entity';
import { CreateBotTables1763640000000 } from './migrations/1763640000000-create-bot-tables';

export const SCHEMA = 'bot_engine';
export const entities = [Agent, Store];
export const migrations = [CreateBotTables1763640000000];
