import { Choice, Text } from '@platform/validation';
import { Job } from '../../../imports/public';
import { SalesQuery } from '../figures/public';

export const reports = ['sales', 'products', 'payments', 'agents'] as const;
export type ReportName = (typeof reports)[number];

export class ExportBody extends SalesQuery {
  @Choice(reports) report!: ReportName;
  @Choice(['csv']) format!: 'csv';
}

export class ExportJob extends Job {
  @Text({
    nullable: true,
    description: 'Of the file, for whoever asked for it; null before it is there, and a day after',
  })
  url!: string | null;
}
