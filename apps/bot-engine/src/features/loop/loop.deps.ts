import type { Clock } from '@platform/runtime';
import type { Budget } from '../budget/public';
import type { AskModel } from '../model/public';
import type { ToolBox, ToolContext } from '../tools/public';
import type { NamesProduct } from './answer';

export interface LoopSettings {
  /** For agents without a model of their own. */
  readonly defaultModel: string;
  readonly maxSteps: number;
  readonly turnCostCapMicros: number;
}

export interface LoopDeps {
  readonly ask: AskModel;
  readonly box: ToolBox;
  /** The whole policy of a small shop; undefined: there is none, or it is looked up by question. */
  readonly policy: (context: ToolContext) => Promise<string | undefined>;
  readonly namesProduct: NamesProduct;
  readonly budget: Pick<Budget, 'spent'>;
  readonly clock: Clock;
  readonly settings: LoopSettings;
}
