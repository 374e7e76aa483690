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

/** The context of the running request; undefined outside of one (a timer, a job). */
export const requestContext = (): RequestContext | undefined => storage.getStore();

export const runInContext = <T>(context: RequestContext, work: () => T): T => storage.run(context, work);

/** Trace id of an incoming `traceparent` (https://www.w3.org/TR/trace-context/), a new one when absent or malformed. */
export const traceIdOf = (traceparent: string | undefined): string =>
  (traceparent && TRACEPARENT.exec(traceparent)?.[1]) || randomHex(16);

/** The header for a call to a sibling: same trace, new span. */
export const outgoingTraceparent = (): string => `00-${requestContext()?.traceId ?? randomHex(16)}-${randomHex(8)}-01`;
