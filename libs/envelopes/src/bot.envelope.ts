import type { AnyFailure } from '@platform/errors';
import { retryAfter, unreachable, type Envelope, type WireAnswer } from './envelope';

type Shape = (status: number, message: string, more?: object, headers?: Record<string, string>) => WireAnswer;

const UNAUTHENTICATED: WireAnswer = { status: 401, body: { status: 'error', message: 'Unauthenticated' } };

const failure =
  (shape: Shape) =>
  (fault: AnyFailure): WireAnswer => {
    switch (fault.kind) {
      case 'malformed':
        return shape(400, 'invalid json');
      case 'invalid':
        return shape(422, 'validation error', { errors: fault.violations });
      case 'unauthenticated':
        return UNAUTHENTICATED;
      case 'forbidden':
        return shape(403, fault.message);
      case 'notFound':
        return shape(404, fault.message);
      case 'conflict':
        return shape(409, fault.message, {}, retryAfter(fault));
      case 'rejected':
        // In this service only the model fails like this, after every retry: bot-engine design 2.7
        return shape(502, fault.message);
      case 'paymentRequired':
        return shape(402, fault.message);
      case 'gone':
        return shape(410, fault.message);
      case 'tooLarge':
        return shape(413, 'request too large');
      case 'unsupportedMedia':
        return shape(415, fault.message);
      case 'tooMany':
        return shape(429, 'too many requests', {}, retryAfter(fault));
      case 'unavailable':
        return shape(503, 'temporarily unavailable', {}, retryAfter(fault));
      case 'upstreamFailed':
        return shape(502, fault.message);
      case 'upstreamTimedOut':
        return shape(504, fault.message);
      case 'unexpected':
        return shape(500, 'internal server error');
      default:
        return unreachable(fault);
    }
  };

const json =
  (member: 'statusCode' | 'status'): Shape =>
  (status, message, more = {}, headers = {}) => ({ status, body: { [member]: status, message, ...more }, headers });

const text: Shape = (status, message, _more, headers = {}) => ({ status, body: message, headers, plain: true });

const botEnvelope = (shape: Shape): Envelope => ({
  refusals:
    'A refusal has no code: the HTTP status says what kind it is, `message` which one; a rule that is broken is listed in `errors`.',
  success: (body, status) => ({ status, body }),
  failure: failure(shape),
  unknownRoute: () => ({ status: 404, body: { statusCode: 404, message: 'not found' } }),
  schema: (value) => value,
});

/** chatbot-api, ai-agent-testing and everything without its own shape: errors carry `statusCode`. */
export const botStatusCodeEnvelope = botEnvelope(json('statusCode'));

/** generate_welcome and payment-notification: errors carry `status`. */
export const botStatusEnvelope = botEnvelope(json('status'));

/** notify-new-message: errors are plain text, as its success is. */
export const botTextEnvelope = botEnvelope(text);
