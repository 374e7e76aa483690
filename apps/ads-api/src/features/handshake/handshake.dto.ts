import { Choice, Int, Nested, Text } from '@platform/validation';

/** Needed all three: the contract refuses what is missing in words of its own. */
export class HandshakeHeaders {
  @Text({ optional: true, description: 'UUID of the application' }) 'x-client-key'?: string;
  @Text({ optional: true, description: 'ISO 8601 with offset, within 10 minutes of now' }) 'x-timestamp'?: string;
  @Text({ optional: true, description: 'Base64 RSA SHA-256 of `{x-client-key}|{x-timestamp}`' }) 'x-signature'?: string;
}

export class IssuedToken {
  @Text({ description: 'Opaque bearer for the Authorization header' }) access_token!: string;
  @Choice(['Bearer']) token_type!: 'Bearer';
  @Int({ description: 'Seconds' }) expires_in!: number;
  @Text({ format: 'instant' }) expires_at!: string;
}

export class IssuedTokenAnswer {
  @Nested(() => IssuedToken) data!: IssuedToken;
}

export class TokenState {
  @Text({ format: 'uuid' }) application_id!: string;
  @Text() name!: string;
  @Text({ format: 'instant' }) issued_at!: string;
  @Text({ format: 'instant' }) expires_at!: string;
  @Text({ description: 'Hex SHA-256 of the SPKI DER of the public key that was sent' }) fingerprint!: string;
  @Choice(['trusted', 'verified_payment']) topup_policy!: 'trusted' | 'verified_payment';
}

export class TokenStateAnswer {
  @Nested(() => TokenState) data!: TokenState;
}
