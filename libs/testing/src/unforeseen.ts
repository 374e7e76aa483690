import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'platform.http.unforeseen-refusal';
const told: string[] = [];
const hear = (misfit: unknown): void => void told.push(String(misfit));

/** What services of this process answered since the last call although their descriptions do not list it. */
export const takeUnforeseen = (): string[] => [...new Set(told.splice(0))];

/** Listens from now on, until the function that is returned is called. */
export const hearUnforeseen = (): (() => void) => {
  subscribe(CHANNEL, hear);
  return () => void unsubscribe(CHANNEL, hear);
};
