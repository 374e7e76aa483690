import { Int, Text, Texts } from '@platform/validation';
import type { Typed } from '../../../web/sessions/drafts';
import { AgentChange, type Agent, type AgentUsage } from '../agents/public';
import type { TrialRow, TrialView } from '../testing/public';

/** The form of an agent: what it does not ask for stays as it is, and what somebody else has changed is a conflict. */
export class AgentEdit extends AgentChange {
  @Int({ min: 1 }) override version!: number;
  @Text({ max: 60, trim: true }) override name!: string;
  @Text({ max: 8000, trim: true }) override prompt!: string;
  @Texts({ optional: true, max: 30, maxLength: 60 }) override tools?: string[];
}

/** A box that is not ticked is not sent: no box at all is no tool at all. */
export const agentTyped = (typed: Typed): Typed => ({ ...typed, tools: [typed.tools ?? []].flat() as string[] });

export class KnowledgeRemoval {
  @Text({ max: 64, pattern: /^[\w.:-]+$/ }) id!: string;
}

/** Another question of a trial. */
export class Question {
  @Text({ max: 8000, trim: true }) prompt!: string;
  @Text({ max: 4000, trim: true }) question!: string;
  @Text({ optional: true, format: 'uuid' }) session_id?: string;
}

export class TestQuery {
  @Text({ optional: true, format: 'uuid', description: 'A trial that goes on' }) session?: string;
}

/** Undefined while bot-engine is away. */
export interface AgentData {
  readonly id: string;
  readonly agent: Agent | undefined;
  readonly usage: AgentUsage | undefined;
  /** That it was chosen for. */
  readonly numbers: readonly { readonly name: string }[];
}

/** Undefined while bot-engine is away. */
export interface TestData {
  readonly id: string;
  readonly agent: Agent | undefined;
  readonly trial: TrialView | undefined;
  readonly trials: readonly TrialRow[];
}
