export type { CsvRow } from './csv.file';
export { Job, type ImportMode, type RowError } from './import.dto';
export { importEndpoints } from './import.endpoints';
export type { ImportItem, ImportKind, Outcome, Read } from './import.kind';
export { jobShown } from './import.sql';
export { Importer } from './importer';
