export { ExportBody, reports, type ReportName } from './files.dto';
export { queueReport } from './files.endpoints';
export { latestExports, type Asked } from './report.jobs';
