/** Something that happened on a device: a customer's message. */
export interface PipelineEvent {
  readonly id: string;
  readonly chat: string;
}

/** How events get to the receiver. Only the first is ours; the others follow what comparable projects have published. */
export const rules = ['ours', 'fire and forget', 'retry in memory', '10 parallel, 3 retries'] as const;
export type Rule = (typeof rules)[number];

export interface PipelineJob {
  readonly rule: Rule;
  /** Base address of callbacks. */
  readonly receiver: string;
  /** The gateway's own database, for ours. */
  readonly database: string;
}

/** To the process that delivers. */
export type ToPipeline = { readonly job: PipelineJob } | { readonly events: readonly PipelineEvent[] };
/** From it: it is ready, or these events need not be handed over again. */
export type FromPipeline = { readonly ready: true } | { readonly taken: readonly string[] };

/** Factor by which all times of the comparison are shortened; otherwise a run would take an hour. */
export const SCALE = 1 / 20;
