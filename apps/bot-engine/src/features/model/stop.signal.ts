import type { Component } from '@platform/runtime';

export interface StopSignal {
  readonly component: Component;
  /** Aborts when the process has been stopping for the grace: who still waits for a model then waits no longer. */
  readonly signal: AbortSignal;
}

export const stopSignal = (graceMs: number): StopSignal => {
  const stopping = new AbortController();
  const drain = () => void setTimeout(() => stopping.abort(), graceMs).unref();
  return { component: { name: 'calls of models', drain }, signal: stopping.signal };
};
