export type { CsvRow } from './csv.file';
export { Job, jobStates, type ImportMode, type RowFault } from './import.dto';
export { importEndpoints } from './import.endpoints';
export type { ImportItem, ImportKind, Outcome, Read, RowReader, Written } from './import.kind';
export { jobShown } from './import.sql';
export { Importer } from './importer';
export { oneByOne } from './one-by-one';
