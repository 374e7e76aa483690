/**
 * With what Node is started for a service, in `docker/Dockerfile`, by `npm start` and by specs alike: only what a process cannot set for itself
 * any more; the rest is in the loader of a bundle (ADR 200). New objects have 8 MB instead of 32, in which they are collected no
 * more dearly: what survives a request is small.
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=4'];
