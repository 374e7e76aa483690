import { Unavailable } from '@platform/errors';
import { silentLogger, systemClock, timeLimit } from '@platform/runtime';
import { startLlmSandbox, useRunning } from '@platform/testing';
import { List, Text } from '@platform/validation';
import type { CatalogueRow, CommerceClient } from '../../clients/commerce.client';
import { fakeProduct } from '../../clients/commerce.fake';
import type { Agent } from '../agents/agent.entity';
import { toolNames } from '../agents/public';
import type { KnowledgeSearch, PolicyHit } from '../knowledge/public';
import { modelAttempts } from '../model/model.attempts';
import { openaiChat } from '../model/openai-chat.adapter';
import type { Price } from '../model/public';
import type { Store } from '../stores/store.entity';
import { composeTools } from '../tools/tools.composition';
import { NO_FACTS, type StepRecord, type Tool, type ToolContext } from '../tools/tool.types';
import { WantedItem } from '../tools/wanted.dto';
import { createLoop } from './loop';
import { catalogueNames } from './loop.composition';
import type { LoopDeps } from './loop.deps';
import type { LoopInput, LoopOutcome } from './loop.types';

export const SHOES = fakeProduct({
  sku: 'SEPATU-HITAM-42',
  name: 'Sepatu Lari Nusa Hitam 42',
  image: 'https://cdn.example/s1.jpg',
});
export const SANDALS = fakeProduct({ sku: 'SANDAL-BIRU-40', name: 'Sandal Nusa Biru 40', price: 90_000, stock: 0 });

const store = (facts: Store['facts'] = {}): Store =>
  ({ id: 'S1', name: 'Toko Nusa', timezone: 'Asia/Jakarta', currency: 'IDR', status: 'active', facts }) as Store;

export const agentWith = (more: Partial<Agent> = {}): Agent =>
  ({
    storeId: 'S1',
    id: 'A1',
    prompt: 'Kamu adalah Nusa.',
    provider: 'openai',
    model: null,
    fallbackProvider: null,
    fallbackModel: null,
    temperature: 0.3,
    tools: [...toolNames],
    maxSteps: null,
    turnCostCapMicros: null,
    fallbackText: 'Mohon ditunggu ya kak.',
    handoverText: 'Baik kak, kami sambungkan.',
    version: 1,
    ...more,
  }) as Agent;

class CheckoutArguments {
  @List(() => WantedItem) items!: WantedItem[];
  @Text() customerName!: string;
  @Text() address!: string;
  @Text() destination!: string;
  @Text({ optional: true }) confirmToken?: string;
}

/** What the world around one turn is. */
export interface World {
  readonly products?: readonly CatalogueRow[];
  readonly chunks?: readonly PolicyHit[];
  readonly wholePolicy?: string;
  readonly commerceIsDown?: boolean;
  readonly more?: readonly Tool[];
}

const commerceOf = ({ products = [SHOES, SANDALS], commerceIsDown }: World) =>
  ({
    productsOf: (_: string, skus: readonly string[]) =>
      commerceIsDown
        ? Promise.reject(new Unavailable('commerce is down'))
        : Promise.resolve(products.filter(({ sku }) => skus.includes(sku))),
    stock: (_: string, items: readonly { sku: string; quantity: number }[]) =>
      Promise.resolve(items.map(({ sku, quantity }) => ({ sku, quantity, stock: 7, available: quantity <= 7 }))),
    destinations: (_: string, text: string) => Promise.resolve([{ id: 'D1', label: text }]),
    rates: () => Promise.resolve([{ courier: 'JNE', service: 'REG', price: 15_000, estimate: '2' }]),
    waybill: (_: string, waybill: string) =>
      Promise.resolve({ waybill, courier: 'jne', status: 'dikirim', history: [{ at: '2026-03-01', text: 'Bandung' }] }),
  }) as unknown as CommerceClient;

const knowledgeOf = ({ products = [SHOES, SANDALS], chunks = [], wholePolicy }: World): KnowledgeSearch => ({
  products: (_, { text, limit }) => {
    const words = text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? [];
    const found = products.filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)));
    return Promise.resolve(found.slice(0, limit).map(({ sku }) => ({ sku, score: 1 })));
  },
  policy: () => Promise.resolve(chunks),
  wholePolicy: () => Promise.resolve(wholePolicy),
  gap: () => Promise.resolve(),
});

/** A `create_checkout` that only counts its calls. */
export const countingCheckout = (): Tool & { readonly calls: object[] } => {
  const calls: object[] = [];
  return {
    calls,
    name: 'create_checkout',
    description: 'test',
    args: CheckoutArguments,
    kind: 'write',
    timeoutMs: 1_000,
    run: (args) => (calls.push(args), Promise.resolve({ result: { status: 'needs_confirmation', total: 265_000 } })),
  };
};

class StatusArguments {
  @Text() orderNumber!: string;
}

export const paymentStatus = (): Tool => ({
  name: 'check_payment_status',
  description: 'test',
  args: StatusArguments,
  kind: 'read',
  timeoutMs: 1_000,
  run: () => Promise.resolve({ result: { status: 'pending' } }),
});

export interface Asked extends World {
  readonly agent?: Partial<Agent>;
  readonly facts?: ToolContext['facts'];
  readonly storeFacts?: Store['facts'];
  readonly input?: Partial<LoopInput>;
  readonly deps?: Partial<LoopDeps>;
  readonly stopping?: AbortSignal;
  readonly deadlineMs?: number;
  readonly stepTimeoutMs?: number;
}

const PRICES = new Map<string, Price>(
  ['sandbox-rules-main'].map((model) => [model, { input: 150_000n, cached: 75_000n, output: 600_000n }]),
);

export interface Played extends LoopOutcome {
  readonly journal: readonly (readonly [number, StepRecord])[];
}

const modelsAt = (url: string) => ({
  openai: openaiChat({
    baseUrl: `${url}/v1`,
    apiKey: 'key',
    tokenParameter: 'max_tokens',
    sendTemperature: true,
    refuseSandbox: false,
  }),
  anthropic: { complete: () => Promise.reject(new Error('not asked here')) },
});

const depsOf = (url: string, asked: Asked): LoopDeps => {
  const [commerce, knowledge] = [commerceOf(asked), knowledgeOf(asked)];
  return {
    ask: modelAttempts({
      models: modelsAt(url),
      stepTimeoutMs: asked.stepTimeoutMs ?? 20_000,
      pause: () => Promise.resolve(),
    }),
    box: composeTools({ commerce, knowledge, more: asked.more ?? [], logger: silentLogger }),
    policy: () => knowledge.wholePolicy('S1', 'A1', 1),
    namesProduct: catalogueNames(knowledge, commerce),
    budget: { spent: () => undefined },
    clock: systemClock,
    settings: { defaultModel: 'sandbox-rules-main', maxSteps: 6, turnCostCapMicros: 20_000 },
    ...asked.deps,
  };
};

const contextOf = ({ agent, facts = NO_FACTS, storeFacts }: Asked, signal: AbortSignal): ToolContext => ({
  runId: 'R1',
  store: store(storeFacts),
  agent: agentWith(agent),
  conversationId: 'C1',
  customer: '6281234567890',
  facts,
  rehearsal: false,
  signal,
});

/** Turns with the real sandbox, for the tests of the surrounding suite. */
export const useLoop = () => {
  const llm = useRunning(() => startLlmSandbox({ port: 0 }));
  const play = async (question: string, asked: Asked = {}): Promise<Played> => {
    const { deadlineMs = 45_000, stopping } = asked;
    const journal: [number, StepRecord][] = [];
    const outcome = await createLoop(depsOf(llm.url, asked))({
      context: contextOf(asked, timeLimit(deadlineMs, stopping)),
      history: [],
      burst: [{ content: question }],
      absorb: () => Promise.resolve([]),
      journal: (n, step) => (journal.push([n, step]), Promise.resolve()),
      deadline: Date.now() + deadlineMs,
      prices: PRICES,
      ...asked.input,
    });
    return { ...outcome, journal };
  };
  return { llm, play };
};
