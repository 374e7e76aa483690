import {
  Conflict,
  Forbidden,
  Gone,
  InvalidInput,
  Malformed,
  NotFound,
  PaymentRequired,
  Rejected,
  TooLarge,
  TooMany,
  Unauthenticated,
  Unavailable,
  Unexpected,
  UnsupportedMedia,
  UpstreamFailed,
  UpstreamTimedOut,
  type AnyFailure,
  type FailureKind,
  type FailureOptions,
} from '@platform/errors';
import { runInContext } from '@platform/runtime';
import type { Envelope, WireAnswer } from './envelope';
import { schemaOfSamples, type Schema } from './sample-schema';

/** A status with which an envelope refuses, and every body that it can have. */
export interface DescribedFailure {
  readonly status: number;
  readonly kinds: readonly FailureKind[];
  /** The body is text, not JSON. */
  readonly plain: boolean;
  readonly schema: Schema;
  /** By header name; only headers of every such answer are `required`. */
  readonly headers: Readonly<Record<string, Schema>>;
}

interface Sample {
  readonly message: string;
  readonly options: FailureOptions;
  readonly number: number;
}

/** They differ in everything a handler chooses: whatever is the same in every answer is the envelope's own. */
const SAMPLES: readonly Sample[] = [
  { message: '<one text>', options: { code: '<one_code>' }, number: 1 },
  { message: '<another text>', options: { code: '<another_code>', cause: new Error('<one cause>') }, number: 20 },
  { message: '<a third text>', options: {}, number: 300 },
];
const REASONS = { 1: 'missing', 20: 'invalid', 300: 'expired' } as const;

const violationsOf = (message: string, number: number) =>
  number === 1
    ? [{ field: '<field>', tag: '<tag>', message }]
    : [
        { field: `<list>[${number}].<member>`, tag: '<rule>', message },
        { field: `<list>[${number}].<other>`, tag: '<tag>', message: `${message} again` },
      ];

/** A kind without its sample does not compile. */
const MAKE: { readonly [Kind in FailureKind]: (sample: Sample) => Extract<AnyFailure, { kind: Kind }> } = {
  malformed: ({ message, options }) => new Malformed(message, options),
  invalid: ({ message, options, number }) => new InvalidInput(violationsOf(message, number), options),
  unauthenticated: ({ message, options, number }) =>
    new Unauthenticated({
      reason: REASONS[number as keyof typeof REASONS],
      ...(number === 1 ? {} : { message }),
      ...options,
    }),
  forbidden: ({ message, options }) => new Forbidden(message, options),
  notFound: ({ message, options }) => new NotFound(message, options),
  conflict: ({ message, options, number }) =>
    new Conflict(message, number === 1 ? { ...options, retryAfterSeconds: number } : options),
  rejected: ({ message, options }) => new Rejected(message, options),
  paymentRequired: ({ message, options }) => new PaymentRequired(message, options),
  gone: ({ message, options }) => new Gone(message, options),
  unsupportedMedia: ({ message, options }) => new UnsupportedMedia(message, options),
  tooLarge: ({ message, options }) => new TooLarge(message, options),
  tooMany: ({ message, options, number }) => new TooMany(message, { ...options, retryAfterSeconds: number }),
  unavailable: ({ message, options, number }) => new Unavailable(message, { ...options, retryAfterSeconds: number }),
  upstreamFailed: ({ message, options }) => new UpstreamFailed(message, options),
  upstreamTimedOut: ({ message, options }) => new UpstreamTimedOut(message, options),
  unexpected: ({ message, options }) => new Unexpected(message, options),
};

/** All kinds. */
export const failureKinds = Object.keys(MAKE) as readonly FailureKind[];

/** One of this kind without details: its answer is the envelope's own. */
export const failureOf = (kind: FailureKind): AnyFailure => MAKE[kind](SAMPLES[2] as Sample);

const asked = new WeakMap<Envelope, Map<FailureKind, readonly WireAnswer[]>>();

/** What the envelope makes of the samples of a kind, asked once: a service describes hundreds of operations with a few envelopes. */
const answered = (envelope: Envelope, kind: FailureKind): readonly WireAnswer[] => {
  const known = asked.get(envelope) ?? new Map<FailureKind, readonly WireAnswer[]>();
  asked.set(envelope, known);
  const answers = known.get(kind) ?? ask(envelope, kind);
  known.set(kind, answers);
  return answers;
};

const ask = (envelope: Envelope, kind: FailureKind): WireAnswer[] => {
  const own = (envelope.special ?? []).filter((fault) => fault.kind === kind);
  return [...SAMPLES.map((sample) => MAKE[kind](sample)), ...own].map((fault, at) =>
    runInContext({ requestId: `<request ${at}>`, traceId: `<trace ${at}>` }, () => envelope.failure(fault)),
  );
};

/** Names of all headers; a value that is a number in all samples is described as one. */
const headersOf = (answers: readonly WireAnswer[]): Record<string, Schema> => {
  const names = [...new Set(answers.flatMap(({ headers = {} }) => Object.keys(headers)))];
  const valuesOf = (name: string) => answers.flatMap(({ headers }) => headers?.[name] ?? []);
  return Object.fromEntries(
    names.map((name) => [
      name,
      valuesOf(name).every((value) => /^\d+$/.test(value)) ? { type: 'integer' } : schemaOfSamples(valuesOf(name)),
    ]),
  );
};

/**
 * How an envelope answers failures of these kinds: one entry per status, ascending. It is derived by passing samples to the
 * envelope itself, so it describes what the envelope does. Texts in angle brackets come from the samples.
 */
export const describeFailures = (envelope: Envelope, kinds: readonly FailureKind[]): DescribedFailure[] => {
  const all = kinds.flatMap((kind) => answered(envelope, kind).map((answer) => ({ kind, answer })));
  const statuses = [...new Set(all.map(({ answer }) => answer.status))].sort((a, b) => a - b);
  return statuses.map((status) => {
    const here = all.filter(({ answer }) => answer.status === status);
    const answers = here.map(({ answer }) => answer);
    return {
      status,
      kinds: [...new Set(here.map(({ kind }) => kind))],
      plain: answers.some(({ plain }) => plain),
      schema: schemaOfSamples(answers.map(({ body }) => body)),
      headers: headersOf(answers),
    };
  });
};
