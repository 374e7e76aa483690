import { callKey, errorResult, type Dispatched, type StepRecord, type ToolBox } from '../tools/public';

const HANDOVER = 'handover_to_human';

type RecordedCall = StepRecord['calls'][number];

const dispatchedOf = ({ tool, result, failed }: RecordedCall): Dispatched => ({
  ...{ content: result, failed, wrote: tool === 'create_checkout' },
});

/** The calls that were done: a call that was refused as a repetition must not hide what it repeated. */
const firstOf = (steps: readonly StepRecord[]): ReadonlyMap<string, RecordedCall> => {
  const recorded = new Map<string, RecordedCall>();
  for (const call of steps.flatMap(({ calls }) => calls)) {
    const key = callKey({ name: call.tool, argsJson: call.args });
    if (!recorded.has(key)) recorded.set(key, call);
  }
  return recorded;
};

export interface Recording {
  readonly steps: readonly StepRecord[];
  /** The turn ended with a hand-over, whoever asked for it. */
  readonly handedOver: boolean;
}

/**
 * The tools of a replay: an agent has the same ones, and a call has the result that it had. Nothing is asked, ordered or sent: a
 * call that was not recorded is told so. Only a hand-over is new where it is asked for in other words, since it does nothing
 * by itself.
 */
export const recordedTools = (box: ToolBox, { steps, handedOver }: Recording): ToolBox => {
  const recorded = firstOf(steps);
  const last = steps.at(-1)?.calls ?? [];
  /** A tool may have handed over by itself: its result does not say so. */
  const byTool = handedOver && !last.some(({ tool }) => tool === HANDOVER);
  return {
    schemas: (context) => box.schemas(context),
    dispatch: (call, context) => {
      const known = recorded.get(callKey(call));
      if (known && byTool && last.includes(known)) {
        const handover = { reason: 'customer_request', summary: '' } as const;
        return Promise.resolve({ ...dispatchedOf(known), handover });
      }
      if (known) return Promise.resolve(dispatchedOf(known));
      if (call.name === HANDOVER) return box.dispatch(call, context);
      return Promise.resolve({ content: errorResult('not recorded'), failed: true, wrote: false });
    },
  };
};
