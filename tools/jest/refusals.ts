import { subscribe, unsubscribe } from 'node:diagnostics_channel';

const CHANNEL = 'platform.http.unforeseen-refusal';
const told: string[] = [];
const hear = (misfit: unknown): void => void told.push(String(misfit));

/** What services of this process answered since the last call although their descriptions do not list it. */
export const takeUnforeseen = (): string[] => [...new Set(told.splice(0))];

subscribe(CHANNEL, hear);
// Every spec file of every project: an operation lists what it refuses, or whichever test met it fails
afterAll(() => {
  unsubscribe(CHANNEL, hear);
  expect(takeUnforeseen()).toEqual([]);
});
