import { ForwardMigration } from '@platform/data';

/**
 * The lane in which the next message of a chat leaves: that of the name it began under until that is used up (ADR 190). A function, because it
 * looks when the chat is locked: what waits may have been written after the statement that calls it began.
 */
const CHAT_LANE = `
  CREATE OR REPLACE FUNCTION chat_lane(p_instance text, p_begun_as text, p_nohp text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    IF p_begun_as IS NOT NULL AND EXISTS (
      SELECT 1 FROM outbox_row r WHERE r.lane = p_instance || '|' || p_begun_as AND r.state IN ('queued', 'blocked')) THEN
      RETURN p_instance || '|' || p_begun_as;
    END IF;
    RETURN p_instance || '|' || p_nohp;
  END $$`;

/** Of two answers around the moment in which a number is learned the later one follows the first. */
export class ChatLane1795216000000 extends ForwardMigration {
  readonly steps = [CHAT_LANE];
}
