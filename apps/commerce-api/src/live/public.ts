export { JobProgress, Note, RoomMessage, StaffMessage } from './live.dto';
export { liveApi, userRoom, type Live, type LiveEvents } from './live.api';
export { ProgressTold } from './job.progress';
