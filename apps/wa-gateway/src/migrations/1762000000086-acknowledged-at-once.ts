import { ForwardMigration } from '@platform/data';
import { statusRaise } from '../features/messages/statuses.sql';

/**
 * An acknowledgement that came while the end of its hand-over was being written down left the send without it: two minutes later it was
 * told as failed, though WhatsApp had it.
 */
export class AcknowledgedAtOnce1762000000086 extends ForwardMigration {
  readonly steps = [statusRaise];
}
