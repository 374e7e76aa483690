import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'platform.http.unforeseen-refusal';
const told: string[] = [];
const hear = (misfit: unknown): void => void told.push(String(misfit));

/** Answers of services in this process, since the last call, that their descriptions do not list. */
export const takeUnforeseen = (): string[] => [...new Set(told.splice(0))];

/** Listens until the returned function is called. */
export const hearUnforeseen = (): (() => void) => {
  subscribe(CHANNEL, hear);
  return () => void unsubscribe(CHANNEL, hear);
};
