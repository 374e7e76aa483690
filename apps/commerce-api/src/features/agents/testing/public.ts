export type { TrialRow, TrialView } from './testing.dto';
export { TrialsQuery } from './testing.dto';
export { testingEndpoints } from './testing.endpoints';
export { TestingService } from './testing.service';
