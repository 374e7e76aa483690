export { nextPoll, plain } from './poll.rules';
