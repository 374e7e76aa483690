export { Asking } from './ask';
export { endUnpaid } from './end';
