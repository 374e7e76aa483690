// What `node main.cjs` of a bundle runs.
import { runBundle } from './loader';

runBundle(__dirname);
