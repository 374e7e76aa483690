// `record.ts <directory> <command>`: runs a bundle's command and leaves the code cache of what it compiled.
import { recordBundle } from './loader';

const [directory = '.'] = process.argv.splice(2, 1);
recordBundle(directory);
