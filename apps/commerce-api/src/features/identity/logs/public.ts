export { LogsQuery, type LogEntry, type LoginEntry } from './logs.dto';
export { LogsService } from './logs.service';
