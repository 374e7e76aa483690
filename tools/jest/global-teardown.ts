import { rmSync } from 'node:fs';
import { dirname } from 'node:path';

export default async function teardown(): Promise<void> {
  const running = globalThis.testCluster;
  if (!running) return;
  await running.cluster.stop();
  rmSync(dirname(running.directory), { recursive: true, force: true });
}
