import type { Cell, Columns } from '@platform/http';
import type { AgentFigures, PaymentsRow, ProductFigures, SalesRow } from '../figures/public';
import type { ReportName } from './files.dto';

interface Rows {
  readonly sales: SalesRow;
  readonly products: ProductFigures;
  readonly payments: PaymentsRow;
  readonly agents: AgentFigures;
}

const NAMES: { readonly [Name in ReportName]: readonly (keyof Rows[Name])[] } = {
  sales: ['key', 'orders', 'sales', 'refunded', 'net'],
  products: ['product_id', 'name', 'units', 'revenue', 'refunded', 'cost', 'margin'],
  payments: ['provider', 'payments', 'amount', 'fee', 'settled', 'pending', 'refunded'],
  agents: ['user_id', 'name', 'handled', 'finished', 'first_response_s', 'orders', 'sales', 'conversion'],
};
/** Of goods, told to whoever may know it alone. */
const COSTS: readonly string[] = ['cost', 'margin'];

/** The columns of a report as a file. */
export const columnsOf = (report: ReportName, costs: boolean): Columns<object> =>
  NAMES[report]
    .filter((name) => costs || !COSTS.includes(name))
    .map((name) => [name, (row: object): Cell => (row as Readonly<Record<string, Cell>>)[name]]);
