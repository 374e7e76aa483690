import type { ServiceName } from './ports';

/** Old objects up to what the memory limit of a pod leaves them, young ones at the size that costs the least CPU. */
const USUAL = '--max-old-space-size=384 --max-semi-space-size=16';

const OWN: Readonly<Partial<Record<ServiceName, string>>> = {
  // Long CSV files: garbage is collected sooner (ADR 0200)
  'commerce-api': '--max-old-space-size=384 --max-semi-space-size=4',
  // Its pods have twice the memory, for so many devices
  'wa-gateway': '--max-old-space-size=768 --max-semi-space-size=16',
};

/** NODE_OPTIONS of a service with the sizes of its heap, in megabytes, as its image and its manifests give them. */
export const heapOptions = (name: ServiceName): string => OWN[name] ?? USUAL;
