export type { CsvRow } from './csv.file';
export type { ImportMode, RowError } from './import.dto';
export { importEndpoints } from './import.endpoints';
export type { ImportItem, ImportKind, Outcome, Read } from './import.kind';
export { Importer } from './importer';
