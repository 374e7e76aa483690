import { tokensOf, type Dialogue, type Reply, type ToolCall } from './dialogue';
import { misbehave, type ModelFault } from './faults';
import { planNext, type Step } from './planner.rules';
import { sampleArguments } from './schema.sample';
import { sceneOf } from './scene';
import { withPictures, wronglyPriced } from './said';

/** Answers a dialogue by the rules or with the fault. Deterministic: the same dialogue gets the same reply. */
export const replyTo = (dialogue: Dialogue, fault?: ModelFault): Reply => {
  if (fault === 'empty') return { text: null, toolCalls: [], finish: 'stop', completionTokens: 0, empty: true };
  const wrong = fault && misbehave(fault, dialogue);
  if (wrong) return finished(dialogue, wrong.text, wrong.calls);
  const scene = sceneOf(dialogue);
  const step = forced(dialogue, planNext(scene));
  if ('say' in step) {
    const said = withPictures(scene, step.say);
    return finished(dialogue, fault === 'wrongprice' ? wronglyPriced(scene, said) : said, []);
  }
  return finished(dialogue, null, [{ name: step.call.name, argsJson: JSON.stringify(step.call.args) }]);
};

/** `required` and a named tool force a call even where the rules would answer with text. */
const forced = ({ choice, tools, turns }: Dialogue, step: Step): Step => {
  if (choice === 'auto' || choice === 'none') return step;
  const named = typeof choice === 'object' ? choice.name : undefined;
  if ('call' in step && (!named || named === step.call.name)) return step;
  const tool = named ? tools.find(({ name }) => name === named) : tools[0];
  const text = turns.findLast(({ role }) => role === 'user')?.text ?? '';
  return tool ? { call: { name: tool.name, args: sampleArguments(tool.parameters, text) } } : step;
};

const finished = ({ key, maxTokens }: Dialogue, text: string | null, calls: readonly Omit<ToolCall, 'id'>[]): Reply => {
  const toolCalls = calls.map((call, at) => ({ ...call, id: `call_${key.slice(0, 20)}${at}` }));
  const cut =
    text !== null && maxTokens !== undefined && tokensOf(text) > maxTokens ? firstTokens(text, maxTokens) : text;
  const finish = toolCalls.length ? 'tool_calls' : cut === text ? 'stop' : 'length';
  return {
    text: cut,
    toolCalls,
    finish,
    completionTokens: tokensOf([cut ?? '', ...calls.map(({ name, argsJson }) => name + argsJson)].join('')),
  };
};

/** At most `tokens` * 4 bytes, whole characters only. */
const firstTokens = (text: string, tokens: number): string => {
  let cut = '';
  for (const character of text) {
    if (tokensOf(cut + character) > tokens) break;
    cut += character;
  }
  return cut;
};
