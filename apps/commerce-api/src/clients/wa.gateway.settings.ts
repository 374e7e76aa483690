import { httpUrl, optional, secretText } from '@platform/runtime';

/** The service that holds the WhatsApp sessions. */
export const waGatewaySettings = {
  /** Empty: no device can be connected. */
  WA_GATEWAY_URL: optional(httpUrl()),
  /** The gateway's own: without it a gateway in production takes nothing. */
  GATEWAY_API_KEY: optional(secretText({ requiredInProduction: true })),
};
