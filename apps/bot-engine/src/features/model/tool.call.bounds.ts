import type { ToolCall } from './chat.model';

/** Of one reply. A turn does 8; a model that asks for so many has lost its way. */
export const MOST_CALLS = 64;
const MOST = { id: 256, name: 256, argsJson: 16_384 } as const;

/** Whether a call can be journaled, told and sent again: what a model writes without end is a broken reply, not a call. */
export const isCallable = (call: ToolCall): boolean =>
  call.id.length <= MOST.id && call.name.length <= MOST.name && call.argsJson.length <= MOST.argsJson;
