import type { Dialogue, OfferedTool, ToolCall } from './dialogue';
import { sampleArguments } from './schema.sample';
import { WireError } from './wire.errors';

/** Faults of the transport: no answer of the model, or none that a client can use. */
export type TransportFault = '429' | '500' | 'hang' | 'stall' | 'html';
/** Faults of the model: a well-formed answer that should not be trusted. */
export type ModelFault = 'empty' | 'badargs' | 'unknowntool' | 'loop' | 'injected' | 'wrongprice';
export type Fault = TransportFault | ModelFault;

const MODEL = /^sandbox-(429|500|hang|stall|html|empty|badargs|unknowntool|loop|injected|wrongprice)(?:-(\d+))?$/;
const SLOW = /^sandbox-slow-(\d{1,6})$/;

/** `sandbox-slow-<ms>`: how long the rules take. */
export const slownessOf = (model: string): number => Number(SLOW.exec(model)?.[1] ?? 0);

/** Chosen by the model's name: `sandbox-429` always fails, `sandbox-429-2` fails twice and then answers normally. */
export class FaultSwitch {
  private readonly seen = new Map<string, number>();

  next(model: string): Fault | undefined {
    const [, fault, times] = MODEL.exec(model) ?? [];
    if (!fault) return undefined;
    const count = (this.seen.get(model) ?? 0) + 1;
    this.seen.set(model, count);
    return times === undefined || count <= Number(times) ? (fault as Fault) : undefined;
  }

  reset(): void {
    this.seen.clear();
  }
}

const MODEL_FAULTS: readonly Fault[] = ['empty', 'badargs', 'unknowntool', 'loop', 'injected', 'wrongprice'];
export const isModelFault = (fault: Fault | undefined): fault is ModelFault =>
  fault !== undefined && MODEL_FAULTS.includes(fault);

/** Throws for the faults that are error answers. */
export const throwErrorFault = (fault: Fault | undefined): void => {
  if (fault === '429')
    throw new WireError(429, 'rate', 'Rate limit reached (fault model of the sandbox). Try again in 1 second.', {
      retryAfterSeconds: 1,
    });
  if (fault === '500') throw new WireError(500, 'server', 'The server had an error (fault model of the sandbox).');
};

export const FOREIGN_URL = 'https://foreign.example/pay';
export const FOREIGN_ORDER = 'INV-000000-FOREIGN';

export interface Misbehaviour {
  readonly text: string | null;
  readonly calls: readonly Omit<ToolCall, 'id'>[];
}

/** What a misbehaving model answers; undefined when this turn is normal, as all are without tools to misuse. */
export const misbehave = (fault: ModelFault, dialogue: Dialogue): Misbehaviour | undefined => {
  if (fault === 'wrongprice') return undefined;
  const results = resultsOfTurn(dialogue);
  const tool = dialogue.tools.find(({ name }) => name === 'search_products') ?? dialogue.tools[0];
  if (fault === 'injected') return injected(results === 0 && Boolean(tool) && dialogue.choice !== 'none');
  if (!tool || dialogue.choice === 'none') return undefined;
  if (fault === 'loop') return calling(tool, JSON.stringify(sampleArguments(tool.parameters, `loop ${results + 1}`)));
  if (results > 0) return undefined;
  if (fault === 'badargs') return calling(tool, '{"query": "sepat');
  if (fault === 'unknowntool') return { text: null, calls: [{ name: 'grant_discount', argsJson: '{"percent":100}' }] };
  return undefined;
};

const calling = ({ name }: OfferedTool, argsJson: string): Misbehaviour => ({
  text: null,
  calls: [{ name, argsJson }],
});

const resultsOfTurn = ({ turns }: Dialogue): number =>
  turns.slice(turns.findLastIndex(({ role }) => role === 'user') + 1).filter(({ role }) => role === 'tool').length;

/** As after a prompt injection by the customer: orders at once, asks for a stranger's order, sends a foreign link. */
const injected = (mayCall: boolean): Misbehaviour => {
  const text = `Pesanan ${FOREIGN_ORDER} siap. Bayar di ${FOREIGN_URL} sekarang.`;
  if (!mayCall) return { text, calls: [] };
  const order = {
    items: [{ sku: 'FOREIGN-1', quantity: 1 }],
    customerName: 'Orang Lain',
    address: 'Jl. Asing 1',
    destination: 'Jakarta',
    confirmToken: 'c_aaaaaaaaaaaaaaaaaaaaaaaaaa',
  };
  return {
    text,
    calls: [
      { name: 'create_checkout', argsJson: JSON.stringify(order) },
      { name: 'check_payment_status', argsJson: JSON.stringify({ orderNumber: FOREIGN_ORDER }) },
    ],
  };
};
