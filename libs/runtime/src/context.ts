import { AsyncLocalStorage } from 'node:async_hooks';
import { randomHex } from './ids';

/** Data of one request, available wherever its code runs: for logs and for calls to siblings. */
export interface RequestContext {
  readonly requestId: string;
  /** W3C Trace Context: 32 hex digits that stay the same over all services of one action. */
  readonly traceId: string;
}

const storage = new AsyncLocalStorage<RequestContext>();
const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

const over = new WeakSet<RequestContext>();

/** The context of the running request or of work that it left for later; undefined outside of one (a timer), and once it is over. */
export const requestContext = (): RequestContext | undefined => {
  const context = storage.getStore();
  return context && !over.has(context) ? context : undefined;
};

export const runInContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** What still runs of it, such as a connection that a request has opened, belongs to no request any more. */
export const endContext = (context: RequestContext): void => void over.add(context);

/** Trace id of an incoming `traceparent` (https://www.w3.org/TR/trace-context/), a new one when absent or malformed. */
export const traceIdOf = (traceparent: string | undefined): string =>
  (traceparent && TRACEPARENT.exec(traceparent)?.[1]) || randomHex(16);

/** The header for a call to a sibling: same trace, new span. */
export const outgoingTraceparent = (): string => `00-${requestContext()?.traceId ?? randomHex(16)}-${randomHex(8)}-01`;

/** Reserved in payloads of work that is left for later. */
const MEMBER = '_trace';
const TRACE = /^[0-9a-f]{32}$/;

/** The trace of the running request, for a payload that SQL makes; null outside of one. */
export const traceToKeep = (): string | null => requestContext()?.traceId ?? null;

/** A payload of work that is left for later, with the trace of the request that leaves it. Anything but an object is left as it is. */
export const traced = <T>(payload: T): T => {
  const trace = traceToKeep();
  const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
  return trace && isObject ? { ...payload, [MEMBER]: trace } : payload;
};

/**
 * Does work that was left for later, under an id of its own, in the trace of the request that left it; otherwise in one of its own,
 * which for a UUID is the same at every try.
 */
export const resume = async <T>(payload: unknown, workId: string, work: () => Promise<T>): Promise<T> => {
  const kept = (payload as { [MEMBER]?: unknown } | null)?.[MEMBER];
  const own = workId.replaceAll('-', '');
  const traceId = [kept, own].find((one): one is string => typeof one === 'string' && TRACE.test(one)) ?? randomHex(16);
  const context = { requestId: workId, traceId };
  return runInContext(context, work).finally(() => endContext(context));
};
