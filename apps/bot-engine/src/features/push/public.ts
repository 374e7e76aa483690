// What other features of this app may use.
export { composePush } from './push.composition';
export {
  answerRows,
  escalationRow,
  laneEnd,
  noticeRow,
  PUSH_TARGET,
  type PushAddress,
  type PushedAnswer,
  type PushRow,
} from './push.rows';
export { writePushes } from './push.writer';
