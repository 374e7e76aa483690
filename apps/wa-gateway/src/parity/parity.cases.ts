import { contentCases } from './parity.content.cases';
import { deviceCases } from './parity.device.cases';
import { groupCases } from './parity.group.cases';
import { statusCases } from './parity.status.cases';
import { textCases } from './parity.text.cases';
import type { ParityCase } from './parity.world';

/** What every engine must do alike, with the same literal payloads (design 5.6). They run in this order, on one device. */
export const parityCases: readonly ParityCase[] = [
  ...textCases,
  ...contentCases,
  ...statusCases,
  ...groupCases,
  ...deviceCases,
];
